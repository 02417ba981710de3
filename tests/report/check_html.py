"""Checks a report page: complete, self-contained, inert, and readable without seeing it.

Usage: check_html.py PAGE. Prints what is wrong and exits 1."""
import base64
import hashlib
import re
import sys
from html.parser import HTMLParser

TAGS = set("""html head meta title link style body a header main nav section footer p b i span small code pre h1 h2 h3 h4
div dl dt dd ul ol li table caption thead tbody tr th td figure figcaption details summary script svg path circle rect
text""".split())
VOID = {"meta", "link"}
ATTRS = {"lang", "charset", "http-equiv", "content", "name", "rel", "href", "class", "id", "aria-label", "aria-labelledby",
         "aria-hidden", "scope", "open", "viewbox", "role", "d", "fill", "fill-opacity", "stroke", "stroke-width",
         "stroke-dasharray", "transform", "text-anchor", "font-size", "x", "y", "r", "width", "height", "preserveaspectratio",
         "data-t0", "data-t1", "data-boot", "data-i", "data-lane", "data-t", "data-u"}
page = open(sys.argv[1], encoding="utf-8").read()
wrong = []


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.links, self.labels, self.levels = [], [], [], [], []
        self.text = {"script": "", "style": ""}
        self.svgs = self.named = self.meta = 0

    def handle_starttag(self, tag, attrs):
        if tag not in TAGS:
            wrong.append(f"element {tag} at {self.getpos()}")
        for name, value in attrs:
            if name not in ATTRS:
                wrong.append(f"attribute {name} of {tag} at {self.getpos()}")
            if name == "href" and not (value.startswith("#") or (tag == "link" and value == "data:,")):
                wrong.append(f"link to {value}")
            if name == "href" and value.startswith("#"):
                self.links.append(value[1:])
            if name == "id":
                self.ids.append(value)
            if name == "aria-labelledby":
                self.labels.append(value)
        a = dict(attrs)
        if tag == "svg" and a.get("aria-hidden") != "true":
            self.svgs += 1
            self.named += a.get("role") == "img" and "aria-labelledby" in a
        if tag == "th" and "scope" not in a:
            wrong.append(f"th without scope at {self.getpos()}")
        if re.fullmatch("h[1-6]", tag):
            self.levels.append(int(tag[1]))
        if a.get("http-equiv") == "Content-Security-Policy":
            self.policy = a["content"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            wrong.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, data):
        if self.open and self.open[-1] in self.text:
            self.text[self.open[-1]] += data


p = Page()
p.feed(page)
p.close()
if p.open:
    wrong.append(f"not closed: {p.open}")
if len(set(p.ids)) != len(p.ids):
    wrong.append(f"ids used twice: {sorted(i for i in set(p.ids) if p.ids.count(i) > 1)}")
for name in p.links + p.labels:
    if name not in p.ids:
        wrong.append(f"nothing has the id {name}")
if p.svgs != p.named:
    wrong.append(f"{p.svgs - p.named} charts without a name")
if p.levels.count(1) != 1 or any(b > a + 1 for a, b in zip(p.levels, p.levels[1:])):
    wrong.append(f"headings: {p.levels}")
if page.count("<script") != 1 or page.count("<style") != 1:
    wrong.append("more than one script or style")
for kind in ("script", "style"):
    digest = base64.b64encode(hashlib.sha256(p.text[kind].encode()).digest()).decode()
    if f"{kind}-src 'sha256-{digest}'" not in p.policy:
        wrong.append(f"the policy does not fit the {kind}")
if not p.policy.startswith("default-src 'none';"):
    wrong.append("policy: " + p.policy)
body = page[page.index("<body>"):]
bad = sorted({hex(ord(c)) for c in body if (ord(c) < 32 and c != "\n") or 0x7f <= ord(c) < 0xa0
              or c in "\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"})
if bad:
    wrong.append(f"characters {bad}")
print("\n".join(wrong))
sys.exit(bool(wrong))
