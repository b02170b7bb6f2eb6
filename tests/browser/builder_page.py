"""A builder in a page of Jupyter: what a person does with it, and what it must come to show.

A module of its own and no conftest: it is imported by path, as its neighbour `jupyter` is.
"""

import html
import json
import re

from nbconvert import HTMLExporter
from playwright.sync_api import TimeoutError
from playwright.sync_api import expect as eventually

from nbcompare.report.exporters import ReportHTMLExporter

eventually.set_options(timeout=240_000)  # milliseconds, of a busy machine
BUILDER = ".nbcompare-builder"
SNAPSHOT = ".nbcompare-snapshot"
SAME = "result.to_json() == builder.result.to_json()"
# Figures of a builder: drawings whose text is text, or pictures
FIGURE = "figure :is(svg, img)"
_ALT = "figure => figure.getAttribute('aria-label') ?? figure.alt"
_SHOWN = f"""([builder, sentences, tabled, alt]) => {{
    const root = document.querySelector(builder);
    const picture = root && root.querySelector({FIGURE!r});
    if (!picture) {{ return false; }}
    const shown = root.textContent.replaceAll(/\\s+/g, ' ');
    const tables = root.querySelector('.nbcompare-tables')?.textContent || '';
    return shown.includes(sentences)
        && tabled.every(text => tables.includes(text))
        && (alt === null || ({_ALT})(picture) === alt);
}}"""
_SEEN = f"""(builder) => {{
    const root = document.querySelector(builder);
    if (!root) {{ return 'no builder'; }}
    const chosen = field => field.selectedOptions
        ? [...field.selectedOptions].map(option => option.textContent).join(' | ')
        : field.value;
    const fields = [...root.querySelectorAll('select, input, textarea')];
    const labelled = field => field.labels && field.labels[0] ? field.labels[0].textContent : '';
    return {{
        fields: fields.map(field => labelled(field) + ': ' + chosen(field)),
        figures: [...root.querySelectorAll({FIGURE!r})].map({_ALT}),
        text: root.innerText,
    }};
}}"""


# What a button says after a click is gone after a moment, so that it is noted
_HEAR = """(root) => {
    window.said = [];
    new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach(
        (node) => window.said.push(node.textContent)
    ))).observe(root, { childList: true, subtree: true });
}"""


def seen(page):
    """What the controls of a builder have and the builder says, to tell what went wrong."""
    return json.dumps(page.evaluate(_SEEN, BUILDER), ensure_ascii=False, indent=1)


class BuilderPage:
    """The builder that the first cell of a notebook makes."""

    def __init__(self, notebook):
        self.notebook, self.page = notebook, notebook.page
        self.on = self.page.locator(BUILDER)
        self.snapshot = self.page.locator(SNAPSHOT)
        notebook.run(0)

    @property
    def problems(self):
        return self.notebook.problems

    # what a person does

    def field(self, label):
        return self.on.get_by_label(label, exact=True)

    def button(self, name):
        return self.on.get_by_role("button", name=name, exact=True)

    def reveal(self, label):
        """Open what a control stands behind."""
        if not self.field(label).first.is_visible():
            self.open_rest()

    def open_rest(self):
        """Open what the first row has no room for."""
        button = self.on.get_by_role("button", name=re.compile("^(More options|Options of the)"))
        if button.get_attribute("aria-expanded") == "false":
            button.click()

    def fill(self, label, text, *, end="Enter"):
        self.reveal(label)
        self.field(label).fill(text)
        self.field(label).press(end)

    def choose(self, label, words):
        """Choose in a list; nothing is waited for."""
        self.reveal(label)
        self.notebook.choose(self.on, label, words)

    def checks(self, label, *, shown=""):
        """Open the names behind a button that says how many are ticked; their box."""
        button = self.on.get_by_role(
            "button", name=re.compile(rf"^{re.escape(f'{label} {shown}')}")
        )
        if not button.is_visible():
            self.open_rest()
        button.click()
        return self.on.get_by_role("group", name=label, exact=True).first

    def narrow(self, label, names, *, shown=""):
        """Tick these names, and no others."""
        box = self.checks(label, shown=shown)
        box.get_by_role("button", name="None").click()
        for name in names:
            box.get_by_role("checkbox", name=name, exact=True).check()
        self.page.keyboard.press("Escape")

    # what it must show

    def expect(self, result, alt=None, *, tabled=()):
        """Wait for the result's sentences, for words in its tables, and for the figure."""
        sentences = " ".join(result.sentences)
        try:
            self.page.wait_for_function(_SHOWN, arg=[BUILDER, sentences, list(tabled), alt])
        except TimeoutError as error:
            wanted = f"{sentences!r}, {list(tabled)} in tables, and the figure {alt!r}"
            raise AssertionError(f"Wanted: {wanted}.") from error

    def expect_details(self, *alts):
        """Wait for just these figures behind the first one."""
        self.page.wait_for_function(
            f"""([figures, alts]) => {{
                const shown = [...document.querySelectorAll(figures)]
                    .filter(figure => figure.checkVisibility());
                return JSON.stringify(shown.slice(1).map({_ALT})) === JSON.stringify(alts);
            }}""",
            arg=[f"{BUILDER} {FIGURE}", list(alts)],
        )

    def expect_refusal(self, label, text, *, says, keeps, end="Enter"):
        """A mistake is a sentence, and the old value stays."""
        self.fill(label, text, end=end)
        self.on.get_by_text(says).wait_for()
        self.expect_value(label, keeps)

    def expect_value(self, label, value):
        """The control comes to show this, perhaps after the figure."""
        eventually(self.field(label)).to_have_value(value)

    def expect_free_kernel(self):
        """Another cell is run to its end."""
        answer = self.notebook.text_of(self.notebook.add_and_run("print(6 * 7)"))
        assert answer == "42\n", answer

    def run_copied(self, same=SAME, *, by_key=False):
        """Copy the code, run it in a cell of its own, and compare; the code."""
        self.on.first.evaluate(_HEAR)
        button = self.button("Copy code")
        button.press("Enter") if by_key else button.click()
        self.page.wait_for_function("() => window.said.includes('Copied')")
        code = self.page.evaluate("() => navigator.clipboard.readText()")
        answer = self.notebook.text_of(self.notebook.add_and_run(f"{code}\nprint({same})"))
        # what took long has shown a bar before
        assert "True" in answer.splitlines(), answer
        return code

    def expect_snapshot(self, title):
        """Reloaded without its kernel, the snapshot stands in the place of the widget."""
        self.notebook.reload(kernel=False)
        self.snapshot.first.wait_for()
        eventually(self.on).to_have_count(0)
        self.page.get_by_text(f"This is the last state of {title}").wait_for()
        for broken in self.page.get_by_text("Error displaying widget").all():
            assert not broken.is_visible()

    def expect_to_stay(self, title, result, alt):
        """Saved, reloaded without its kernel, and exported: the last view is there."""
        last = " ".join(result.findings[:1])

        def saved(text):
            outputs = json.loads(text)["cells"][0]["outputs"]
            left = [output["data"]["text/plain"] for output in outputs]
            # a slow page may not have saved anything yet
            return len(left) > 2 and left[1] == alt and last in " ".join(left[2].split())

        notebook = self.notebook.saved_with(saved)
        marked = ["nbcompare-snapshot" in output.metadata for output in notebook.cells[0].outputs]
        assert marked == [False, True, True], marked
        self.expect_snapshot(title)
        eventually(self.snapshot).to_have_count(2)
        eventually(self.snapshot.last).to_contain_text(last, use_inner_text=True)
        drawing = self.snapshot.first.locator("svg.nbf")  # scripts ran
        eventually(drawing).to_have_attribute("aria-label", alt)
        for exporter in (HTMLExporter(), ReportHTMLExporter()):
            exported = " ".join(html.unescape(exporter.from_notebook_node(notebook)[0]).split())
            assert exported.count(last) == 1
            assert alt in exported
