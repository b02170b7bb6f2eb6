"""A builder is one widget: what its page is told, what a page may say, and in which order."""

import asyncio
import contextlib
import json
import threading

import numpy as np
import pytest
from ipywidgets.widgets.widget import _instances as alive

import nbcompare as nbc
from nbcompare.widgets import CDDiagramBuilder, FuzzyPValueBuilder, PlanBuilder, ReportBuilder
from nbcompare.widgets._controls import Choice
from nbcompare.widgets._elements import Box, Button, Disclosure, Field, Html, Tabs
from nbcompare.widgets._settings import SettingError
from nbcompare.widgets._surface import Inbox, Surface


def plain(value):
    """A value as it comes out of JSON."""
    return json.loads(json.dumps(value))


class Page:
    """What a page knows: the state that it began with, and the patches since."""

    def __init__(self, surface, monkeypatch):
        self.surface, self.sent, self._number = surface, [], 0
        monkeypatch.setattr(surface, "send", lambda content, *_: self.hear(plain(content)))
        state = plain(surface.get_state())
        self.elements, self.first = state["elements"], state["first"]

    def hear(self, content):
        self.sent.append(content)
        for name, changes in content.get("patch", {}).items():
            self.elements.setdefault(name, {}).update(changes)
        for name in content.get("gone", ()):
            del self.elements[name]

    def say(self, element, **content):
        """Say something about an element, as the script does."""
        self._number += 1
        content |= {"from": element.id, "page": "p", "number": self._number}
        self.surface._hear(None, content, [])

    def patches(self):
        return [content["patch"] for content in self.sent if "patch" in content]

    def stands(self):
        """What it shows: all that can be reached from the root."""
        found, waiting = {}, [self.first]
        while waiting:
            found[name] = self.elements[name := waiting.pop()]
            waiting += found[name].get("children", ())
        return found


@pytest.fixture
def shown(monkeypatch):
    """Put something on a page."""

    def shown(what):
        if not isinstance(what, Surface):
            surface = Surface()
            surface.root = what
        else:
            surface = what
            surface.open()
        return Page(surface, monkeypatch)

    return shown


# -------------------------------------------------------------------------------- a builder


@pytest.mark.slow
@pytest.mark.parametrize(
    "make",
    [
        lambda data: CDDiagramBuilder(data),
        lambda data: PlanBuilder(data, control="C4.5", largest=12),
        lambda data: ReportBuilder(data),
        lambda data: nbc.DataBuilder(example="demsar2006"),
    ],
)
def test_a_builder_is_one_widget_of_json(demsar, make):
    before = set(alive)
    builder = make(demsar)
    assert set(alive) == before  # nothing is made until it is shown
    builder.open()
    assert len(set(alive) - before) == 2  # itself, and the layout that every widget has
    state = builder.get_state()
    assert plain(state["elements"]) == plain(builder.states())
    assert len(json.dumps({**state, "layout": ""})) < 300_000
    builder.close()
    assert set(alive) == before


@pytest.mark.slow
def test_the_page_gets_little_and_in_changes_only_what_is_other(demsar, shown):
    builder = CDDiagramBuilder(demsar)
    page = shown(builder)
    assert len(json.dumps({**builder.get_state(), "layout": ""})) < 250_000
    screen = builder._live.screen
    figures = {element.id for element in screen.root.elements() if element.kind == "figure"}
    for name, value in (("alpha", 0.1), ("control", "C4.5"), ("view", "bars"), ("pair", None)):
        page.sent.clear()
        setattr(builder, name, value)
        builder._live.open()
        told = [{k: v for k, v in patch.items() if k not in figures} for patch in page.patches()]
        assert len(json.dumps(told)) < 20_000, name
        assert page.stands() == plain(builder.states())
    builder.close()


def test_what_is_the_same_is_not_told_again(demsar, shown):
    builder = CDDiagramBuilder(demsar)
    page = shown(builder)
    alpha = builder._live.screen.controls["alpha"]
    page.say(alpha, set={"value": 0.1})
    assert builder.alpha == 0.1
    assert not [patch for patch in page.patches() if "value" in patch.get(alpha.id, {})]
    page.sent.clear()
    builder._live.screen.refresh()
    assert page.sent == []
    builder.close()


def test_a_refused_value_is_put_back(demsar, shown):
    builder = CDDiagramBuilder(demsar)
    page, screen = shown(builder), builder._live.screen
    alpha, control = screen.controls["alpha"], screen.controls["control"]
    page.say(alpha, set={"value": 7})  # the setting says no
    page.say(control, set={"index": "first"})  # and here already the element
    assert [patch[alpha.id] for patch in page.patches() if "value" in patch.get(alpha.id, {})] == [
        {"value": 0.05}
    ]
    assert page.patches()[-1] == {control.id: {"index": 0}}
    assert "“Alpha” must be a number between 0 and 1" in screen.message.value
    assert (builder.alpha, builder.control) == (0.05, None)
    builder.close()


@pytest.mark.slow
def test_a_page_that_comes_later_has_the_present_state(demsar, shown):
    builder = CDDiagramBuilder(demsar)
    page = shown(builder)
    builder.alpha = 0.123
    builder._live.open()
    later = plain(builder.get_state("elements")["elements"])
    assert later == plain(builder.states())
    alpha = builder._live.screen.controls["alpha"]
    assert later[alpha.id]["value"] == 0.123
    # one whose state is of a moment before asks for all of it
    number = [content["number"] for content in page.sent if "patch" in content][-1]
    for known, answers in ((number, 0), (number - 1, 1)):
        page.sent.clear()
        builder._hear(None, {"patched": known, "page": "q", "number": 1}, [])
        whole = [patch for patch in page.patches() if patch == later]
        assert len(whole) == len(page.patches()) == answers
    builder.close()


def test_a_page_forgets_what_has_left_it_but_not_what_has_moved(shown):
    going, moving, left, right = Html("going"), Html("moving"), Box(), Box()
    left.children = (going, moving)
    page = shown(Box([left, right]))
    left.children = ()
    right.children = (moving,)
    page.surface.tell()
    assert going.id not in page.elements
    assert page.elements == page.stands()
    assert page.elements[moving.id]["value"] == "moving"
    left.children = (going,)
    page.surface.tell()
    assert page.elements == page.stands() == plain(page.surface.states())


JUNK = (None, "x", -1, 0.5, 10**9, [], [None], [-1, 10**9], {}, {"a": []}, "\u202e" * 9)


@pytest.mark.slow
@pytest.mark.parametrize("make", [CDDiagramBuilder, ReportBuilder])
async def test_whatever_a_page_says_settings_stay_good(demsar, make):
    """It says odd things of every element, and of some that there are not."""
    errors = []
    asyncio.get_running_loop().set_exception_handler(lambda _, it: errors.append(it))
    builder = make(demsar)
    builder.open()
    for content in (None, "text", 3, {}, {"from": None}, {"from": ["e1"]}, {"from": "e0"}):
        builder._hear(None, content, None)
    names = ("kind", "label", "id", "surface")
    elements = list(builder._live.screen.root.elements())
    fixed = [[getattr(element, name, None) for name in names] for element in elements]
    for element in elements:
        if isinstance(element, Button):
            continue
        for junk in JUNK:
            for name in element.heard:
                builder._hear(None, {"from": element.id, "set": {name: junk}}, [])
            others = dict.fromkeys((*names, "children", "classes", "nobody"), junk)
            builder._hear(None, {"from": element.id, "set": others}, [])
            for message in (junk, {"pick": junk, "place": junk, "step": junk}):
                builder._hear(None, {"from": element.id, "message": message}, [])
    assert fixed == [[getattr(element, name, None) for name in names] for element in elements]
    assert make(demsar, **builder.settings).settings == builder.settings
    builder.settings = {}
    builder._live.open()
    assert builder.result is not None
    builder.close()


# ------------------------------------------------------------------------------- elements


def test_a_page_changes_only_what_people_can_change(shown):
    tabs = Tabs([Html("one"), Html("two")], titles=("One", "Two"))
    more = Disclosure([Html("rest")], label="More")
    page = shown(Box([tabs, more]))
    page.say(tabs, set={"index": 1, "titles": ["x"], "children": []})
    page.say(more, set={"is_open": True, "label": "x", "is_shown": False})
    assert (tabs.index, tabs.titles, len(tabs.children)) == (1, ("One", "Two"), 2)
    assert (more.is_open, more.label, more.is_shown) == (True, "More", True)
    page.say(tabs, set={"index": None})
    assert page.patches() == [{tabs.id: {"index": 1}}]
    assert [content["heard"] for content in page.sent if "heard" in content] == [1, 2, 3]


def test_children_are_known_before_their_box_has_them(shown):
    tabs = Tabs([Html("one")], titles=("One",))
    page = shown(Box([tabs]))
    new = Box([Html("two")])
    tabs.children = (*tabs.children, new)
    tabs.titles = ("One", "Two")
    tabs.children[1].children[0].value = "three"
    page.surface.tell()
    (patch,) = page.patches()
    assert set(patch) == {tabs.id, new.id, new.children[0].id}
    assert page.stands()[new.children[0].id]["value"] == "three"


def test_a_button_acts_unless_it_is_disabled(shown):
    clicks = []
    button = Button("Go", lambda: clicks.append(1), tooltip="Goes")
    page = shown(Box([button]))
    page.say(button, message={})
    button.is_disabled = True
    page.say(button, message={})
    button.click()
    assert clicks == [1]


def test_an_error_of_an_answer_leaves_the_rest_told(shown):
    other = Html()

    def fail(_):
        other.value = "told"
        raise ZeroDivisionError

    field = Field(form="text", act=fail)
    page = shown(Box([field, other]))
    with pytest.raises(ZeroDivisionError):
        page.say(field, set={"value": "x"})
    assert page.patches() == [{other.id: {"value": "told"}}]
    assert page.sent[-1] == {"heard": 1, "page": "p"}


# ------------------------------------------------------------------------------ the order


async def test_messages_are_handled_here_in_the_order_of_their_numbers(until):
    inbox, done = Inbox(asyncio.get_running_loop()), []

    def handle(content, _):
        done.append((content, threading.get_ident()))

    def take(page, number):
        inbox.take(page, number, handle, (page, number), ())

    await asyncio.to_thread(take, "p", 2)
    take("p", 3)
    take("q", 1)  # of another page, which waits for nobody
    take(None, None)  # without a number
    assert [content for content, _ in done] == [("q", 1), (None, None)]
    await asyncio.to_thread(take, "p", 1)
    await until(lambda: len(done) == 5)
    assert [content for content, _ in done[2:]] == [("p", 1), ("p", 2), ("p", 3)]
    assert {thread for _, thread in done} == {threading.get_ident()}


async def test_a_lost_message_is_waited_for_only_so_long(until, monkeypatch):
    monkeypatch.setattr(Inbox, "_PATIENCE", 0.05)
    inbox, done = Inbox(asyncio.get_running_loop()), []
    for number in (1, 3, 4, 6):  # 2 and 5 are lost
        inbox.take("p", number, lambda number, _: done.append(number), number, ())
    assert done == [1]
    await until(lambda: len(done) == 4)
    assert done == [1, 3, 4, 6]
    inbox.take("p", 7, lambda number, _: done.append(number), 7, ())
    assert done[-1] == 7


async def test_an_error_ends_only_its_message():
    errors, done = [], []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: errors.append(context["exception"]))
    inbox = Inbox(loop)
    for number in (2, 3, 1):
        inbox.take("p", number, lambda number, _: done.append(6 // (number - 2)), number, ())
    assert done == [-6, 6]
    assert [type(error) for error in errors] == [ZeroDivisionError]


def message_of(element, number, **content):
    """A message of a page as a kernel takes it."""
    content |= {"from": element.id, "page": "p", "number": number}
    return {"content": {"data": {"method": "custom", "content": content}}, "buffers": []}


@pytest.mark.slow
async def test_a_button_does_not_overtake_the_choice_made_before_it(demsar, until):
    """The choices come by a second thread and late, the button by the first and sooner."""
    builder = CDDiagramBuilder(demsar)
    builder.open()
    screen, take = builder._live.screen, builder.comm.handle_msg
    alpha, heard = screen.controls["alpha"], []
    builder.observe(lambda change: heard.append((change.new, threading.get_ident())), "alpha")
    await asyncio.to_thread(take, message_of(alpha, 1, set={"value": 0.1}))
    take(message_of(screen.root, 3, message={"step": "undo"}))
    await asyncio.to_thread(take, message_of(alpha, 2, set={"value": 0.2}))
    await until(lambda: len(heard) == 3)
    assert heard == [(level, threading.get_ident()) for level in (0.1, 0.2, 0.1)]
    builder.close()


@pytest.mark.slow
@pytest.mark.parametrize("kind", [CDDiagramBuilder, FuzzyPValueBuilder])
async def test_choices_that_waited_are_read_in_the_lists_in_which_they_were_made(kind):
    """As when the kernel was busy with another cell meanwhile."""
    data = nbc.datasets.load("stochastic_regression")
    random = np.random.default_rng(1)
    builder, other = kind(data), kind(data)
    usual = builder._model.choices.state()
    builder.open()
    screen = builder._live.screen
    lists = [
        (name, control) for name, control in screen.controls.items() if type(control) is Choice
    ]
    assert len(lists) > 5
    number = 0
    for _ in range(60):
        drawing = [lists[at] for at in random.permutation(len(lists))[:4]]
        with other.hold():
            for name, value in usual.items():
                if name in kind._order:
                    setattr(other, name, value)
                    setattr(builder, name, value)
        messages, chosen = [], []
        for name, control in drawing:
            number += 1
            place = int(random.integers(99)) % len(control.options)
            chosen.append((name, control.words[place]))
            messages.append(message_of(control, number, set={"index": place}))
        for message in messages:
            builder.comm.handle_msg(message)
        for name, word in chosen:
            with contextlib.suppress(SettingError):  # not with what was chosen before
                setattr(other, name, word)
        assert builder._model.choices.arguments() == other._model.choices.arguments(), chosen
        await asyncio.sleep(0)
        builder._live.redraw.drop()
        screen.refresh()
    builder.close()
