"""Opens a report in headless Chromium over its DevTools pipe and says what is wrong with it.

Usage: browser.py CHROMIUM PAGE PROFILE. Checked at 390, 768 and 1280 pixels, in light and dark: nothing scrolls
sideways, nothing is said on the console, no request but the page itself, a policy that forbids everything else, and
that unfolding every part keeps it so. Exits 77 when the browser does not start."""
import json
import os
import pathlib
import select
import subprocess
import sys
import time

WIDTHS = (390, 768, 1280)
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
    return JSON.stringify({scroll: root.scrollWidth, client: root.clientWidth, wide: wide.slice(0, 5),
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
    if not seen["policy"].startswith("default-src 'none'"):
        wrong.append(where + "policy: " + seen["policy"])
    if not seen["title"] or seen["text"] < 200:
        wrong.append(where + f"is empty: {seen}")
    wrong += [where + t for t in map(told, browser.events) if t]
    urls = {e["params"]["request"]["url"] for e in browser.events if e.get("method") == "Network.requestWillBeSent"}
    wrong += [where + "asks for " + u[:100] for u in urls if u != page and not u.startswith("data:")]


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
    browser.close()
    print("\n".join(wrong))
    sys.exit(bool(wrong))


main()
