"""The screen of a DataBuilder: the table, what is said and understood of it, and the tabs."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any

import ipywidgets as ipw

from nbcompare._options import BETTER
from nbcompare._render import html, plural
from nbcompare.experiment import Experiment, Head, Preview, Schema
from nbcompare.widgets import _html
from nbcompare.widgets._controls import Choice
from nbcompare.widgets._data_controls import ColumnChoice, DirectionChoice, Findings, SourceRow
from nbcompare.widgets._data_model import DataModel, changed
from nbcompare.widgets._data_settings import Column, Direction, Names, Said, Transposed, Word
from nbcompare.widgets._data_tabs import COMPARISON, Tabs
from nbcompare.widgets._data_ways import ROLES
from nbcompare.widgets._fields import More
from nbcompare.widgets._report_controls import TextField
from nbcompare.widgets._screen import Screen, put, row
from nbcompare.widgets._settings import SettingError

_FIRST = ("direction", "measure")
_COLUMNS = ("dataset", "algorithm", "score", "fold", "run")
_MORE = (
    *("unit", "item", "cluster", "where", "ignore", "keep", "ignore_rows", "keep_rows"),
    *("columns", "rows", "transpose"),
    *("status", "ok", "failed", "cutoff", "missing_words", "brackets"),
)
_RARE = ("lower", "upper", "domain", "higher_is_better")
_TEXT = ("format", "decimal", "thousands", "separator", "encoding")
_STYLE = """
.nbcompare-builder .lm-TabBar-tab .lm-TabBar-tabLabel{color:var(--jp-ui-font-color1,#212121)}
.nbcompare-builder .nbcompare-first{overflow-x:auto}
.nbcompare-builder .nbcompare-first table{border-collapse:collapse;margin:4px 0;font-size:13px}
.nbcompare-builder .nbcompare-first th,.nbcompare-builder .nbcompare-first td{
 padding:2px 10px;text-align:left;white-space:nowrap;max-width:26em;overflow:hidden;
 text-overflow:ellipsis; border-bottom:1px solid var(--jp-border-color2,#e0e0e0)}
.nbcompare-builder .nbcompare-first td.num{text-align:right;font-variant-numeric:tabular-nums}
.nbcompare-builder .nbcompare-first .nbcompare-role{display:block;font-weight:400;font-size:12px;
 white-space:normal;max-width:18em}
.nbcompare-builder .nbcompare-first .nbcompare-out{opacity:.72;font-weight:400}
.nbcompare-builder .nbcompare-first p{margin:2px 0;opacity:.8;font-size:12px}
.nbcompare-builder .nbcompare-finding{border-left:4px solid #b8860b;padding:2px 8px;margin:4px 0}
.nbcompare-builder .nbcompare-finding-error{border-left-color:#d32f2f}
.nbcompare-builder .nbcompare-finding-settled{border-left-color:rgba(128,128,128,.6);
 flex-direction:row;flex-wrap:wrap;align-items:center;gap:4px 12px}
.nbcompare-builder .nbcompare-finding p,.nbcompare-builder .nbcompare-recommended p{margin:2px 0}
.nbcompare-builder .nbcompare-way{white-space:normal;height:auto;min-height:28px;line-height:1.4;
 padding:2px 10px;text-align:left;overflow:visible}
.nbcompare-builder .nbcompare-understood{font-weight:600}
.nbcompare-builder .nbcompare-undecided>:first-child>:first-child>select{
 border:2px solid #b8860b}
""".replace("\n ", "").strip()


class DataScreen(Screen):
    """The screen of a table of scores: where it is from, how it is read, and what comes next."""

    model: DataModel
    tabs: Tabs
    style = _STYLE
    kinds = (
        (Column, ColumnChoice),
        (Direction, DirectionChoice),
        (Word, Choice),
        (Transposed, Choice),
        (Names, TextField),
        (Said, TextField),
    )

    def rows(self) -> list[Any]:
        """Return the tabs; the first one has everything about the data."""
        self.source = SourceRow(self.model)
        self.head, self.understood, self.scores = ipw.HTML(), ipw.HTML(), ipw.HTML()
        self.findings = Findings(self.take)
        self.more = More(label="More about the table", key="data")
        self.more.layout.align_self = "flex-start"
        self._rest = ipw.Box(self._boxes(*_MORE, *_RARE, "sheet", *_TEXT))
        self._rest.add_class("nbcompare-more")
        self.go = ipw.Button(
            description="Go on: compare the algorithms",
            button_style="primary",
            layout=ipw.Layout(width="auto", align_self="flex-start"),
        )
        self.go.on_click(lambda _: self.tabs.select(COMPARISON))
        for name in _COLUMNS:
            self.controls[name].box.layout.flex = "1 1 150px"
            self.controls[name].box.layout.min_width = "130px"
        self._first = ipw.VBox([row(self._boxes(*_FIRST)), row(self._boxes(*_COLUMNS))])
        data = ipw.VBox(
            [
                self.source.box,
                self.head,
                self.message,
                self.findings.box,
                self._first,
                self.more,
                self._rest,
                self.understood,
                self.go,
                self.scores,
                self.code,
                self.progress.box,
            ]
        )
        data.add_class("nbcompare-builder")  # as which the page knows where its parts are
        self.tabs = Tabs(
            data, self.model.loading, lambda: self.model.data.uploaded.partition(".")[0]
        )
        return [self.tabs.widget]

    def _boxes(self, *names: str) -> list[Any]:
        return [self.controls[name].box for name in names]

    def take(self, changes: Mapping[str, Any]) -> None:
        """Set what a way on says."""
        builder = self.model.builder
        try:
            with builder.hold():
                for name, value in changed(self.model, changes).items():
                    setattr(builder, name, value)
        except SettingError as error:
            self.say([str(error)])

    def close(self) -> None:
        """Take everything out of the page, the builders in the tabs first."""
        self.tabs.close()
        super().close()
        self.findings.close()

    # ------------------------------------------------------------------------- what is seen

    def show(self) -> tuple[Any, list[str]]:
        """Show the table, what is understood, and the code."""
        model = self.model
        preview, head = model.preview, model.head()
        roles = {} if preview.schema is None else _roles(preview.schema)
        for role in ROLES:
            control = self.controls.get(role)
            if isinstance(control, ColumnChoice):
                is_wide = preview.schema is not None and preview.schema.layout == "wide"
                control.recognise(roles.get(role, ()), in_columns=is_wide)
        direction = self.controls["direction"]
        if isinstance(direction, DirectionChoice):
            direction.is_said = "higher_is_better" in roles
        self.refresh()
        self.source.refresh()
        put(self.head, "" if head is None else table_of(head, preview))
        self.findings.show(model.findings())
        experiment = preview.experiment
        put(self.understood, understood(preview))
        put(self.scores, "" if experiment is None else _scores(experiment))
        put(self.code, "" if experiment is None else _html.code_block(model.code))
        _show(self.go, experiment is not None)
        for part in (self._first, self.more):
            _show(part, model.has_table())
        if not model.has_table() and self.more.opened:
            self.more.opened = False
        needed = model.choices.value("direction") is None and "higher_is_better" not in roles
        (self._first.add_class if needed else self._first.remove_class)("nbcompare-undecided")
        self._show_what_matters()
        self.tabs.offer(experiment)
        return experiment, []

    def _show_what_matters(self) -> None:
        """Put away what is not said of such a table."""
        source = self.model.data
        for name in ("sheet", *_TEXT):
            suits = source.is_spreadsheet if name == "sheet" else source.is_text
            _show(self.controls[name].box, suits)

    def bundles(self, title: str) -> list[Any]:
        """Return what is understood, with the code, and no figure."""
        told = _html.text_bundle(
            self.identity, title, self.model.lasting(), self.model.code, alone=True
        )
        return [told, _html.note_bundle(self.identity, [])]


def _show(widget: Any, is_shown: bool) -> None:
    display = None if is_shown else "none"
    if widget.layout.display != display:
        widget.layout.display = display


def _roles(schema: Schema) -> dict[str, tuple[str, ...]]:
    """Return the columns of each role, those of scores with them."""
    ends = ("score",) if len(schema.scores) == 1 else ("lower", "upper")
    scores = ((name,) for name in schema.scores)
    is_long = schema.layout == "long"
    return {**schema.roles, **(dict(zip(ends, scores, strict=False)) if is_long else {})}


def table_of(head: Head, preview: Preview) -> str:
    """Return the first rows as HTML, and above each column what it was taken for."""
    uses = {use.name: use for use in preview.columns}
    schema = preview.schema
    needed = {*schema.scores, *chain(*schema.roles.values())} if schema is not None else {*uses}
    titles = []
    for name in head.names:
        said = uses[name].use if name in uses else "left out" if uses else "\u00a0"
        out = "" if name in needed or not uses else ' class="nbcompare-out"'
        shown = html.escape(name) or "<i>(without a name)</i>"
        titles.append(
            f'<th scope="col"{out}>{shown}'
            f'<span class="nbcompare-role">{html.escape(said)}</span></th>'
        )
    rows = "".join(
        f"<tr>{''.join(f'<td{_class(cell)}>{html.escape(cell)}</td>' for cell in cells)}</tr>"
        for cells in head.rows
    )
    more = head.n_rows - len(head.rows)
    caption = plural(head.n_rows, "row") + (f", the first {len(head.rows)} of them" if more else "")
    return (
        '<div class="nbcompare-first" role="region" tabindex="0" aria-label="First rows">'
        f"<p>{caption}; under each name, what the column was taken for.</p><table>"
        f"<thead><tr>{''.join(titles)}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _class(cell: str) -> str:
    try:
        float(cell)
    except ValueError:
        return ""
    return ' class="num"'


def understood(preview: Preview) -> str:
    """Return in a sentence what was understood of the table; empty if nothing was."""
    made, schema = preview.experiment, preview.schema
    if schema is not None and schema.sizes:
        text = schema.sentence.removesuffix(".")
    elif made is not None:
        sizes = plural(made.n_algorithms, "algorithm"), plural(made.n_datasets, "data set")
        text = " on ".join(sizes)
    else:
        return ""
    more = [made.measure, BETTER[made.direction]] if made is not None else []
    text = "; ".join(filter(None, [f"Understood: {text}", *more]))
    return f'<p class="nbcompare-understood" role="status">{html.escape(text)}.</p>'


def _scores(experiment: Experiment) -> str:
    """Return the scores as they were read, folded up."""
    table = _html.rendered(experiment._parts()[:1])
    return f"<details><summary>The scores as they were read</summary>{table}</details>"
