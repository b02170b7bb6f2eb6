"""What cells of pages show: pictures get a text and a dark twin, live widgets are taken away.

The scripts of live widgets would come from another host; the cell that shows one also has a still
view of it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from docutils import nodes
from nbclient import NotebookClient
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

from nbcompare._render.rich import darkened

_VIEW = "application/vnd.jupyter.widget-view+json"


class Pictures(SphinxPostTransform):
    """Give pictures of cells their text and a dark twin; take away live widgets.

    Each output of a cell is here in all its formats, and one is taken afterwards. A widget needs
    a kernel, and scripts of another host: the picture that a builder shows after it stands alone.
    """

    default_priority = 3  # before MyST-NB takes one format of each output

    def run(self, **_: Any) -> None:
        """Look at each output."""
        for bundle in list(self.document.findall(nodes.container)):
            if bundle.get("nb_element") != "mime_bundle":
                continue
            formats = {part["mime_type"]: part for part in bundle.children}
            if _VIEW in formats:
                bundle.parent.remove(bundle)
                continue
            text = formats["text/plain"].astext() if "text/plain" in formats else ""
            alt = text.removeprefix("<Plot: ").removesuffix(">")
            for kind, part in formats.items():
                if kind.startswith("image/"):
                    self._complete(part, alt, is_drawing=kind == "image/svg+xml")

    def _complete(self, part: nodes.Element, alt: str, *, is_drawing: bool) -> None:
        for image in list(part.findall(nodes.image)):
            image["alt"] = alt
            source = Path(self.app.srcdir) / image["uri"]
            if not is_drawing or not source.exists():
                continue
            light = source.read_text(encoding="utf-8")
            dark = darkened(light)
            if dark == light:
                continue
            twin = image.copy()
            path = source.with_name(f"{source.stem}-dark.svg")
            path.write_text(dark, encoding="utf-8")
            twin["uri"] = str(Path(image["uri"]).with_name(path.name))
            twin["candidates"] = {"*": twin["uri"]}
            self.env.images.add_file(self.env.docname, twin["uri"])  # so that it is copied
            image["classes"], twin["classes"] = ["only-light"], ["only-dark"]
            image.parent.append(twin)


def setup(app: Sphinx) -> dict[str, bool]:
    """Look at outputs once they are nodes."""
    # The state of all widgets, megabytes, would be stored in each page. MyST-NB has no setting.
    NotebookClient.store_widget_state = False
    app.add_post_transform(Pictures)
    app.add_css_file("results.css")
    return {"parallel_read_safe": True}
