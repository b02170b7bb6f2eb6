// What a page gains from a script: code folded at once, tables sorted and copied.
// Everything here is a button that is added; the page is complete without them.
(() => {
  "use strict";
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const main = document.querySelector("main");

  const button = (label, kind, action) => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = kind;
    made.append(label);
    made.addEventListener("click", action);
    return made;
  };

  // A paragraph of buttons.
  const tools = (kind, ...buttons) => {
    const made = document.createElement("p");
    made.className = kind;
    made.append(...buttons);
    return made;
  };

  // ---------------------------------------------------------------- contents and code

  const contents = document.querySelector(".contents > details");
  if (contents) {
    const wide = matchMedia("(min-width: 72rem)");
    const fold = () => { contents.open = wide.matches; };
    wide.addEventListener("change", fold);
    fold();
  }

  const codes = all("details.code");
  if (codes.length) {
    const folded = () => codes.some((code) => !code.open);
    const codeSwitch = button("", "tool", () => {
      const open = folded();
      codes.forEach((code) => { code.open = open; });
      name();
    });
    const name = () => { codeSwitch.textContent = folded() ? "Show all code" : "Hide all code"; };
    codes.forEach((code) => code.addEventListener("toggle", name));
    name();
    main.prepend(tools("page-tools", codeSwitch));
  }

  // ---------------------------------------------------------------------- sort tables

  const MISSING = /^(missing|nan|none|n\/a|[-–—.]?)$/i;
  const NUMBER = /^[[(<>≤≥=≈±\s]*([-+]?)(∞|inf(?:inity)?|((?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)\.?\d*|\.\d+)(?:e([-+]?\d+))?)(?![\p{L}\d])(.*)$/iu;

  // The numbers that a text starts with, each as [value, exponent]: an exponent tells apart
  // what is too small for a number of this language. Null if it starts with none.
  const numbers = (text) => {
    const found = text.replaceAll("−", "-").match(NUMBER);
    if (!found) return null;
    const [, sign, , digits, exponent, rest] = found;
    const mantissa = digits ? Number(digits.replaceAll(",", "")) : Infinity;
    const value = digits && exponent ? Number(`${mantissa}e${exponent}`) : mantissa;
    const small = value === 0 ? Number(exponent || 0) + Math.log10(mantissa) : 0;
    const first = [sign === "-" ? -value : value, small];
    const second = /^[[(]/.test(text) && /^\s*,/.test(rest) && numbers(rest.replace(/^\s*,\s*/, ""));
    return second ? [...first, ...second] : first;
  };

  const byNumber = (a, b) => {
    const at = a.findIndex((value, i) => value !== b[i]);
    return at < 0 || b[at] === undefined ? 0 : a[at] < b[at] ? -1 : 1;
  };
  const byText = new Intl.Collator("en", { numeric: true }).compare;

  // Rows of a body in the order of a column; what is missing stays last either way.
  const ordered = (rows, column, falling) => {
    const texts = rows.map((row) => row.cells[column].textContent.trim());
    const known = rows.map((_, i) => i).filter((i) => !MISSING.test(texts[i]));
    const keys = texts.map(numbers);
    const compare = known.every((i) => keys[i])
      ? (i, j) => byNumber(keys[i], keys[j])
      : (i, j) => byText(texts[i], texts[j]);
    known.sort((i, j) => (falling ? compare(j, i) : compare(i, j)) || i - j);
    const missing = rows.filter((_, i) => MISSING.test(texts[i]));
    return [...known.map((i) => rows[i]), ...missing];
  };

  const makeSortable = (table) => {
    const rows = [...table.tBodies].flatMap((body) => [...body.rows]);
    const width = rows.length && rows[0].cells.length;
    const plain = (row) => row.cells.length === width
      && [...row.cells].every((cell) => cell.colSpan === 1 && cell.rowSpan === 1);
    const heads = table.tHead ? [...table.tHead.rows] : [];
    if (rows.length < 2 || !heads.length || ![...rows, ...heads].every(plain)) return;
    const bodies = [...table.tBodies].map((body) => [body, [...body.rows]]);
    const headers = [];
    for (let column = 0; column < width; column += 1) {
      // of several header rows, the last that has a word for the column
      const header = heads.map((row) => row.cells[column])
        .findLast((cell) => cell.tagName === "TH" && cell.textContent.trim());
      if (!header || header.querySelector("a, button, input")) continue;
      const sort = button("", "sort", () => {
        const next = { "": "ascending", ascending: "descending", descending: "" };
        const order = next[header.getAttribute("aria-sort") || ""];
        headers.forEach((other) => other.removeAttribute("aria-sort"));
        if (order) header.setAttribute("aria-sort", order);
        bodies.forEach(([body, first]) => {
          body.append(...(order ? ordered(first, column, order === "descending") : first));
        });
      });
      sort.append(...header.childNodes);
      sort.title = "Sort";
      header.append(sort);
      headers.push(header);
    }
  };

  // ---------------------------------------------------------------------- copy tables

  // Every cell at its place: one that spans several is followed by empty ones.
  const grid = (table) => {
    const rows = [...table.rows].filter((row) => row.parentElement !== table.tFoot);
    const cells = rows.map(() => []);
    rows.forEach((row, i) => {
      for (const cell of row.cells) {
        let j = 0;
        while (cells[i][j] !== undefined) j += 1;
        for (let y = i; y < Math.min(i + cell.rowSpan, rows.length); y += 1) {
          for (let x = j; x < j + cell.colSpan; x += 1) cells[y][x] = "";
        }
        cells[i][j] = cell.textContent.trim().replace(/\s+/g, " ");
      }
    });
    return cells;
  };

  // A spreadsheet computes text that begins like a formula, whoever wrote it: an apostrophe in
  // front keeps it text. Numbers and lone signs stay as they are.
  const FORMULA = /^[=+\-@]/;
  const PLAIN = /^[-+]?(?:(?:\d+|\d{1,3}(?:,\d{3})+)?\.?\d*(?:e[-+]?\d+)?|∞|inf(?:inity)?)\s*%?$/i;
  const isFormula = (text) => FORMULA.test(text) && !PLAIN.test(text);

  const csv = (table) => {
    const rows = grid(table);
    const n = rows.flat().filter(isFormula).length;
    const cell = (text) => {
      const safe = isFormula(text) ? `'${text}` : text;
      return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
    };
    const hint = n && `${n === 1 ? "One text that begins" : `${n} texts that begin`} like a formula `
      + `got an apostrophe (') in front, so that no spreadsheet computes ${n === 1 ? "it" : "them"}.`;
    return { text: rows.map((row) => row.map(cell).join(",")).join("\n") + "\n", hint };
  };

  const SPECIAL = {
    "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}",
    "<": "\\textless{}", ">": "\\textgreater{}", "|": "\\textbar{}",
    "−": "$-$", "∞": "$\\infty$", "≤": "$\\le$", "≥": "$\\ge$", "×": "$\\times$", "–": "--",
  };
  const escaped = (text) => text.replace(/[\\~^<>|−∞≤≥×–{}$&#%_]/g, (c) => SPECIAL[c] || `\\${c}`)
    .replace(/^(?=[[*])/, "{}");

  const latex = (table) => {
    if (table.dataset.latex) return { text: `${table.dataset.latex}\n` };
    const rows = grid(table);
    const lines = rows.map((row) => `${row.map(escaped).join(" & ")} \\\\`);
    const heads = table.tHead ? table.tHead.rows.length : 0;
    const last = table.rows[heads] || table.rows[0];
    const kinds = [...last.cells].map((cell) => (
      (getComputedStyle(cell).textAlign.endsWith("right") ? "r" : "l").repeat(cell.colSpan)
    )).join("");
    const text = [
      `\\begin{tabular}{${kinds}}`, "\\toprule", ...lines.slice(0, heads),
      ...(heads ? ["\\midrule"] : []), ...lines.slice(heads), "\\bottomrule", "\\end{tabular}", "",
    ].join("\n");
    return { text };
  };

  // What a screen reader says after a copy.
  const said = document.createElement("p");
  said.className = "said";
  said.setAttribute("role", "status");
  main.append(said);

  // Pages opened in old browsers or frames may not write to the clipboard the new way.
  const copyOldWay = (text) => {
    const area = document.createElement("textarea");
    const focused = document.activeElement;
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    focused?.focus();
    return done;
  };
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return copyOldWay(text);
    }
  };

  const copyButton = (table, name, kind, format, hint) => {
    // a table that is cut says how many rows it does not show
    const shown = [...table.tBodies].reduce((sum, body) => sum + body.rows.length, 0);
    const hidden = table.tFoot?.textContent.match(/^\s*… and ([\d,]+) more rows?\b/);
    const part = hidden ? ` (${shown} of ${shown + Number(hidden[1].replaceAll(",", ""))} rows)` : "";
    const label = `Copy ${kind}${part}`;
    const made = button(label, "tool", async () => {
      const copied = format(table);
      const done = await copy(copied.text);
      made.textContent = done ? "Copied" : "Not copied";
      hint.textContent = (done && copied.hint) || "";
      said.textContent = done
        ? `${name} copied. ${hint.textContent}`
        : "The browser does not let this page copy.";
      setTimeout(() => { made.textContent = label; said.textContent = ""; }, 1500);
    });
    made.setAttribute("aria-label", `Copy ${kind} of ${name}${part}`);
    return made;
  };

  const makeCopyable = (table) => {
    const name = table.caption?.querySelector(".number")?.textContent.replace(/\.$/, "") || "the table";
    const hint = document.createElement("span");
    hint.className = "hint";
    const copies = [["CSV", csv], ["LaTeX", latex]]
      .map(([kind, format]) => copyButton(table, name, kind, format, hint));
    table.after(tools("table-tools", ...copies, hint));
  };

  all("main table").filter((table) => !table.querySelector("table") && !table.closest("table table, details.code, math"))
    .forEach((table) => {
      makeSortable(table);
      makeCopyable(table);
    });
})();
