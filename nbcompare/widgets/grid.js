// The rows of a table as they stand in it, of which those in sight are in the page. Above each
// column a list says what it is, and every cell can be written into.

const ROW = 25; // pixels
const TALLEST = 1e7; // pixels that a browser scrolls through exactly
const BLOCK = 100; // rows that are asked for at once
const AROUND = 10; // rows beside those in sight
const KEYS = {
  ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
};

COMPONENTS.grid = ({ model, el }) => {
  const caption = made("p", { className: "nbcompare-note" });
  const [head, body] = [made("thead"), made("tbody")];
  const table = made("table", { role: "grid", tabIndex: 0 }, head, body);
  table.setAttribute("aria-label", "The table; Enter or any letter edits a cell");
  const sheet = made("div", { className: "nbcompare-cells" }, table);
  const input = made("input", { type: "text", className: "nbcompare-cell", hidden: true });
  const tip = made("div", { className: "nbcompare-tip", role: "alert", hidden: true });
  sheet.append(input, tip);
  const box = made("div", { className: "nbcompare-rows" }, sheet);
  el.append(caption, box);

  const name = identity();
  const at = { row: 0, column: 0 }; // the cell that keys are about
  let known = new Map(); // rows by their number
  let asked = new Set(); // blocks that are on their way
  let widths = [];
  let drawn = [0, 0];
  const cellAt = (row, column) => body.querySelector(`[data-row="${row}"]`)?.cells[column + 1];
  const nRows = () => model.get("n_rows");
  const nColumns = () => model.get("columns").length;
  const pitch = () => Math.min(ROW, TALLEST / nRows()); // pixels of scrolling for a row
  const inSight = () => Math.max(1, Math.floor((box.clientHeight - head.offsetHeight) / ROW));

  const ask = (first, last) => {
    for (let block = Math.floor(first / BLOCK); block * BLOCK < last; block += 1) {
      if (known.has(block * BLOCK) || asked.has(block)) continue;
      asked.add(block);
      model.send({ first: block * BLOCK });
    }
  };
  const keep = (first, rows) => rows.forEach((row, place) => known.set(first + place, row));

  const headOf = ([title, use, said, isNeeded, isNumber], column) => {
    const list = made("select");
    list.setAttribute("aria-label", `What column ${title || "without a name"} is`);
    model.get("words").forEach((word, place) => {
      list.append(made("option", { textContent: word, selected: place === said }));
    });
    list.addEventListener("change", () => model.send({ column, word: list.selectedIndex }));
    const cell = made("th", { scope: "col", title }, made("span", {}, title || "(without a name)"), list);
    if (use) cell.append(made("span", { className: "nbcompare-use" }, use));
    cell.classList.toggle("nbcompare-out", !isNeeded);
    cell.classList.toggle("num", isNumber);
    return cell;
  };
  const rowOf = (row, edited, wrong) => {
    const cells = known.get(row);
    const line = made("tr", { "aria-rowindex": row + 2 });
    line.dataset.row = row;
    line.append(made("th", { scope: "row" }, (row + 1).toLocaleString("en")));
    model.get("columns").forEach(([, , , , isNumber], column) => {
      const place = `${row},${column}`;
      const isAt = row === at.row && column === at.column;
      const cell = made("td", { role: "gridcell", id: `${name}-${row}-${column}` });
      cell.textContent = cells ? cells[column] : "…";
      cell.title = wrong.get(place) || (edited.has(place) ? "edited" : "");
      cell.classList.toggle("num", isNumber);
      cell.classList.toggle("nbcompare-edited", edited.has(place));
      cell.classList.toggle("nbcompare-at", isAt);
      if (wrong.has(place)) cell.setAttribute("aria-invalid", "true");
      line.append(cell);
    });
    return line;
  };
  const spacer = (height) => {
    const line = made("tr", { "aria-hidden": "true" });
    line.append(made("td", { colSpan: nColumns() + 1 }));
    line.style.height = `${height}px`;
    return line;
  };
  const explain = (wrong) => {
    const first = [...wrong].find(([place]) => cellAt(...place.split(",").map(Number)));
    tip.hidden = !first;
    if (!first) return;
    const cell = cellAt(...first[0].split(",").map(Number));
    if (tip.textContent !== first[1]) tip.textContent = first[1];
    tip.style.left = `${cell.offsetLeft}px`;
    tip.style.top = `${cell.offsetTop + cell.offsetHeight}px`;
  };

  /** Put the rows in sight into the page. */
  const draw = () => {
    if (!nRows()) {
      body.replaceChildren();
      return;
    }
    const top = Math.min(Math.round(box.scrollTop / pitch()), Math.max(0, nRows() - inSight()));
    const first = Math.max(0, top - AROUND);
    const last = Math.min(nRows(), top + inSight() + AROUND);
    ask(first, last);
    drawn = [first, last];
    const edited = new Set(model.get("edited").map((place) => place.join()));
    const wrong = new Map(model.get("wrong").map(([row, column, text]) => [`${row},${column}`, text]));
    const total = nRows() * pitch();
    const height = (last - first) * ROW;
    // where a pixel is more than a row, the rows stand where the view is
    const isExact = pitch() === ROW;
    const above = Math.max(0, isExact ? first * ROW : Math.min(
      box.scrollTop - (top - first) * ROW,
      total - height,
    ));
    const rows = [];
    for (let row = first; row < last; row += 1) rows.push(rowOf(row, edited, wrong));
    body.replaceChildren(spacer(above), ...rows, spacer(Math.max(0, total - above - height)));
    for (const [place, cell] of [...head.rows[0].cells].entries()) { // no column gets narrower
      widths[place] = Math.max(widths[place] || 0, cell.offsetWidth);
      cell.style.minWidth = `${widths[place]}px`;
    }
    const active = cellAt(at.row, at.column);
    if (active) table.setAttribute("aria-activedescendant", active.id);
    else table.removeAttribute("aria-activedescendant");
    explain(wrong);
  };
  const fill = () => {
    const columns = model.get("columns");
    const focused = [...head.querySelectorAll("select")].indexOf(focusedIn(el));
    caption.textContent = model.get("caption");
    table.setAttribute("aria-rowcount", nRows() + 1);
    table.setAttribute("aria-colcount", columns.length + 1);
    const corner = made("th", { scope: "col" }, "row");
    widths = [];
    head.replaceChildren(made("tr", {}, corner, ...columns.map(headOf)));
    if (focused >= 0) head.querySelectorAll("select")[focused]?.focus({ preventScroll: true });
    at.row = Math.min(at.row, Math.max(0, nRows() - 1));
    at.column = Math.min(at.column, Math.max(0, columns.length - 1));
    draw();
  };
  const renew = () => { // what is known is of another version
    known = new Map();
    asked = new Set();
    keep(0, model.get("rows"));
    fill();
  };

  // ---------------------------------------------------------------------------- cells

  const go = (row, column) => {
    at.row = Math.max(0, Math.min(row, nRows() - 1));
    at.column = Math.max(0, Math.min(column, nColumns() - 1));
    const top = Math.round(box.scrollTop / pitch());
    if (at.row < top) box.scrollTop = at.row * pitch();
    if (at.row >= top + inSight()) box.scrollTop = (at.row - inSight() + 1) * pitch();
    draw();
    const cell = cellAt(at.row, at.column);
    const side = head.rows[0].cells[0].offsetWidth;
    if (cell && cell.offsetLeft - side < box.scrollLeft) box.scrollLeft = cell.offsetLeft - side;
    if (cell && cell.offsetLeft + cell.offsetWidth > box.scrollLeft + box.clientWidth) {
      box.scrollLeft = cell.offsetLeft + cell.offsetWidth - box.clientWidth;
    }
  };
  const write = (edits) => {
    for (const [row, column, text] of edits) {
      const cells = known.get(row);
      if (cells) known.set(row, cells.with(column, text));
    }
    if (edits.length) model.send({ edits });
    draw();
  };
  const begin = (text) => {
    go(at.row, at.column);
    const cell = cellAt(at.row, at.column);
    if (!cell || !known.has(at.row)) return;
    input.hidden = false;
    input.value = text ?? known.get(at.row)[at.column];
    input.setAttribute("aria-label", `Row ${at.row + 1}, ${model.get("columns")[at.column][0]}`);
    for (const side of ["Left", "Top"]) input.style[side.toLowerCase()] = `${cell[`offset${side}`]}px`;
    input.style.width = `${Math.max(cell.offsetWidth, 80)}px`;
    input.style.height = `${cell.offsetHeight}px`;
    input.focus({ preventScroll: true });
    if (text === undefined) input.select();
  };
  const finish = (isKept, hasFocus = true) => {
    if (input.hidden) return;
    const { row, column } = at;
    input.hidden = true; // before anything else hears that the focus has gone
    const isNew = isKept && known.get(row)?.[column] !== input.value;
    if (isNew) write([[row, column, input.value]]);
    if (hasFocus) table.focus({ preventScroll: true });
  };
  input.addEventListener("blur", () => finish(true, false));
  input.addEventListener("keydown", (event) => {
    const moves = { Enter: [1, 0], Tab: [0, event.shiftKey ? -1 : 1], Escape: [0, 0] };
    const move = moves[event.key];
    if (!move || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    finish(event.key !== "Escape");
    go(at.row + move[0], at.column + move[1]);
  });
  table.addEventListener("keydown", (event) => {
    if (targetOf(event) !== table || !nRows()) return;
    const { key, ctrlKey, metaKey, altKey } = event;
    const isFar = ctrlKey || metaKey;
    if (KEYS[key]) go(at.row + KEYS[key][0], at.column + KEYS[key][1]);
    else if (key === "PageDown" || key === "PageUp") {
      go(at.row + (key === "PageUp" ? -inSight() : inSight()), at.column);
    } else if (key === "Home") go(isFar ? 0 : at.row, 0);
    else if (key === "End") go(isFar ? nRows() - 1 : at.row, nColumns() - 1);
    else if (key === "Enter" || key === "F2") begin();
    else if (key === "Delete" || key === "Backspace") write([[at.row, at.column, ""]]);
    else if (key.length === 1 && !isFar && !altKey) begin(key);
    else return;
    event.preventDefault();
  });
  const pick = (event) => {
    const cell = targetOf(event).closest("td[role]");
    if (!cell) return false;
    at.row = Number(cell.parentElement.dataset.row);
    at.column = cell.cellIndex - 1;
    return true;
  };
  table.addEventListener("mousedown", (event) => {
    if (!pick(event)) return;
    event.preventDefault(); // a row that is drawn anew would lose what is selected
    table.focus({ preventScroll: true });
    draw();
  });
  table.addEventListener("dblclick", (event) => { if (pick(event)) begin(); });
  table.addEventListener("copy", (event) => {
    event.clipboardData.setData("text/plain", known.get(at.row)?.[at.column] ?? "");
    event.preventDefault();
  });
  table.addEventListener("paste", (event) => {
    event.preventDefault();
    event.stopPropagation();
    const text = event.clipboardData.getData("text/plain").replace(/\r?\n$/, "");
    const edits = text.split(/\r?\n/).flatMap((line, row) => line.split("\t").map(
      (cell, column) => [at.row + row, at.column + column, cell],
    ));
    write(edits.filter(([row, column]) => row < nRows() && column < nColumns()));
  });

  let waiting = 0;
  box.addEventListener("scroll", () => {
    waiting ||= requestAnimationFrame(() => {
      waiting = 0;
      draw();
    });
  });
  model.on("msg:custom", ({ first, rows, version, refused }) => {
    if (refused) {
      renew();
      caption.textContent = refused;
    } else if (version === model.get("version")) {
      keep(first, rows);
      if (first < drawn[1] && first + rows.length > drawn[0]) draw();
    }
  });
  model.on("change:columns change:rows change:version change:edited change:wrong change:caption", renew);
  renew();
  const watch = new ResizeObserver(draw); // it stands in the page, or in another tab
  watch.observe(box);
  return () => {
    watch.disconnect();
    cancelAnimationFrame(waiting);
  };
};
