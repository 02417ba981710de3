"""Opens a report in headless Chromium over its DevTools pipe and says what is wrong with it.

Usage: browser.py CHROMIUM PAGE PROFILE. Checked at 360, 768 and 1280 pixels, in light and dark: nothing scrolls
sideways, nothing is said on the console, no request but the page itself, a policy that forbids everything else, that
unfolding every part keeps it so, and that every text stands out from what is behind it (WCAG AA). Then on paper, without
scripts, and what the tools of the history do. Exits 77 when the browser does not start."""
import base64
import json
import os
import pathlib
import re
import select
import subprocess
import sys
import time

WIDTHS = (360, 768, 1280)
PAPER = 718  # pixels of an A4 page within its margins
PROBE = """(() => {
    document.querySelectorAll('details').forEach(d => d.open = true);
    const root = document.documentElement, wide = [];
    for (const e of document.querySelectorAll('body *')) {
        const r = e.getBoundingClientRect();
        let inside = false;
        for (let p = e.parentElement; p && !inside; p = p.parentElement)
            inside = /auto|scroll|hidden|clip/.test(getComputedStyle(p).overflowX);
        if (r.width && r.right > root.clientWidth + 1 && !inside)
            wide.push(e.tagName + '.' + e.className);
    }
    const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const rgba = c => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = c;
        canvas.fillRect(0, 0, 1, 1);
        return canvas.getImageData(0, 0, 1, 1).data;
    };
    const light = c => [0, 1, 2].map(i => c[i] / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const pale = new Set();
    for (const e of document.querySelectorAll('body *')) {
        const text = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
        if (!text || e.closest('script, style, title, .skip') || !e.getClientRects().length)
            continue;
        const style = getComputedStyle(e);
        let behind = root;
        for (let p = e; p; p = p.parentElement)
            if (rgba(getComputedStyle(p).backgroundColor)[3] > 250) {
                behind = p;
                break;
            }
        const back = rgba(getComputedStyle(behind === root ? document.body : behind).backgroundColor);
        const a = light(rgba(e instanceof SVGElement ? style.fill : style.color)), b = light(back);
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.6 && style.fontWeight >= 700);
        if (ratio < (large ? 3 : 4.5))
            pale.add(e.tagName + '.' + e.getAttribute('class') + ' ' + ratio.toFixed(1));
    }
    return JSON.stringify({scroll: root.scrollWidth, client: root.clientWidth, wide: wide.slice(0, 5), pale: [...pale].slice(0, 5),
                           policy: document.querySelector('meta[http-equiv]')?.content ?? '',
                           title: document.title, text: document.body.innerText.length});
})()"""


class Browser:
    def __init__(self, program, profile):
        to_read, self.to = os.pipe()
        self.back, back_write = os.pipe()

        def pipes():
            a, b = os.dup(to_read), os.dup(back_write)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             f"--user-data-dir={profile}", "--remote-debugging-pipe", "about:blank"],
            pass_fds=(3, 4), preexec_fn=pipes, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(back_write)
        self.buffer, self.number, self.session, self.events = b"", 0, None, []

    def receive(self, seconds):
        end = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            if not select.select([self.back], [], [], max(0, end - time.monotonic()))[0]:
                return None
            got = os.read(self.back, 1 << 16)
            if not got:
                return None
            self.buffer += got
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def call(self, method, seconds=30, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while (answer := self.receive(seconds)) is not None:
            if answer.get("id") == self.number:
                return answer.get("result")
            self.events.append(answer)
        return None

    def wait(self, method, seconds=30):
        while not any(e.get("method") == method for e in self.events):
            event = self.receive(seconds)
            if event is None:
                return False
            self.events.append(event)
        return True

    def close(self):
        os.close(self.to)
        os.close(self.back)
        self.process.terminate()
        self.process.wait(10)


def told(event):
    method, p = event.get("method"), event.get("params", {})
    if method == "Runtime.consoleAPICalled":
        return "console: " + " ".join(str(a.get("value")) for a in p["args"])
    if method == "Runtime.exceptionThrown":
        return "exception: " + p["exceptionDetails"]["text"]
    if method == "Log.entryAdded":
        return f"log: {p['entry']['text']}"
    return None


def look(browser, page, width, scheme, wrong):
    browser.events.clear()
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=844, deviceScaleFactor=1, mobile=width < 500)
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.call("Page.navigate", url=page)
    where = f"at {width} px, {scheme}: "
    if not browser.wait("Page.loadEventFired"):
        wrong.append(where + "the page does not load")
        return
    seen = json.loads(browser.call("Runtime.evaluate", expression=PROBE)["result"]["value"])
    if seen["scroll"] > seen["client"] or seen["wide"]:
        wrong.append(where + f"scrolls sideways: {seen}")
    if seen["pale"]:
        wrong.append(where + f"hard to read: {seen['pale']}")
    if not seen["policy"].startswith("default-src 'none'"):
        wrong.append(where + "policy: " + seen["policy"])
    if not seen["title"] or seen["text"] < 200:
        wrong.append(where + f"is empty: {seen}")
    wrong += [where + t for t in map(told, browser.events) if t]
    urls = {e["params"]["request"]["url"] for e in browser.events if e.get("method") == "Network.requestWillBeSent"}
    wrong += [where + "asks for " + u[:100] for u in urls if u != page and not u.startswith("data:")]


# Closer, wider, one lane, the pointer over each mark: rows are what is said, and nothing is lost.
TOOLS = """(() => {
    const rows = [...document.querySelectorAll('.history tbody tr')], tools = document.querySelector('.tools');
    if (!tools)
        return document.querySelector('.lanes') ? 'the tools are missing' : '';
    const said = tools.querySelector('output'), choice = tools.querySelector('select');
    const seen = () => rows.filter(r => !r.hidden).length, press = i => tools.querySelectorAll('button')[i].click();
    const wrong = [];
    const expect = what => {
        if (said.textContent !== seen() + ' of ' + rows.length + ' rows')
            wrong.push(what + ': says ' + said.textContent + ' where ' + seen() + ' are seen');
    };
    expect('at first');
    for (let i = 0; i < 6; i++) {
        press(2);
        expect('closer');
        press(0);
        press(1);
    }
    for (let i = 0; i < 8; i++)
        press(3);
    if (seen() !== rows.length)
        wrong.push('rows are lost: ' + seen() + ' of ' + rows.length);
    let all = 0;
    for (let i = 1; i < choice.options.length; i++) {
        choice.selectedIndex = i;
        choice.dispatchEvent(new Event('change'));
        expect('lane ' + i);
        all += seen();
    }
    if (all !== rows.length)
        wrong.push('lanes hold ' + all + ' of ' + rows.length);
    choice.selectedIndex = 0;
    choice.dispatchEvent(new Event('change'));
    const svg = document.querySelector('.lanes svg');
    for (const m of svg.querySelectorAll('[data-i]')) {
        const r = m.getBoundingClientRect();
        svg.dispatchEvent(new MouseEvent('mousemove', {clientX: r.left + r.width / 2, clientY: r.top + r.height / 2, bubbles: true}));
        if (!said.textContent || / rows$/.test(said.textContent))
            wrong.push('nothing is said of a mark');
    }
    return wrong.slice(0, 5).join('; ');
})()"""


def value(browser, expression):
    return browser.call("Runtime.evaluate", expression=expression)["result"].get("value")


def on_paper(browser, wrong):
    """Printed: nothing beyond the edge, every part unfolded, pages as many as there is text for."""
    browser.call("Emulation.setDeviceMetricsOverride", width=PAPER, height=1000, deviceScaleFactor=1, mobile=False)
    browser.call("Emulation.setEmulatedMedia", media="print")
    seen = json.loads(value(browser, PROBE))
    if seen["scroll"] > seen["client"] or seen["wide"]:
        wrong.append(f"on paper: is cut: {seen}")
    pdf = base64.b64decode(browser.call("Page.printToPDF", preferCSSPageSize=True, seconds=60)["data"])
    pages = len(re.findall(rb"/Type\s*/Page\b", pdf))
    if not 1 <= pages <= 3 + seen["text"] // 400:
        wrong.append(f"on paper: {pages} pages for {seen['text']} characters")
    browser.call("Emulation.setEmulatedMedia", media="screen")


def without_scripts(browser, page, wrong):
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    look(browser, page, 1280, "light", wrong)
    if value(browser, "document.querySelectorAll('.tools, button').length"):
        wrong.append("without scripts: there are tools that do nothing")
    if value(browser, "[...document.querySelectorAll('.history tr')].some(r => !r.getClientRects().length)"):
        wrong.append("without scripts: rows of the history are hidden")
    browser.call("Emulation.setScriptExecutionDisabled", value=False)


def main():
    browser = Browser(sys.argv[1], sys.argv[3])
    wrong = []
    target = browser.call("Target.createTarget", url="about:blank")
    if not target:
        print("the browser does not start")
        sys.exit(77)
    browser.session = browser.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
    for domain in ("Page", "Runtime", "Log", "Network"):
        browser.call(domain + ".enable")
    for width in WIDTHS:
        for scheme in ("light", "dark"):
            look(browser, pathlib.Path(sys.argv[2]).resolve().as_uri(), width, scheme, wrong)
    on_paper(browser, wrong)
    page = pathlib.Path(sys.argv[2]).resolve().as_uri()
    look(browser, page, 1280, "light", wrong)
    wrong += ["history: " + t for t in [value(browser, TOOLS)] if t]
    without_scripts(browser, page, wrong)
    wrong += [t for t in map(told, browser.events) if t]
    browser.close()
    print("\n".join(wrong))
    sys.exit(bool(wrong))


main()
