"""What a person does comes from several threads of a kernel, and is handled in one."""

import asyncio
import contextlib
import datetime
import importlib.metadata
import json
import threading
import time

import numpy as np
import pytest
from jupyter_client.manager import start_new_kernel

import nbcompare as nbc
from nbcompare.widgets import CDDiagramBuilder, FuzzyPValueBuilder, ReportBuilder, _kernel_thread
from nbcompare.widgets._controls import Choice, Procedures
from nbcompare.widgets._settings import SettingError

MAKE = """\
import threading, time
import nbcompare as nbc
from IPython.display import display
builder = nbc.CDDiagramBuilder(nbc.datasets.load("demsar2006"), pairs="ranks", adjust="holm")
threads = []
builder.observe(lambda _: threads.append(threading.current_thread()))
display(builder)
controls = builder._live.screen.controls
"""
COMMS = """\
import json
print(json.dumps({name: [control.widget.model_id, control._words]
    for name, control in controls.items() if hasattr(control, "_words")}))"""
TOLD = """\
print(json.dumps([
    builder.control, builder.adjust,
    {thread is threading.main_thread() for thread in threads} == {True}]))"""


def choice(widget, word):
    """The message of a page about a list."""
    place = widget.options.index(word)
    return {
        "content": {"data": {"method": "update", "state": {"index": place}}},
        "buffers": [],
    }


def test_messages_from_another_thread_are_handled_here_in_their_order(
    demsar, in_loop, drawn, until
):
    async def session():
        builder = CDDiagramBuilder(demsar, pairs="ranks", adjust="holm")
        screen = builder._live.open()
        seen = []
        builder.observe(lambda change: seen.append((change.name, threading.get_ident())))
        widget = {name: screen.controls[name].widget for name in ("control", "adjust", "alpha")}
        control = choice(widget["control"], "C4.5")
        adjust = choice(widget["adjust"], "Finner")
        alpha = {"content": {"data": {"method": "update", "state": {"value": 0.2}}}, "buffers": []}

        def page():
            widget["control"].comm.handle_msg(control)
            widget["adjust"].comm.handle_msg(adjust)
            widget["alpha"].comm.handle_msg(alpha)

        await asyncio.to_thread(page)
        await until(lambda: len(seen) >= 3)
        await drawn(builder)
        here = threading.get_ident()
        assert seen[:3] == [("control", here), ("adjust", here), ("alpha", here)]
        assert (builder.control, builder.adjust, builder.alpha) == ("C4.5", "finner", 0.2)
        assert "C4.5" in screen.sentences.value

    in_loop(session)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [CDDiagramBuilder, FuzzyPValueBuilder])
def test_choices_that_waited_are_read_in_the_lists_in_which_they_were_made(kind, in_loop, drawn):
    """As when the kernel was busy with another cell meanwhile."""
    data = nbc.datasets.load("stochastic_regression")
    random = np.random.default_rng(1)

    async def session():
        builder, other = kind(data), kind(data)
        usual = builder._model.choices.state()
        screen = builder._live.open()
        lists = [
            (name, control.widget)
            for name, control in screen.controls.items()
            if type(control) in (Choice, Procedures)
        ]
        assert len(lists) > 5
        for _ in range(60):
            drawing = random.permutation(len(lists))[:4]
            waiting = [(*lists[at], int(random.integers(99))) for at in drawing]
            with other.hold():
                for name, value in usual.items():
                    if name in kind._order:
                        setattr(other, name, value)
                        setattr(builder, name, value)
            messages, chosen = [], []
            for name, widget, number in waiting:
                place = number % len(widget.options)
                word = screen.controls[name]._words[place]
                chosen.append((name, word))
                messages.append((widget.comm, choice(widget, widget.options[place])))
            for comm, message in messages:
                comm.handle_msg(message)
            for name, word in chosen:
                with contextlib.suppress(SettingError):  # not with what was chosen before
                    setattr(other, name, word)
            assert builder._model.choices.arguments() == other._model.choices.arguments(), chosen
            await asyncio.sleep(0)
            builder._live.redraw.drop()
            screen.refresh()

    in_loop(session)


def test_every_widget_of_a_report_builder_is_at_home(demsar, in_loop, until):
    async def session():
        builder = ReportBuilder(demsar)
        screen = builder._live.open()
        threads = []
        builder.observe(lambda _: threads.append(threading.get_ident()), "sections")
        click = {"content": {"data": {"method": "custom", "content": {"event": "click"}}}}
        click["buffers"] = []
        before = builder.sections
        await asyncio.to_thread(screen.controls["sections"].down.comm.handle_msg, click)
        await until(lambda: threads)
        assert builder.sections == (before[1], before[0], *before[2:])
        assert threads == [threading.get_ident()]

    in_loop(session)


def test_a_button_does_not_overtake_the_choice_made_before_it(demsar, in_loop, until, monkeypatch):
    """The choice comes by a second thread, the button by the first and sooner.

    On a busy machine the choice comes later than choices wait for one another.
    """
    monkeypatch.setattr(_kernel_thread, "_BEFORE_A_CLICK", 1.0)

    def sent(message, second):
        date = datetime.datetime(2026, 1, 1, 12, 0, second, tzinfo=datetime.UTC)
        return {**message, "header": {"date": date}, "buffers": []}

    async def session():
        builder = ReportBuilder(demsar)
        sections = builder._live.open().controls["sections"]
        before = builder.sections
        click = {"content": {"data": {"method": "custom", "content": {"event": "click"}}}}
        place = {"content": {"data": {"method": "update", "state": {"index": 0}}}}
        third = {"content": {"data": {"method": "update", "state": {"index": 2}}}}
        await asyncio.to_thread(sections.widget.comm.handle_msg, sent(place, 0))
        await asyncio.sleep(0.1)
        sections.out.comm.handle_msg(sent(click, 2))
        await asyncio.sleep(3 * _kernel_thread._OVERTAKING)
        await asyncio.to_thread(sections.widget.comm.handle_msg, sent(third, 1))
        await until(lambda: builder.sections != before)
        assert builder.sections == (*before[:2], *before[3:])

    in_loop(session)


@pytest.fixture
def kernel():
    manager, client = start_new_kernel()
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def run(client, code):
    """What a cell prints."""
    printed = []

    def hear(message):
        if message["msg_type"] == "stream":
            printed.append(message["content"]["text"])

    reply = client.execute_interactive(code, output_hook=hear, timeout=60)
    assert reply["content"]["status"] == "ok", reply["content"]
    return "".join(printed)


@pytest.mark.slow
@pytest.mark.skipif(
    int(importlib.metadata.version("ipykernel").split(".")[0]) < 7,
    reason="kernels before ipykernel 7 have one thread",
)
@pytest.mark.parametrize("rounds", [1, pytest.param(6, marks=pytest.mark.weekly)])
def test_a_second_thread_of_the_kernel_loses_nothing(kernel, rounds):
    run(kernel, MAKE)
    comms = json.loads(run(kernel, COMMS))
    request = kernel.session.msg("create_subshell_request", {})
    kernel.control_channel.send(request)
    subshell = kernel.control_channel.get_msg(timeout=60)["content"]["subshell_id"]

    def choose(name, word):
        comm, words = comms[name]
        data = {"method": "update", "state": {"index": words.index(word)}, "buffer_paths": []}
        message = kernel.session.msg("comm_msg", {"comm_id": comm, "data": data})
        message["header"]["subshell_id"] = subshell
        kernel.shell_channel.send(message)

    def expect(*wanted):
        """Between cells the kernel takes what has come; on a slow machine that is late."""
        deadline = time.monotonic() + 20
        while (told := json.loads(run(kernel, TOLD)))[:2] != list(wanted):
            assert time.monotonic() < deadline, f"{told[:2]} instead of {wanted}"
        assert told[2], "not in the first thread"

    for adjust in ("finner", "hochberg", "li", "holm", "hommel") * rounds:
        choose("control", None)
        choose("adjust", "bonferroni")
        expect(None, "bonferroni")
        # what a cell sends has the next answer of that control handled by the first thread
        run(kernel, "time.sleep(0.1); controls['control'].widget.send_state()")
        choose("control", "C4.5")
        choose("adjust", adjust)
        expect("C4.5", adjust)
