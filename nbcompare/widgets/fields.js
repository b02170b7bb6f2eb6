// Elements of forms: lists, numbers, texts, names to tick, buttons, and what they stand in.

/** The line above a control: its label, and the button with its help if there is one. */
function headOf(model, label) {
  const button = made("button", { type: "button", className: "nbcompare-help", textContent: "?" });
  const panel = made("div", { className: "nbcompare-panel nbcompare-told", tabIndex: 0 });
  panel.setAttribute("role", "region");
  const within = made("div", { className: "nbcompare-head" }, label, button, panel);
  const ended = opening(button, panel, within);
  function fill() {
    const [first, ...words] = model.get("help");
    label.textContent = model.get("label");
    button.hidden = !first;
    button.setAttribute("aria-label", `Help: ${model.get("label")}`);
    panel.setAttribute("aria-label", `Help: ${model.get("label")}`);
    const list = made("dl");
    for (const [word, text] of words) {
      list.append(made("dt", { textContent: word }), made("dd", { textContent: text }));
    }
    panel.replaceChildren(made("p", { textContent: first ? first[1] : "" }));
    if (words.length) panel.append(list);
  }
  model.on("change:help change:label", fill);
  fill();
  return [within, ended];
}

/** Lines below a control. */
function notesOf(model) {
  const note = made("div", { className: "nbcompare-note", id: identity() });
  function fill() {
    note.replaceChildren(...model.get("note").map((text) => made("div", { textContent: text })));
    note.hidden = !model.get("note").length;
  }
  model.on("change:note", fill);
  fill();
  return note;
}

function listOf(model) {
  const list = made("select");
  function choose() {
    const place = model.get("index");
    list.selectedIndex = place === null ? -1 : place;
  }
  function fill() {
    const off = new Map(model.get("off"));
    list.replaceChildren(
      ...model.get("options").map((text, place) => made("option", {
        textContent: text,
        disabled: off.has(place),
        title: off.get(place) || "",
      })),
    );
    choose();
  }
  list.addEventListener("change", () => {
    model.set("index", list.selectedIndex);
    model.save_changes();
  });
  model.on("change:options change:off change:index", fill);
  fill();
  return list;
}

function entryOf(model) {
  const form = model.get("form");
  const entry = made(form === "area" ? "textarea" : "input");
  if (form === "area") entry.rows = 3;
  else entry.type = form === "number" ? "number" : "text";
  if (form === "number") entry.step = "any";
  const finished = () => entry.dispatchEvent(new Event("change", { bubbles: true }));
  function send() {
    const text = entry.value;
    model.set("value", form === "number" ? (text === "" ? null : entry.valueAsNumber) : text);
    model.save_changes();
  }
  // where another number than this one is near, the arrow keys go there
  function step(event) {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (form !== "number" || !by) return;
    event.preventDefault();
    const size = model.get("step");
    const next = Math.round(entry.valueAsNumber / size + by) * size;
    if (!Number.isFinite(next)) return;
    entry.value = Number(next.toPrecision(12));
    finished();
  }
  function fill() {
    const value = model.get("value");
    entry.value = value === null ? "" : value;
    entry.placeholder = model.get("placeholder");
  }
  entry.addEventListener("keydown", step);
  entry.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && form !== "area") finished();
  });
  entry.addEventListener("change", send);
  model.on("change:value change:placeholder", fill);
  fill();
  return entry;
}

/** A slider beside a number that is typed; the number counts, wherever the slider ends. */
function sliderOf(model, entry) {
  const slider = made("input", { type: "range" });
  slider.setAttribute("aria-label", `${model.get("label")}, slider`);
  function fill() {
    const [min, max] = model.get("ends");
    slider.hidden = max === undefined;
    if (slider.hidden) return;
    const step = min > 0 ? 0.01 : max / 50;
    Object.assign(slider, { min, max, step });
    const value = Number.parseFloat(model.get("value"));
    slider.value = Number.isFinite(value) ? value : min;
  }
  let waiting = 0;
  slider.addEventListener("input", () => {
    entry.value = Number(Number(slider.value).toPrecision(4));
    clearTimeout(waiting);
    waiting = setTimeout(() => entry.dispatchEvent(new Event("change", { bubbles: true })), 60);
  });
  model.on("change:value change:ends", fill);
  fill();
  return made("div", { className: "nbcompare-slider" }, slider, entry);
}

function sentenceOf(model) {
  const sentence = made("div", { className: "nbcompare-sentence" });
  const fill = () => { sentence.textContent = model.get("value"); };
  model.on("change:value", fill);
  fill();
  return sentence;
}

COMPONENTS.field = ({ model, el }) => {
  const form = model.get("form");
  const makers = { select: listOf, sentence: sentenceOf };
  const entry = (makers[form] || entryOf)(model);
  const note = notesOf(model);
  // a label by which a click goes to the field
  const has = form !== "sentence";
  const label = made(has ? "label" : "span", { className: "nbcompare-label", id: identity() });
  entry.id = identity();
  if (has) label.htmlFor = entry.id;
  if (form !== "sentence") entry.setAttribute("aria-describedby", note.id);
  const [head, ended] = headOf(model, label);
  el.classList.add("nbcompare-control");
  const isNumber = form === "number" || (form === "text" && model.get("ends").length > 0);
  el.append(head, isNumber ? sliderOf(model, entry) : entry, note);
  return ended;
};

// ------------------------------------------------------------------------ names to tick

const MOST_LISTED = 1000; // of the names that a search finds
const FEW = 8; // names that need no search
const LEAP = 10; // names by which Page Up and Page Down move

function checkListOf(model) {
  let names = [];
  let ticked = new Set();
  let found = []; // the places of names that are listed
  let boxes = [];
  let current = 0; // the box that Tab reaches
  let from = 0; // the other end of a range

  const action = (text) => made("button", { type: "button", textContent: text });
  const button = made("button", { type: "button", className: "nbcompare-opener" });
  const message = made("div", { className: "nbcompare-warning", role: "status" });
  const search = made("input", { type: "search", placeholder: "Search" });
  const [all, none, invert] = ["All", "None", "Invert"].map(action);
  const count = made("span", { className: "nbcompare-count" });
  const row = made("div", { className: "nbcompare-bar" }, all, none, invert, count);
  const groups = made("div", { className: "nbcompare-groups", role: "group" });
  const list = made("div", { className: "nbcompare-boxes", role: "group" });
  const panel = made("div", { className: "nbcompare-panel", role: "group" });
  panel.append(message, search, row, groups, list);
  const within = made("div", { className: "nbcompare-hanging" }, button, panel);
  const ended = opening(button, panel, within, () => (search.hidden ? boxes[0] : search)?.focus());

  /** Show what is ticked here, and tell the kernel of it if it is enough. */
  function changed() {
    const least = model.get("least");
    const few = ticked.size < least;
    const noun = model.get("noun");
    message.textContent = few ? `Choose at least ${least === 1 ? "one" : "two"} (${noun}).` : "";
    show();
    if (few) return;
    model.set("ticked", [...ticked].sort((a, b) => a - b));
    model.save_changes();
  }

  function show() {
    boxes.forEach((box, i) => { box.checked = ticked.has(found[i]); });
    count.textContent = `${ticked.size.toLocaleString("en")} of ${names.length.toLocaleString("en")}`;
    for (const line of groups.children) {
      const members = model.get("groups")[Number(line.dataset.place)][1];
      const has = members.filter((at) => ticked.has(at)).length;
      const box = line.querySelector("input");
      box.checked = has === members.length;
      box.indeterminate = has > 0 && has < members.length;
    }
  }

  function settle(wanted, on) {
    for (const at of wanted) {
      if (on) ticked.add(at);
      else ticked.delete(at);
    }
  }

  function listed() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (name) => words.every((word) => name.toLowerCase().includes(word));
    const fitting = names.map((_, at) => at).filter((at) => fits(names[at]));
    found = fitting.slice(0, MOST_LISTED);
    boxes = [];
    list.replaceChildren(
      ...found.map((at) => {
        const box = made("input", { type: "checkbox", tabIndex: -1 });
        boxes.push(box);
        return made("label", {}, box, made("span", { textContent: names[at] }));
      }),
    );
    if (fitting.length > found.length) {
      const hidden = `${found.length} of ${fitting.length} are listed; search for the others.`;
      list.append(made("div", { className: "nbcompare-note", textContent: hidden }));
    } else if (!fitting.length) {
      list.append(made("div", { className: "nbcompare-note", textContent: "No such name." }));
    }
    reach(0);
    show();
  }

  /** Make a box the one that Tab reaches. */
  function reach(to) {
    current = Math.max(0, Math.min(to, boxes.length - 1));
    boxes.forEach((box, i) => { box.tabIndex = i === current ? 0 : -1; });
  }

  const visible = () => new Set(search.value.trim() ? found : names.map((_, at) => at));

  function lineOf([label, members], at) {
    const box = made("input", { type: "checkbox" });
    box.addEventListener("change", () => {
      settle(members, box.checked);
      changed();
    });
    const text = made("span", { textContent: `${label} (${members.length})` });
    const only = action("only");
    only.setAttribute("aria-label", `Only ${label}`);
    only.addEventListener("click", () => {
      ticked = new Set(members);
      changed();
    });
    const line = made("div", {}, made("label", {}, box, text), only);
    line.dataset.place = at;
    return line;
  }

  function take() {
    const isOther = names.length !== model.get("names").length;
    names = model.get("names");
    ticked = new Set(model.get("ticked"));
    message.textContent = "";
    if (isOther) search.value = "";
    search.hidden = names.length <= FEW;
    search.setAttribute("aria-label", `Search ${model.get("noun")}`);
    panel.setAttribute("aria-label", model.get("label"));
    list.setAttribute("aria-label", model.get("label"));
    groups.setAttribute("aria-label", `Groups of ${model.get("noun")}`);
    groups.hidden = !model.get("groups").length;
    groups.replaceChildren(...model.get("groups").map(lineOf));
    listed();
  }

  function choose() {
    ticked = new Set(model.get("ticked"));
    message.textContent = "";
    show();
  }

  const name = () => { button.textContent = model.get("text"); };

  search.addEventListener("input", listed);
  all.addEventListener("click", () => {
    settle(visible(), true);
    changed();
  });
  none.addEventListener("click", () => {
    settle(visible(), false);
    changed();
  });
  invert.addEventListener("click", () => {
    for (const at of visible()) settle([at], !ticked.has(at));
    changed();
  });
  list.addEventListener("click", (event) => {
    const at = boxes.indexOf(event.target);
    if (at < 0) return;
    const [low, high] = event.shiftKey ? [Math.min(from, at), Math.max(from, at)] : [at, at];
    settle(found.slice(low, high + 1), event.target.checked);
    from = at;
    reach(at);
    changed();
  });
  list.addEventListener("keydown", (event) => {
    const to = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      PageDown: current + LEAP,
      PageUp: current - LEAP,
      Home: 0,
      End: boxes.length - 1,
    }[event.key];
    const every = event.key.toLowerCase() === "a" && (event.ctrlKey || event.metaKey);
    if (to === undefined && !every) return;
    event.preventDefault();
    event.stopPropagation();
    if (every) {
      settle(visible(), true);
      changed();
      return;
    }
    reach(to);
    boxes[current]?.focus();
    boxes[current]?.scrollIntoView({ block: "nearest" });
  });
  model.on("change:names change:groups", take);
  model.on("change:ticked", choose);
  model.on("change:text", name);
  take();
  name();
  return [within, button, ended];
}

COMPONENTS.checklist = ({ model, el }) => {
  const label = made("span", { className: "nbcompare-label", id: identity() });
  const [head, helpEnded] = headOf(model, label);
  const [within, button, ended] = checkListOf(model);
  button.id = identity();
  el.classList.add("nbcompare-control");
  button.setAttribute("aria-labelledby", `${label.id} ${button.id}`);
  el.append(head, within, notesOf(model));
  return () => {
    helpEnded();
    ended();
  };
};

// --------------------------------------------------------------------- boxes and buttons

COMPONENTS.box = (element) => mountChildren(element, element.el);

COMPONENTS.tabs = (element) => {
  const { model, el } = element;
  const bar = made("div", { className: "nbcompare-tablist", role: "tablist" });
  const pages = made("div");
  el.append(bar, pages);
  const end = mountChildren(element, pages);
  const go = (to) => {
    model.set("index", to);
    model.save_changes();
    bar.children[to]?.focus();
  };
  const show = () => {
    const index = model.get("index");
    [...bar.children].forEach((tab, at) => {
      tab.setAttribute("aria-selected", String(at === index));
      tab.tabIndex = at === index ? 0 : -1;
    });
    [...pages.children].forEach((page, at) => { page.hidden = at !== index; });
  };
  const fill = () => {
    bar.replaceChildren(...model.get("titles").map((title, at) => {
      const tab = made("button", { type: "button", role: "tab", id: identity() }, title);
      const page = pages.children[at];
      tab.addEventListener("click", () => go(at));
      if (page) {
        page.id ||= identity();
        page.setAttribute("role", "tabpanel");
        page.setAttribute("aria-labelledby", tab.id);
        tab.setAttribute("aria-controls", page.id);
      }
      return tab;
    }));
    show();
  };
  bar.addEventListener("keydown", ({ key }) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[key];
    const to = model.get("index") + by;
    if (by && to >= 0 && to < bar.children.length) go(to);
  });
  model.on("change:titles change:children", fill);
  model.on("change:index", show);
  fill();
  return end;
};

// The page remembers whether it was open, also for the builder of the next run.
COMPONENTS.disclosure = (element) => {
  const { model, el } = element;
  const mark = made("span", { className: "nbcompare-mark", "aria-hidden": "true" });
  const text = made("span");
  const button = made("button", { type: "button", className: "nbcompare-opener" }, mark, text);
  const rest = made("div", { className: "nbcompare-rest", id: identity() });
  button.setAttribute("aria-controls", rest.id);
  el.append(button, rest);
  const end = mountChildren(element, rest);
  const key = `nbcompare.open.${model.get("key")}`;
  const remember = (open) => {
    try {
      if (open !== undefined) localStorage.setItem(key, open ? "open" : "");
      return localStorage.getItem(key) === "open";
    } catch {
      return false; // the page has no memory; the kernel remembers it as long as it lives
    }
  };
  const fill = () => {
    const remark = model.get("remark");
    text.textContent = remark ? `${model.get("label")} (${remark})` : model.get("label");
  };
  const show = () => {
    const open = model.get("is_open");
    button.setAttribute("aria-expanded", String(open));
    mark.textContent = open ? "▾" : "▸";
    rest.hidden = !open;
  };
  const turn = (open) => {
    model.set("is_open", open);
    model.save_changes();
  };
  button.addEventListener("click", () => {
    turn(!model.get("is_open"));
    remember(model.get("is_open"));
  });
  model.on("change:is_open", show);
  model.on("change:remark", fill);
  if (!model.get("is_open") && remember()) turn(true);
  fill();
  show();
  return end;
};

COMPONENTS.button = ({ model, el }) => {
  const button = made("button", { type: "button" });
  const fill = () => {
    button.textContent = model.get("label");
    button.title = model.get("tooltip");
    button.disabled = model.get("is_disabled");
  };
  button.addEventListener("click", () => model.send({ click: true }));
  model.on("change:label change:tooltip change:is_disabled", fill);
  fill();
  el.append(button);
};

COMPONENTS.html = ({ model, el }) => {
  const fill = () => { el.innerHTML = model.get("value"); }; // the kernel has escaped every text
  model.on("change:value", fill);
  fill();
};

COMPONENTS.status = (element) => {
  element.el.setAttribute("role", "status");
  COMPONENTS.html(element);
};

COMPONENTS.bar = ({ model, el }) => {
  const bar = made("progress", { max: 1 });
  const fill = () => {
    if (model.get("value") < 0) bar.removeAttribute("value");
    else bar.value = model.get("value");
  };
  bar.setAttribute("aria-label", "Progress");
  model.on("change:value", fill);
  fill();
  el.append(bar);
};

COMPONENTS.code = ({ model, el }) => {
  const code = made("code");
  const timers = new Map();
  const say = (button, label, text) => {
    button.textContent = text;
    clearTimeout(timers.get(button));
    timers.set(button, setTimeout(() => { button.textContent = label; }, 2000));
  };
  const copied = async (name = "value") => (await nbcompareTables.copy(model.get(name)))
    ? "Copied" : "Select the code and press Ctrl+C";
  const act = (label, title, what) => {
    const button = made("button", { type: "button", title }, label);
    button.addEventListener("click", async () => say(button, label, await what()));
    return button;
  };
  const settings = act(
    "Copy settings",
    "Copy the line that makes this builder with the settings that it has now, for its cell",
    () => copied("call"),
  );
  const fill = () => {
    code.textContent = model.get("value");
    settings.hidden = !model.get("call");
  };
  model.on("change:value change:call", fill);
  fill();
  const buttons = made(
    "div",
    { className: "nbcompare-bar" },
    act("Copy code", "Copy the code to the clipboard", () => copied()),
    settings,
  );
  el.append(buttons, made("pre", {}, code));
};
