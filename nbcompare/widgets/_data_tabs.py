"""The tabs of a DataBuilder: the data, and the builders that go on from there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from nbcompare._commands import BY_FUNCTION
from nbcompare.analysis.comparison import is_within
from nbcompare.analysis.recommend import recommend
from nbcompare.experiment import Experiment
from nbcompare.histories import Histories
from nbcompare.widgets import _code, _html
from nbcompare.widgets._builder import AnalysisBuilder, Builder
from nbcompare.widgets._elements import Box, Element, Html
from nbcompare.widgets._elements import Tabs as TabsElement
from nbcompare.widgets.analysis_builder import class_for
from nbcompare.widgets.cd_diagram import CDDiagramBuilder, WithinBuilder
from nbcompare.widgets.fuzzy_pvalue import FuzzyPValueBuilder
from nbcompare.widgets.page_trend import PageTrendBuilder
from nbcompare.widgets.plan import PlanBuilder
from nbcompare.widgets.report_builder import ReportBuilder


class Page(NamedTuple):
    """A tab beside the data.

    Attributes
    ----------
    title : str
        On the tab.
    kind : type
        The class of builder.
    suits : callable
        Tells whether the experiment or the histories can be looked at so.
    argument : str
        That of the report which takes its options; empty for none.
    """

    title: str
    kind: type[Builder]
    suits: Callable[[Any], bool] = lambda _: True
    argument: str = ""


Data = Experiment | Histories


def _has_datasets(data: Data) -> bool:
    """Return whether there are scores that are compared over data sets."""
    return isinstance(data, Experiment) and not is_within(data)


def _has_rows(data: Data) -> bool:
    """Return whether there are scores that are compared within a data set, or on items."""
    return isinstance(data, Experiment) and is_within(data)


def _has_runs(data: Data) -> bool:
    """Return whether there is more than one number to a score on a data set."""
    several = isinstance(data, Experiment) and (data.is_interval or data.n_folds * data.n_runs > 1)
    return several and _has_datasets(data)


COMPARISON, RUNS, CONVERGENCE = "Comparison", "Runs", "Convergence"
PROBABILITIES = "Probabilities"
PLAN, REPORT = "Plan", "Report"
PAGES = (
    Page(COMPARISON, CDDiagramBuilder, _has_datasets, "compare"),
    Page(COMPARISON, WithinBuilder, _has_rows, "compare"),
    Page(PROBABILITIES, class_for("compare_bayesian"), _has_datasets, "bayesian"),
    Page(RUNS, FuzzyPValueBuilder, _has_runs, "stochastic"),
    Page(CONVERGENCE, PageTrendBuilder, lambda it: isinstance(it, Histories), "convergence"),
    Page(PLAN, PlanBuilder, lambda it: isinstance(it, Experiment)),
    Page(REPORT, ReportBuilder),
)


class Tabs:
    """The data, and one builder after the other, each made when its tab is first opened.

    The report has the selection and the options of the comparison, if that was opened, and the
    options of other analyses that were changed on theirs.

    Parameters
    ----------
    data : Element
        What stands in the first tab.
    loading : callable
        Returns the code that reads the experiment, bound to a name.
    name : callable
        Returns what the data are called, if the experiment itself does not know.
    """

    def __init__(
        self, data: Element, loading: Callable[[str], str], name: Callable[[], str]
    ) -> None:
        self._data, self._loading, self._name = data, loading, name
        # the title of the report that the data have, and the one that it was given last
        self._title: str | None = None
        self._given: str | None = None
        self._data_now: Data | None = None
        self._shown: dict[str, tuple[Builder, Data]] = {}  # by title, with what it shows
        self._boxes = {page.title: Box() for page in PAGES}
        self._advice = Html()  # above the comparison
        self._there: tuple[Page, ...] = ()
        self._carried: dict[str, Any] = {}  # options of other tabs that the report has
        # told of the title and the builder of a tab that was opened for the first time
        self.on_made: Callable[[str, Builder], None] = lambda _title, _builder: None
        self.on_turned: Callable[[], None] = lambda: None  # told that another tab is shown
        self.element = TabsElement([data], act=lambda _: self._turn(), titles=("Data",))

    def offer(self, data: Data | None) -> None:
        """Show the tabs that suit the data; without any, only that of the data."""
        self._data_now = data
        there = () if data is None else tuple(page for page in PAGES if page.suits(data))
        if there != self._there:
            self._there = there
            self.element.index = 0
            self.element.children = (self._data, *(self._boxes[page.title] for page in there))
            self.element.titles = ("Data", *(page.title for page in there))
        self._turn()

    def _turn(self) -> None:
        self._open()
        self.on_turned()

    def select(self, title: str) -> None:
        """Go to a tab."""
        titles = ["Data", *(page.title for page in self._there)]
        if title in titles:
            self.element.index = titles.index(title)
            self._turn()

    @property
    def shown(self) -> str:
        """The title of the tab that is selected."""
        return self.element.titles[self.element.index]

    def builder(self, title: str) -> Builder | None:
        """Return the builder of a tab, if it was opened."""
        return self._shown[title][0] if title in self._shown else None

    def _open(self) -> None:
        """Make or renew the builder of the tab that is selected."""
        place, now = self.element.index, self._data_now
        if not place or now is None or place > len(self._there):
            return
        page = self._there[place - 1]
        data, loading = now, self._loading
        if page.title == REPORT and isinstance(now, Experiment):
            data, loading = self._compared(now)
        known = self._shown.get(page.title)
        if known is not None and not _takes(known, page.kind, data):
            known[0].close()
            known = None
        builder = _made(page.kind, data) if known is None else known[0]
        builder._model.loaded_by = loading  # noqa: SLF001 - of this package
        if known is not None and known[1] is not data:
            builder.data = data
        if page.title == REPORT:
            self._follow(builder, data)
        if known is None:
            above = (self._advice,) if page.title == COMPARISON else ()
            self._boxes[page.title].children = (*above, builder._live.open().root)  # noqa: SLF001
        self._shown[page.title] = builder, data
        if page.title == REPORT:
            self._given = self._title
        is_new = known is None or known[1] is not data
        if known is None:
            self.on_made(page.title, builder)
        if page.title == COMPARISON and is_new and isinstance(now, Experiment):
            self._advice.value = _first_words(now) if page.kind is CDDiagramBuilder else ""

    def _compared(self, experiment: Experiment) -> tuple[Experiment, Callable[[str], str]]:
        """Return the part of the data that is compared, and the code that makes it."""
        compared = self.builder(COMPARISON)
        if compared is None or compared.experiment is not experiment:
            return experiment, self._loading
        chosen = {
            axis: (getattr(compared, axis), getattr(experiment, axis))
            for axis in ("algorithms", "datasets")
        }

        def loading(target: str) -> str:
            selected = _code.selection(target, chosen, target=target)
            return "\n".join(filter(None, [self._loading(target), selected]))

        return compared.selection, loading

    def _of_report(self, data: Data) -> dict[str, Any]:
        """Return what a report takes from the other tabs, as far as that has changed."""
        changes: dict[str, Any] = {}
        for page in self._there:
            if page.argument:
                options = self._options_of(page, data)
                if (options or None) != (self._carried.get(page.argument) or None):
                    self._carried[page.argument] = changes[page.argument] = options
        name = self._name()
        title = f"Comparison of algorithms on {name}" if name else None
        if title != self._title:
            self._title = changes["title"] = title
        return changes

    def _options_of(self, page: Page, data: Data) -> dict[str, Any] | None:
        """Return the options of a tab for the data of a report.

        None of an analysis beside the comparison, unless the user has changed them.
        """
        builder, is_asked = self.builder(page.title), page.argument == "compare"
        if not isinstance(builder, AnalysisBuilder) or builder.data is not self._data_now:
            return {} if is_asked else None
        options, needed = builder.options, BY_FUNCTION[builder.function].needs
        # the comparison may leave out the control of another analysis
        if options.get("control") in {*builder.algorithms} - {*data.algorithms}:
            del options["control"]
        is_asked |= {*needed} <= {*options} and not options.keys().isdisjoint(builder.settings)
        return options if is_asked else None

    def _follow(self, report: Builder, data: Data) -> None:
        """Change a report as other tabs have, but for a title that the user has given it."""
        for name, value in self._of_report(data).items():
            if name != "title" or report.title in (None, self._given):
                setattr(report, name, value)

    def close(self) -> None:
        """Close the builders."""
        for builder, _ in self._shown.values():
            builder.close()


def _takes(known: tuple[Builder, Data], kind: type[Builder], data: Data) -> bool:
    """Return whether a builder can go on with these data."""
    builder, before = known
    if kind is ReportBuilder and Histories in (type(before), type(data)):
        return data is before  # a report takes other scores alone
    return isinstance(builder, kind)


def _made(kind: type[Builder], data: Data) -> Builder:
    """Return the builder of a page."""
    if kind is ReportBuilder and isinstance(data, Histories):
        return ReportBuilder(histories=data)
    return kind(data)


def _first_words(experiment: Experiment) -> str:
    """Return what is recommended for these data, in a sentence."""
    try:
        told = recommend(experiment).sentences
    except (ValueError, TypeError) as error:  # of data that are not compared by ranks
        told = (str(error),)
    return f'<div class="nbcompare-recommended">{_html.paragraphs([" ".join(told)])}</div>'
