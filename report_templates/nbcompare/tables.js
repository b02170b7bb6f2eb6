// What a page gains from a script for its tables: rows sorted and filtered, columns chosen, numbers
// aligned at their decimal marks, and everything copied. A page without a script shows all rows and
// columns, and so does its print: what is hidden has the class `off`, which is for screens only.
(() => {
  "use strict";
  const { all, button, copying, formats, hintBeside, leftOut, say, tellingButton, textOf } = globalThis.nbcomparePage;
  const { NEXT_ORDER, counted, csv, ordered, pads, searched, words } = nbcompareTables;

  // ---------------------------------------------------------------------- sort tables

  // Rows of a body in the order of a column.
  const rowsBy = (rows, column, falling) => (
    ordered(rows.map((row) => row.cells[column].textContent), falling).map((i) => rows[i])
  );

  const makeSortable = (grid) => {
    const { table, bodies, heads, width } = grid;
    if (grid.rows().length < 2) return;
    const headers = [];
    for (let column = 0; column < width; column += 1) {
      // of several header rows, the last that has a word for the column
      const header = heads.map((row) => row.cells[column])
        .findLast((cell) => cell.tagName === "TH" && cell.textContent.trim());
      if (!header || header.querySelector("a, button, input")) continue;
      const sort = button("", "sort", () => {
        const order = NEXT_ORDER[header.getAttribute("aria-sort") || ""];
        headers.forEach((other) => other.removeAttribute("aria-sort"));
        if (order) header.setAttribute("aria-sort", order);
        bodies.forEach(({ body, first }) => {
          body.append(...(order ? rowsBy(first, column, order === "descending") : first));
        });
      });
      sort.append(...header.childNodes);
      sort.title = "Sort";
      header.append(sort);
      headers.push(header);
    }
    // rows that are added stand where the order puts them
    grid.sortAgain = () => {
      const header = table.querySelector("thead [aria-sort]");
      if (!header) return;
      const falling = header.getAttribute("aria-sort") === "descending";
      bodies.forEach(({ body, first }) => body.append(...rowsBy(first, header.cellIndex, falling)));
    };
  };

  // ------------------------------------------------------------------- rows and columns

  const [LONG, BROAD, NARROW] = [20, 6, 4]; // rows, columns, and columns on a phone
  const phone = matchMedia("(max-width: 40rem)");
  const DECISION = /^(decision|outcome|significant|significant by)$/i;
  const headOf = (grid, column) => grid.heads.at(-1).cells[column].textContent.trim();
  const nameOf = (table) => (
    table.caption?.querySelector(".number")?.textContent.replace(/\.$/, "") || "the table"
  );

  // A table whose rows all have the same cells, as its rows and columns; null of another.
  const gridOf = (table) => {
    const bodies = [...table.tBodies].map((body) => ({ body, first: [...body.rows] }));
    const heads = table.tHead ? [...table.tHead.rows] : [];
    const rows = () => bodies.flatMap(({ first }) => first);
    const width = rows().length && rows()[0].cells.length;
    const plain = (row) => row.cells.length === width
      && [...row.cells].every((cell) => cell.colSpan === 1 && cell.rowSpan === 1);
    if (!width || !heads.length || ![...rows(), ...heads].every(plain)) return null;
    return { table, bodies, heads, width, rows, off: new Set(), isChosen: false, isFiltered: false };
  };

  // The columns that name a row: its header, and the second of two names.
  const namesOf = (grid) => {
    const isName = (column) => column === 0 || (column === 1 && headOf(grid, 1) === "second");
    return [...Array(grid.width).keys()].filter(isName);
  };

  // What a reader of a phone needs: who is compared, the p that decides, and what it decides.
  const essentials = (grid) => {
    const heads = [...Array(grid.width).keys()].map((column) => headOf(grid, column));
    const decision = heads.findLastIndex((text) => DECISION.test(text));
    if (grid.width <= NARROW || decision < 0) return null;
    const adjusted = heads.findIndex((text) => /^(adjusted p$|p, )/.test(text));
    const p = adjusted < 0 ? heads.indexOf("p") : adjusted;
    return new Set([...namesOf(grid), ...(p < 0 ? [] : [p]), decision]);
  };

  const showColumns = (grid) => {
    [...grid.heads, ...grid.rows()].forEach((row) => {
      [...row.cells].forEach((cell, column) => cell.classList.toggle("off", grid.off.has(column)));
    });
    grid.changed.forEach((told) => told());
  };
  const showEssentials = (grid, only) => {
    const needed = grid.needed;
    const columns = [...Array(grid.width).keys()];
    grid.off = new Set(only && needed ? columns.filter((column) => !needed.has(column)) : []);
    showColumns(grid);
  };

  // Add the rows that the page keeps, as if they had always been there.
  const addLeftOut = (grid) => {
    const { table, bodies } = grid;
    const [model, { body, first }] = [grid.rows()[0], bodies.at(-1)];
    leftOut(table).forEach((texts) => {
      const row = model.cloneNode(true);
      [...row.cells].forEach((cell, column) => {
        cell.textContent = texts[column] ?? "";
        cell.removeAttribute("data-pad");
      });
      row.className = "";
      body.append(row);
      first.push(row);
    });
    delete table.dataset.leftOut;
    delete table.dataset.latex; // of the rows that were there
    table.tFoot?.remove();
    align(grid);
    grid.sortAgain?.();
    showColumns(grid);
    box(grid);
  };

  const filterRows = (grid, text) => {
    const wanted = words(text);
    const rows = grid.rows();
    if (wanted.length && !grid.texts) {
      grid.texts = new Map(rows.map((row) => [row, searched([...row.cells].map((cell) => cell.textContent))]));
    }
    grid.isFiltered = wanted.length > 0;
    grid.n = 0;
    rows.forEach((row) => {
      const fits = wanted.every((word) => grid.texts.get(row).includes(word));
      row.classList.toggle("off", !fits);
      grid.n += fits;
    });
    grid.changed.forEach((told) => told());
  };

  let announcing;
  const howMany = (grid) => counted(grid.n, grid.rows().length);
  const makeFilter = (grid) => {
    const field = document.createElement("input");
    field.type = "search";
    field.setAttribute("aria-label", `Rows of ${nameOf(grid.table)} that contain`);
    const count = document.createElement("span");
    count.className = "hint";
    const look = () => {
      if (leftOut(grid.table).length) addLeftOut(grid);
      filterRows(grid, field.value);
      count.textContent = grid.isFiltered ? howMany(grid) : "";
      clearTimeout(announcing); // when the typing rests
      announcing = setTimeout(() => say(grid.isFiltered ? `${howMany(grid)} shown.` : "All rows shown."), 400);
    };
    field.addEventListener("input", look);
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !field.value) return;
      event.preventDefault();
      field.value = "";
      look();
    });
    grid.showAll = () => {
      field.value = "";
      filterRows(grid, "");
      count.textContent = "";
    };
    const label = document.createElement("label");
    label.append("Rows that contain ", field);
    return [label, count];
  };

  const makeChooser = (grid) => {
    const made = document.createElement("details");
    const summary = document.createElement("summary");
    const set = document.createElement("fieldset");
    const legend = document.createElement("legend");
    made.className = "columns";
    legend.textContent = `Columns of ${nameOf(grid.table)}`;
    set.append(legend);
    made.append(summary, set);
    const boxes = [];
    const fixed = new Set(namesOf(grid));
    for (let column = 0; column < grid.width; column += 1) {
      if (fixed.has(column)) continue;
      const field = document.createElement("input");
      field.type = "checkbox";
      field.addEventListener("change", () => {
        grid.isChosen = true;
        if (field.checked) grid.off.delete(column);
        else grid.off.add(column);
        showColumns(grid);
      });
      const label = document.createElement("label");
      label.append(field, headOf(grid, column) || `column ${column + 1}`);
      set.append(label);
      boxes.push([column, field]);
    }
    if (boxes.length > 2 * BROAD) {
      const setting = (text, checked) => button(text, "tool", () => {
        grid.isChosen = true;
        grid.off = new Set(checked ? [] : boxes.map(([column]) => column));
        showColumns(grid);
      });
      legend.after(setting("All", true), setting("None", false));
    }
    grid.changed.push(() => {
      boxes.forEach(([column, field]) => { field.checked = !grid.off.has(column); });
      summary.textContent = grid.off.size
        ? `Columns (${grid.width - grid.off.size} of ${grid.width})` : "Columns";
    });
    return made;
  };

  // All columns or those that matter most, by a tap.
  const makeSwitch = (grid) => {
    const made = button("", "tool more", () => {
      grid.isChosen = true;
      showEssentials(grid, !grid.off.size);
    });
    grid.changed.push(() => {
      made.textContent = grid.off.size ? "Show all columns" : "Show fewer columns";
      made.hidden = !grid.off.size && !phone.matches;
    });
    phone.addEventListener("change", () => {
      if (grid.isChosen) grid.changed.forEach((told) => told());
      else showEssentials(grid, phone.matches);
    });
    return made;
  };

  // A long table scrolls in a box, in which its header stays.
  const box = ({ table, rows }) => {
    if (rows().length <= LONG || table.parentElement.matches(".rows")) return;
    const made = document.createElement("div");
    made.className = "rows";
    made.tabIndex = 0;
    made.setAttribute("role", "group");
    made.setAttribute("aria-label", `Rows of ${nameOf(table)}`);
    table.replaceWith(made);
    made.append(table);
  };

  const makeTools = (grid) => {
    const { table } = grid;
    grid.changed = [];
    grid.needed = essentials(grid);
    const total = grid.rows().length + leftOut(table).length;
    const parts = [];
    if (total > LONG) parts.push(...makeFilter(grid));
    if (leftOut(table).length) {
      const more = button(`Show all ${total.toLocaleString("en")} rows`, "tool more", () => {
        if (leftOut(table).length) addLeftOut(grid);
        say("All rows shown.");
        table.closest(".rows")?.focus();
      });
      grid.changed.push(() => { more.hidden = !leftOut(table).length; });
      parts.push(more);
    }
    if (grid.width > BROAD) parts.push(makeChooser(grid));
    if (grid.needed) parts.push(makeSwitch(grid));
    box(grid);
    // where there is much to scroll, above the rows, else below with what copies them
    if (total <= LONG) return parts;
    const bar = document.createElement("div");
    bar.className = "table-tools look";
    bar.append(...parts);
    (table.closest(".rows") || table).before(bar);
    return [];
  };

  // --------------------------------------------------------------------- decimal marks

  const align = (grid) => {
    for (let column = 0; column < grid.width; column += 1) {
      const cells = grid.rows().map((row) => row.cells[column])
        .filter((cell) => cell.matches(".num, .data, .dataframe td"));
      pads(cells.map((cell) => cell.textContent)).forEach((pad, i) => {
        if (pad) cells[i].dataset.pad = pad;
        else delete cells[i].dataset.pad;
      });
    }
  };

  // ---------------------------------------------------------------------- copy tables

  // Rows and columns that are shown, of a table without spans.
  const shown = ({ heads, bodies }) => (
    [...heads, ...bodies.flatMap(({ body }) => [...body.rows])]
      .filter((row) => !row.classList.contains("off"))
      .map((row) => [...row.cells].filter((cell) => !cell.classList.contains("off")).map(textOf))
  );

  // A table that is cut says how many rows are copied: all, if the page keeps those not shown.
  const rowsOf = (table, grid) => {
    const n = [...table.tBodies].reduce((sum, body) => sum + body.rows.length, 0);
    const hidden = table.tFoot?.textContent.match(/^\s*… and ([\d,]+) more rows?\b/);
    if (!hidden) return grid?.isFiltered || grid?.wasCut ? ` (all ${n} rows)` : "";
    const total = n + Number(hidden[1].replaceAll(",", ""));
    return n + leftOut(table).length === total ? ` (all ${total} rows)` : ` (${n} of ${total} rows)`;
  };

  const makeCopyable = (table, grid, parts = []) => {
    const name = nameOf(table);
    const rows = () => rowsOf(table, grid);
    const hint = hintBeside();
    const copies = formats.map(([kind, format]) => (
      tellingButton(
        () => `Copy ${kind}${rows()}`, () => `Copy ${kind} of ${name}${rows()}`,
        copying(name, () => format(table)), hint,
      )
    ));
    if (grid) {
      const what = () => (grid.isFiltered ? `the ${grid.n.toLocaleString("en")} rows shown` : "the columns shown");
      const some = tellingButton(
        () => `Copy ${what()} (CSV)`, () => `Copy ${what()} of ${name} as CSV`,
        copying(`What is shown of ${name}`, () => csv(shown(grid))), hint,
      );
      copies.push(some);
      const telling = [...copies];
      grid.changed.push(() => {
        telling.forEach((each) => each.refresh());
        some.hidden = grid.isFiltered ? !grid.n : !(grid.isChosen && grid.off.size);
      });
      copies.push(...parts);
    }
    const bar = document.createElement("div"); // a paragraph holds no list of columns
    bar.className = "table-tools";
    bar.append(...copies, hint);
    (table.closest(".rows") || table).after(bar);
    if (grid) showEssentials(grid, phone.matches);
  };

  const grids = new Map();
  all("main table").filter((table) => !table.querySelector("table") && !table.closest("table table, details.code, math"))
    .forEach((table) => {
      const grid = gridOf(table);
      if (!grid) {
        makeCopyable(table);
        return;
      }
      grids.set(table, grid);
      grid.wasCut = leftOut(table).length > 0;
      makeSortable(grid);
      align(grid);
      makeCopyable(table, grid, makeTools(grid));
    });

  // A link into a table leads to a row that is shown.
  document.addEventListener("nbcompare-reveal", ({ target }) => {
    const row = target.closest("tr.off");
    if (row) grids.get(row.closest("table"))?.showAll?.();
  });
})();
