"""What MkDocs does for this site beside its own: pages that live with what they describe, and links to files that are no pages."""

import posixpath
import re
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"(!?)\[([^\]\[]+)\]\(([^)\s]+)\)")

# The ten-minute starts of engines are the pages of their folders: one text, tested there.
FROM = {
    "start/unity.md": "bindings/unity/com.fracas.fracas/README.md",
    "guides/unity.md": "bindings/unity/com.fracas.fracas/Documentation~/index.md",
    "start/unreal.md": "bindings/unreal/README.md",
    "start/godot.md": "bindings/godot/README.md",
    "start/web.md": "bindings/npm/README.md",
    "platforms.md": "docs/platforms.md",
}


def is_there(uri):
    return uri not in FROM or (ROOT / FROM[uri]).exists()


def on_config(config):
    """Leaves out of the menu what a clone does not have."""

    def kept(entries):
        for entry in entries:
            for name, what in entry.items():
                if isinstance(what, list):
                    yield {name: list(kept(what))}
                elif is_there(what):
                    yield entry

    config.nav = list(kept(config.nav))
    return config


def on_files(files, config):
    for uri, source in FROM.items():
        if is_there(uri) and not files.get_file_from_path(uri):
            files.append(File.generated(config, uri, content=(ROOT / source).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown, page, files, **_):
    """A page may link to any file of the repository, so that it reads well there. The site has the pages only: elsewhere it names the file."""
    uri = page.file.src_uri
    source = FROM.get(uri, f"docs/{uri}")
    pages = {FROM.get(f.src_uri, f"docs/{f.src_uri}"): f.src_uri for f in files if f.inclusion.is_included()}

    def named(found):
        image, text, target = found.groups()
        path, mark, anchor = target.partition("#")
        if "://" in target or not path:
            return found[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        if path in pages:
            return f"{image}[{text}]({posixpath.relpath(pages[path], posixpath.dirname(uri) or '.')}{mark}{anchor})"
        if not (ROOT / path).exists():
            raise PluginError(f"{source} links to {path}, which is not there")
        if image:
            raise PluginError(f"{source} shows {path}; pictures of the site are in docs/images")
        return text if text.strip("`") == path else f"{text} (`{path}`)"

    return LINK.sub(named, markdown)
