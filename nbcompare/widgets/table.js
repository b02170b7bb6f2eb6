// Tables of a builder: rows in the order of a column, rows that contain words, pages, copies, and
// rows that stand for algorithms and pairs, which light up with the figure and can be picked.
// It follows `table_core.js` of the report page, whose functions `nbcompareTables` has.
{
const { NEXT_ORDER, copy, counted, csv, latex, markdown, ordered, pads, searched, tabbed, words } = nbcompareTables;

const LIGHT = "nbcompare:light"; // told to the builder: {names}, the algorithms that are lit
const SIZES = [[25, "25"], [100, "100"], [Infinity, "all"]];
const SHORT = 10; // rows that are seen at a glance
const RESTS = 400; // milliseconds after which somebody has written what is looked for
const FORMATS = [
  ["cells", "Copy as cells for a spreadsheet", tabbed], ["CSV", "Copy as CSV", csv],
  ["Markdown", "Copy as Markdown", markdown], ["LaTeX", "Copy as LaTeX", latex],
];

const piece = (tag, className = "", ...children) => made(tag, { className }, ...children);
const button = (className, label, action) => {
  const element = piece("button", className, label);
  element.type = "button";
  if (action) element.addEventListener("click", action);
  return element;
};
const number = (value) => value.toLocaleString("en");
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

// Names as figures tell them
const plain = (names) => names.map((name) => name.replace(/\s+/g, " ").trim());

// One algorithm lights the pairs it is in, and a pair lights its two algorithms.
const isLit = (own, lit) => own.length > 0 && lit.length > 0
  && (lit.every((name) => own.includes(name)) || own.every((name) => lit.includes(name)));

// One table. `whole` is what all tables of a builder share: light, pick, say, and what is lit.
const makeTable = (whole) => {
  const state = { header: "", order: "", text: "", page: 0, size: SIZES[0][0], focus: [0, 0] };
  let block = { columns: [], rows: [], names: [], caption: "" };
  let [texts, padded, shown] = [null, [], []];

  // ------------------------------------------------------------------------- its parts

  const field = piece("input");
  field.type = "search";
  const count = piece("span", "nbcompare-hint");
  const look = piece("div", "nbcompare-bar", piece("label", "", "Rows that contain ", field), count);

  const [caption, head, body] = [piece("p", "nbcompare-caption"), piece("thead"), piece("tbody")];
  const table = piece("table", "", head, body);
  caption.id = `nbcompare-${crypto.getRandomValues(new Uint32Array(2)).join("-")}`;
  table.setAttribute("aria-labelledby", caption.id);
  const box = piece("div", "nbcompare-rows", table);
  box.tabIndex = -1; // holds the focus while its rows are exchanged

  const place = piece("span", "nbcompare-place");
  const [before, after] = [button("", "Previous"), button("", "Next")];
  const size = piece("select");
  SIZES.forEach(([value, text]) => size.append(new Option(text, value)));
  const pages = piece(
    "div", "nbcompare-bar", before, place, after, piece("label", "", "Rows on a page ", size),
  );
  pages.setAttribute("role", "group");

  const remainder = piece("p", "nbcompare-hint");
  const what = piece("span");
  const hint = piece("span", "nbcompare-hint");
  const copies = piece("div", "nbcompare-bar nbcompare-copies", what);
  copies.setAttribute("role", "group");
  const element = piece("div", "nbcompare-table", caption, look, box, remainder, pages, copies);

  // ------------------------------------------------------------------- what a row is of

  // The names that a cell stands for: those of its row, in a matrix of its row and column.
  const namesOf = (cell) => {
    const cells = block.rows[cell?.parentElement.dataset.row];
    if (!cells) return [];
    if (!block.matrix || cell.cellIndex === 0) {
      const own = block.names.map((column) => cells[column]);
      return own.every(Boolean) ? own : []; // a last row may be of all pairs together
    }
    return cells[cell.cellIndex] ? [cells[0], block.columns[cell.cellIndex][0]] : [];
  };
  const isPick = (names) => block.picks && names.length === 2;
  const act = (names) => {
    if (isPick(names)) whole.pick(names);
    else if (names.length) whole.keep(names);
  };

  // ---------------------------------------------------------------------------- drawing

  const arrange = () => {
    const column = block.columns.findIndex(([header]) => header === state.header);
    const wanted = words(state.text);
    texts ??= wanted.length ? block.rows.map(searched) : null;
    const order = state.order && column >= 0
      ? ordered(block.rows.map((row) => row[column]), state.order === "descending")
      : block.rows.map((_, i) => i);
    shown = order.filter((i) => wanted.every((word) => texts[i].includes(word)));
    const last = Math.max(0, Math.ceil(shown.length / state.size) - 1);
    state.page = Math.min(state.page, last);
  };

  const cellOf = (row, column) => {
    const text = block.rows[row][column];
    const cell = piece(column ? "td" : "th");
    if (!column) cell.scope = "row";
    if (block.columns[column][1]) {
      cell.className = "num";
      const pad = padded[column]?.[row];
      if (pad) cell.dataset.pad = pad;
    }
    const strong = block.strong.has(`${row} ${column}`);
    const isName = !block.columns[column][1];
    const kind = strong ? "strong" : isName ? "span" : "";
    cell.append(kind ? piece(kind, isName ? "nbcompare-name" : "", text) : text);
    return cell;
  };

  const makeReachable = (cell) => {
    const names = namesOf(cell);
    const stands = block.matrix ? names.length : cell.cellIndex === block.names[0];
    if (!stands || !names.length) return;
    const reach = button("nbcompare-pick", "");
    reach.append(...cell.childNodes);
    if (isPick(names)) {
      const value = block.matrix ? `${reach.textContent}, ` : "";
      reach.setAttribute("aria-label", `${value}${names.join(" and ")}: show this pair`);
      reach.title = "Show this pair";
    } else {
      reach.title = "Mark in the figure and in the tables";
    }
    cell.append(reach);
  };

  const reachable = () => [...body.querySelectorAll(".nbcompare-pick")];
  const at = ([row, column]) => body.rows[row]?.cells[column]?.querySelector(".nbcompare-pick");
  // One of them is reached by Tab, the others by arrows.
  const rove = () => {
    const all = reachable();
    const here = at(state.focus) || all[0];
    all.forEach((each) => { each.tabIndex = each === here ? 0 : -1; });
  };

  const drawRows = () => {
    const focused = body.contains(focusedIn(body));
    const names = focused ? namesOf(focusedIn(body).closest("th, td")) : [];
    // an application that sees the focus vanish takes it for itself
    if (focused) box.focus({ preventScroll: true });
    const from = state.size === Infinity ? 0 : state.page * state.size;
    const rows = shown.slice(from, from + state.size).map((row) => {
      const line = piece("tr");
      line.dataset.row = row;
      line.append(...block.columns.map((_, column) => cellOf(row, column)));
      return line;
    });
    if (!rows.length) {
      const none = piece("td", "", "No row contains this.");
      none.colSpan = block.columns.length;
      rows.push(piece("tr", "", none));
      body.replaceChildren(...rows);
    } else {
      body.replaceChildren(...rows);
      rows.forEach((line) => [...line.cells].forEach(makeReachable));
    }
    rove();
    mark();
    if (focused) {
      const again = reachable().find((each) => same(namesOf(each.closest("th, td")), names));
      (again || at(state.focus) || reachable()[0] || field).focus();
    }
    const to = Math.min(from + state.size, shown.length);
    place.textContent = shown.length
      ? `Rows ${number(from + 1)}–${number(to)} of ${number(shown.length)}` : "No rows";
    before.setAttribute("aria-disabled", String(state.page === 0));
    after.setAttribute("aria-disabled", String(to >= shown.length));
  };

  const drawHead = () => {
    const line = piece("tr");
    block.columns.forEach(([header, isNumber]) => {
      const cell = piece("th", isNumber ? "num" : "");
      cell.scope = "col";
      const sort = button("nbcompare-sort", header, () => {
        state.order = NEXT_ORDER[state.header === header ? state.order : ""];
        state.header = header;
        state.page = 0;
        draw();
      });
      sort.title = "Sort";
      cell.append(sort);
      line.append(cell);
    });
    head.replaceChildren(line);
  };

  const draw = () => {
    arrange();
    [...head.rows[0].cells].forEach((cell, column) => {
      cell.removeAttribute("aria-sort");
      if (state.order && block.columns[column][0] === state.header) {
        cell.setAttribute("aria-sort", state.order);
      }
    });
    const total = block.rows.length;
    const isPart = shown.length < total;
    look.hidden = total <= SHORT && !state.text;
    pages.hidden = shown.length <= SIZES[0][0];
    box.classList.toggle("nbcompare-long", state.size > SIZES[0][0]);
    count.textContent = isPart ? counted(shown.length, total) : "";
    what.textContent = isPart ? `Copy the ${counted(shown.length, total)} as`
      : total === 1 ? "Copy the row as" : `Copy all ${number(total)} rows as`;
    drawRows();
  };

  // ---------------------------------------------------------------------- what is done

  let resting;
  const search = () => {
    state.text = field.value;
    state.page = 0;
    draw();
    clearTimeout(resting);
    resting = setTimeout(() => {
      whole.say(words(state.text).length
        ? `${counted(shown.length, block.rows.length)} shown.` : "All rows shown.");
    }, RESTS);
  };
  field.addEventListener("input", search);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !field.value) return;
    event.preventDefault();
    field.value = "";
    search();
  });

  const turn = (by) => {
    const to = state.page + by;
    if (to < 0 || to * state.size >= shown.length) return false;
    state.page = to;
    state.focus = [by > 0 ? 0 : state.size - 1, state.focus[1]];
    drawRows();
    return true;
  };
  [[before, -1], [after, 1]].forEach(([control, by]) => {
    control.addEventListener("click", () => { if (turn(by)) whole.say(`${place.textContent} shown.`); });
  });
  size.addEventListener("change", () => {
    const first = state.size === Infinity ? 0 : state.page * state.size;
    state.size = Number(size.value);
    state.page = state.size === Infinity ? 0 : Math.floor(first / state.size);
    draw();
  });

  FORMATS.forEach(([label, title, format]) => {
    const control = button("nbcompare-copy", label, async () => {
      const rows = [block.columns.map(([header]) => header), ...shown.map((i) => block.rows[i])];
      const right = block.columns.map(([, isNumber]) => isNumber);
      const copied = format(rows, { heads: 1, right, caption: block.caption });
      const done = await copy(copied.text);
      control.textContent = done ? "copied" : "not copied";
      hint.textContent = done ? copied.hint || "" : "The browser does not let this page copy.";
      whole.say(`${done ? `${counted(shown.length, block.rows.length)} copied.` : ""} ${hint.textContent}`.trim());
      setTimeout(() => { control.textContent = label; }, 1500);
    });
    control.title = title;
    copies.append(control);
  });
  copies.append(hint);

  // --------------------------------------------------------------- light, and picks

  const mark = () => {
    for (const line of body.rows) {
      if (line.dataset.row === undefined) continue;
      for (const cell of block.matrix ? line.cells : [line.cells[0]]) {
        const own = namesOf(cell);
        const marked = block.matrix ? cell : line;
        marked.classList.toggle("nbcompare-lit", isLit(plain(own), whole.lit));
        const isChosen = isPick(own) && whole.selected.length === 2
          && (same(own, whole.selected)
            || (!block.ordered && same([...own].reverse(), whole.selected)));
        marked.classList.toggle("nbcompare-chosen", isChosen);
        const reach = cell.querySelector(".nbcompare-pick");
        if (!reach) continue;
        if (isPick(own)) {
          if (isChosen) reach.setAttribute("aria-current", "true");
          else reach.removeAttribute("aria-current");
        } else {
          reach.setAttribute("aria-pressed", String(same(own, whole.kept)));
        }
      }
    }
  };

  const over = (target) => namesOf(target instanceof Element ? target.closest("tbody th, tbody td") : null);
  body.addEventListener("mouseover", (event) => whole.light(over(event.target)));
  body.addEventListener("mouseleave", whole.leave);
  body.addEventListener("focusin", (event) => {
    const cell = event.target.closest("th, td");
    state.focus = [cell.parentElement.rowIndex - head.rows.length, cell.cellIndex];
    rove();
    whole.light(namesOf(cell));
  });
  body.addEventListener("focusout", whole.leave);
  body.addEventListener("click", (event) => {
    const marked = document.getSelection();
    if (!event.target.closest("button") && marked && !marked.isCollapsed) return; // it is to be copied
    act(over(event.target));
  });
  body.addEventListener("keydown", (event) => {
    const here = event.target.closest("th, td");
    if (!here || event.ctrlKey || event.metaKey || event.altKey) return;
    const [row, column] = state.focus;
    const last = body.rows.length - 1;
    const beside = (by) => {
      for (let to = column + by; to >= 0 && to < block.columns.length; to += by) {
        if (at([row, to])) return [row, to];
      }
      return [row, column];
    };
    const steps = {
      ArrowDown: () => (row < last ? [row + 1, column] : turn(1) && [0, column]),
      ArrowUp: () => (row > 0 ? [row - 1, column] : turn(-1) && [body.rows.length - 1, column]),
      ArrowLeft: () => beside(-1),
      ArrowRight: () => beside(1),
      Home: () => [0, column],
      End: () => [last, column],
      PageDown: () => turn(1) && [0, column],
      PageUp: () => turn(-1) && [0, column],
    };
    if (!(event.key in steps)) return;
    event.preventDefault();
    const to = steps[event.key]();
    const next = to && (at(to) || (to[1] !== 0 && at([to[0], 0])));
    if (next) next.focus();
  });

  return {
    element,
    mark,
    // Go to the page of a pair, if the rows that are shown have it.
    find(names) {
      if (!block.picks || block.matrix || names.length !== 2) return;
      const own = (i) => block.names.map((column) => block.rows[i][column]);
      const place = shown.findIndex((i) => (
        same(own(i), names) || (!block.ordered && same(own(i).reverse(), names))
      ));
      if (place < 0 || state.size === Infinity) return;
      const page = Math.floor(place / state.size);
      if (page === state.page) return;
      state.page = page;
      drawRows();
    },
    // Show another state of the table: order, words and page stay.
    update(other) {
      const isOther = !same(block.columns, other.columns);
      block = { ...other, strong: new Set(other.strong.map(([row, column]) => `${row} ${column}`)) };
      texts = null;
      padded = block.columns.map(([, isNumber], column) => (
        isNumber ? pads(block.rows.map((row) => row[column])) : null
      ));
      caption.textContent = block.caption;
      remainder.textContent = block.remainder && `… ${block.remainder}`;
      remainder.hidden = !block.remainder;
      const name = block.caption.split(/[(;:,]/)[0].trim() || "the table";
      field.setAttribute("aria-label", `Rows that contain, of: ${name}`);
      pages.setAttribute("aria-label", `Pages of: ${name}`);
      copies.setAttribute("aria-label", `Copies of: ${name}`);
      if (isOther) drawHead();
      draw();
    },
  };
};

const makeNotes = () => {
  const element = piece("ul", "nbcompare-notes");
  return {
    element,
    mark() {},
    find() {},
    update({ texts }) {
      element.replaceChildren(...texts.map((text) => piece("li", "", text)));
    },
  };
};

COMPONENTS.tables = ({ model, el }) => {
  const ending = new AbortController();
  const { signal } = ending;
  const said = piece("div", "nbcompare-said");
  said.setAttribute("role", "status");
  const place = piece("div", "nbcompare-all");
  el.append(place, said);

  let clearing;
  let own = []; // what a table lit last
  const whole = {
    lit: [],
    kept: [], // lit also when nothing is pointed at
    selected: model.get("selected"),
    say(text) {
      said.textContent = text;
      clearTimeout(clearing);
      clearing = setTimeout(() => { said.textContent = ""; }, 3000);
    },
    light(pointed) {
      const names = plain(pointed);
      if (same(names, whole.lit)) return;
      own = names;
      const event = new CustomEvent(LIGHT, { detail: { names }, bubbles: true });
      (el.closest(".nbcompare-builder") || el).dispatchEvent(event);
    },
    // Light no row any more, but leave what the figure has lit since.
    leave() {
      if (same(own, whole.lit)) whole.light(whole.kept);
    },
    keep(names) {
      whole.kept = same(names, whole.kept) ? [] : names;
      whole.light(whole.kept);
      parts.forEach((part) => part.mark());
    },
    pick(names) {
      model.send({ pick: names });
    },
  };

  // By their first column and how many such came before: they keep order, words and page.
  const parts = new Map();
  const show = () => {
    const blocks = JSON.parse(model.get("content"));
    const counts = {};
    const keys = blocks.map((block) => {
      const kind = block.texts ? "notes" : block.columns[0]?.[0];
      counts[kind] = (counts[kind] || 0) + 1;
      return `${counts[kind]} ${kind}`;
    });
    [...parts.keys()].filter((key) => !keys.includes(key)).forEach((key) => {
      parts.get(key).element.remove();
      parts.delete(key);
    });
    blocks.forEach((block, i) => {
      if (!parts.has(keys[i])) parts.set(keys[i], block.texts ? makeNotes() : makeTable(whole));
      const part = parts.get(keys[i]);
      part.update(block);
      // moved only if it is not there, or it would lose the focus
      if (place.children[i] !== part.element) place.insertBefore(part.element, place.children[i] || null);
    });
  };

  let isNew = false; // whether the tables have come with the choice
  const content = () => {
    isNew = true;
    setTimeout(() => { isNew = false; });
    show();
  };
  const choice = () => queueMicrotask(() => { // tables may come with it
    whole.selected = model.get("selected");
    parts.forEach((part) => {
      if (!isNew) part.find(whole.selected);
      part.mark();
    });
  });
  model.on("change:content", content);
  model.on("change:selected", choice);
  // the figure tells it to the builder that both stand in, which may be moved about in the page
  document.addEventListener(LIGHT, ({ target, detail }) => {
    if (!(target instanceof Element) || !target.contains(el)) return;
    whole.lit = Array.isArray(detail?.names) ? plain(detail.names) : [];
    parts.forEach((part) => part.mark());
  }, { capture: true, signal });
  show();
  return () => {
    ending.abort();
    clearTimeout(clearing);
  };
};
}
