#!/usr/bin/env python3
"""Follows every link of the built site within it, and allows none that needs the network to show a page.

    links.py out/site [--without-api]
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# What a page loads to be shown. Other links may lead out of the site.
LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("source", "src"), ("iframe", "src")}
RELATIONS_NOT_LOADED = {"canonical", "prev", "next"}


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.names = [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.names.update(value for key, value in attributes if key in ("id", "name") and value)
        for key in ("href", "src"):
            if found.get(key):
                loads = (tag, key) in LOADED and found.get("rel") not in RELATIONS_NOT_LOADED
                self.links.append((found[key], loads))


def main():
    site, without_api = Path(sys.argv[1]).resolve(), "--without-api" in sys.argv
    pages = {}

    def page(path):
        if path not in pages:
            pages[path] = Page(path)
        return pages[path]

    faults, followed = [], 0
    for path in sorted(site.rglob("*.html")):
        is_api = site / "api" in path.parents
        if path.name == "404.html" or (is_api and without_api): # 404 has links from the root of a server
            continue
        for link, loads in page(path).links:
            where = f"{path.relative_to(site)}: {link}"
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if loads and parts.scheme not in ("data", "javascript"):
                    faults.append(f"{where} is loaded from the network")
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if without_api and site / "api" in target.parents:
                continue
            followed += 1
            if site not in target.parents or not target.is_file():
                faults.append(f"{where} leads nowhere")
            # Doxygen's own anchors are its business; those of the pages are checked.
            elif parts.fragment and target.suffix == ".html" and not is_api:
                if unquote(parts.fragment) not in page(target).names:
                    faults.append(f"{where}: there is no such place in that page")
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"links: {followed} followed in {len(pages)} pages, {len(faults)} wrong")
    return 1 if faults or followed == 0 else 0


sys.exit(main())
