"""The screen of a DataBuilder: the table, what is said and understood of it, and the tabs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nbcompare._options import BETTER
from nbcompare._render import html, plural
from nbcompare.experiment import Experiment, Preview, Schema
from nbcompare.histories import Histories
from nbcompare.widgets import _html
from nbcompare.widgets._data_controls import Findings, SourceRow
from nbcompare.widgets._data_model import DataModel, changed
from nbcompare.widgets._data_tabs import COMPARISON, CONVERGENCE, Tabs
from nbcompare.widgets._elements import Box, Button, Disclosure, Element, Html
from nbcompare.widgets._grid import Grid
from nbcompare.widgets._screen import Screen
from nbcompare.widgets._settings import SettingError

_IN_COLUMNS = {"algorithm": "a column each", "score": "in these columns"}
_FIRST = ("direction", "measure")
_COLUMNS = ("dataset", "algorithm", "score", "fold", "run")
_MORE = (
    *("unit", "item", "cluster", "where", "ignore", "keep", "ignore_rows", "keep_rows"),
    *("columns", "rows", "transpose"),
    *("status", "ok", "failed", "cutoff", "missing_words", "brackets"),
)
_RARE = ("lower", "upper", "domain", "higher_is_better")
_TEXT = ("format", "decimal", "thousands", "separator", "encoding")


class DataScreen(Screen):
    """The screen of a table of scores: where it is from, how it is read, and what comes next."""

    model: DataModel
    tabs: Tabs

    def parts(self) -> list[Element]:
        """Return the tabs; the first one has everything about the data."""
        self.source = SourceRow(self.model)
        self.head = Grid(self.model, self._assign)
        self.understood, self.scores = Html(), Html()
        self.findings = Findings(self.take)
        rest = [self.controls[name].box for name in (*_COLUMNS, *_MORE, *_RARE, "sheet", *_TEXT)]
        self.more = Disclosure(rest, label="More about the table", key="data")
        self.go = Button("", self._go_on, "nbcompare-primary")
        self._said = self.row(*_FIRST)
        self._said.set_class("nbcompare-direction", True)
        data = Box(
            [
                self.source.box,
                Box([self.steps, self.head], "nbcompare-sheet"),
                self.message,
                self.findings.box,
                self._said,
                self.more,
                self.understood,
                self.go,
                self.scores,
                self.code_place,
                self.progress.box,
            ],
            "nbcompare-data",
        )
        self.tabs = Tabs(
            data, self.model.loading, lambda: self.model.data.uploaded.partition(".")[0]
        )
        return [self.tabs.element]

    def _go_on(self) -> None:
        is_log = self.model.histories() is not None
        self.tabs.select(CONVERGENCE if is_log else COMPARISON)

    def take(self, changes: Mapping[str, Any]) -> None:
        """Set what a way on says, beside what was said before."""
        self._assign(changed(self.model, changes))

    def _assign(self, changes: Mapping[str, Any]) -> None:
        """Set what a person says, as one step."""
        builder = self.model.builder
        try:
            with builder.hold():
                for name, value in changes.items():
                    setattr(builder, name, value)
        except SettingError as error:
            self.say([str(error)])

    def close(self) -> None:
        """Take everything out of the page, the builders in the tabs first."""
        self.tabs.close()
        super().close()

    # ------------------------------------------------------------------------- what is seen

    def show(self) -> tuple[Any, list[str]]:
        """Show the table, what is understood, and the code."""
        model = self.model
        preview, head = model.preview, model.head()
        roles = {} if preview.schema is None else _roles(preview.schema)
        is_wide = preview.schema is not None and preview.schema.layout == "wide"
        recognised = {
            role: f"{model.choices.settings[role].spelled(names)} (recognised)"
            for role, names in roles.items()
        }
        is_said = {"direction": "as the column says"} if "higher_is_better" in roles else {}
        model.choices.settled = {**(_IN_COLUMNS if is_wide else {}), **recognised, **is_said}
        self.refresh()
        self.source.refresh()
        choices = model.choices
        said = {name: choices.value(name) for name in choices.settings}
        self.head.show(head, preview, said)
        self.steps.is_shown = head is not None
        self.findings.show(model.findings())
        experiment, histories = preview.experiment, self._histories()
        self.understood.value = understood(preview)
        self.scores.value = "" if experiment is None else _scores(experiment)
        is_read = experiment is not None or histories is not None
        self.code.value = model.code if is_read else ""
        self.go.is_shown = self.code_place.is_shown = is_read
        what = "compare the algorithms" if histories is None else "compare their convergence"
        self.go.label = f"Go on: {what}"
        self._said.is_shown = self.more.is_shown = model.has_table()
        needed = model.choices.value("direction") is None and "higher_is_better" not in roles
        self._said.set_class("nbcompare-undecided", needed)
        self._show_what_matters()
        self.tabs.offer(experiment or histories)
        return experiment, []

    def _histories(self) -> Histories | None:
        """Return the histories in the data, as soon as it is said what is better."""
        is_said = not self.model.has_table() or self.model.choices.value("direction") is not None
        return self.model.histories() if is_said else None

    def _show_what_matters(self) -> None:
        """Put away what is not said of such a table."""
        source = self.model.data
        for name in ("sheet", *_TEXT):
            suits = source.is_spreadsheet if name == "sheet" else source.is_text
            self.controls[name].box.is_shown = suits

    def bundles(self, title: str, identity: str) -> list[Any]:
        """Return what is understood, with the code, and no figure."""
        parts = self.model.result._parts()
        told = _html.text_bundle(identity, title, parts, self.model.code, alone=True)
        return [told, _html.note_bundle(identity, [])]


def _roles(schema: Schema) -> dict[str, tuple[str, ...]]:
    """Return the columns of each role, those of scores with them."""
    ends = ("score",) if len(schema.scores) == 1 else ("lower", "upper")
    scores = ((name,) for name in schema.scores)
    is_long = schema.layout == "long"
    return {**schema.roles, **(dict(zip(ends, scores, strict=False)) if is_long else {})}


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
