// What a page gains from a script: code folded at once, tables sorted and copied,
// figures saved, the literature copied.
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

  // The rows of a long table that the page does not show, but keeps.
  const leftOut = (table) => {
    try {
      return JSON.parse(table.dataset.leftOut || "[]");
    } catch {
      return []; // a table of somebody else
    }
  };

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
    return [...cells, ...leftOut(table)];
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
    const whole = !leftOut(table).length;
    if (whole && table.dataset.latex) return { text: `${table.dataset.latex}\n` };
    const rows = grid(table);
    const lines = rows.map((row) => `${row.map(escaped).join(" & ")} \\\\`);
    const heads = table.tHead ? table.tHead.rows.length : 0;
    // what is longer than a page breaks over pages
    const kind = lines.length > 36 ? "longtable" : "tabular";
    const last = table.rows[heads] || table.rows[0];
    const kinds = [...last.cells].map((cell) => (
      (getComputedStyle(cell).textAlign.endsWith("right") ? "r" : "l").repeat(cell.colSpan)
    )).join("");
    const text = [
      `\\begin{${kind}}{${kinds}}`, "\\toprule", ...lines.slice(0, heads),
      ...(heads ? ["\\midrule"] : []), ...(heads && kind === "longtable" ? ["\\endhead"] : []),
      ...lines.slice(heads), "\\bottomrule", `\\end{${kind}}`, "",
    ].join("\n");
    return { text };
  };

  // A pipe table, for GitHub, pandoc and Quarto.
  // Entities stand for what programs look for before they read Markdown.
  const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
  const unmarked = (text) => text
    .replace(/[\\$|`&<>]/g, (c) => ENTITIES[c] || `&#${c.charCodeAt(0)};`)
    .replace(/[*_{}[\]!~^@:'"]|(?<=[-.])[-.]|(?<!&)#/g, "\\$&");
  const markdown = (table) => {
    const rows = grid(table);
    const heads = table.tHead ? table.tHead.rows.length : 0;
    const body = table.rows[heads] || table.rows[0];
    // as many dashes as a column is wide: pandoc wraps long lines by them
    const dashes = (i) => "-".repeat(Math.min(40, Math.max(3, ...rows.map((row) => (row[i] || "").length))));
    const sides = [...body.cells].flatMap((cell) => (
      Array(cell.colSpan).fill(getComputedStyle(cell).textAlign.endsWith("right"))
    ));
    const marks = sides.map((right, i) => (right ? `${dashes(i)}:` : `:${dashes(i)}`));
    const line = (cells) => `| ${cells.join(" | ")} |`;
    const head = heads ? rows[heads - 1].map(unmarked) : marks.map(() => " ");
    const caption = table.caption?.cloneNode(true);
    caption?.querySelector(".number")?.remove();
    const text = [
      ...(caption ? [unmarked(caption.textContent.trim()), ""] : []),
      line(head), line(marks), ...rows.slice(heads).map((row) => line(row.map(unmarked))), "",
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

  // A button that says what it did, to those who see it and to those who hear it.
  const tellingButton = (label, name, act, hint) => {
    const made = button(label, "tool", async () => {
      const { done, text, more = "" } = await act();
      made.textContent = text;
      hint.textContent = more;
      said.textContent = `${done} ${more}`.trim();
      setTimeout(() => { made.textContent = label; said.textContent = ""; }, 1500);
    });
    made.setAttribute("aria-label", name);
    return made;
  };
  const hintBeside = () => {
    const made = document.createElement("span");
    made.className = "hint";
    return made;
  };
  const copying = (name, make) => async () => {
    const copied = make();
    return (await copy(copied.text))
      ? { done: `${name} copied.`, text: "Copied", more: copied.hint || "" }
      : { done: "The browser does not let this page copy.", text: "Not copied" };
  };

  // A table that is cut says how many rows are copied: all, if the page keeps those not shown.
  const rowsOf = (table) => {
    const shown = [...table.tBodies].reduce((sum, body) => sum + body.rows.length, 0);
    const hidden = table.tFoot?.textContent.match(/^\s*… and ([\d,]+) more rows?\b/);
    if (!hidden) return "";
    const n = shown + Number(hidden[1].replaceAll(",", ""));
    return shown + leftOut(table).length === n ? ` (all ${n} rows)` : ` (${shown} of ${n} rows)`;
  };

  const makeCopyable = (table) => {
    const name = table.caption?.querySelector(".number")?.textContent.replace(/\.$/, "") || "the table";
    const rows = rowsOf(table);
    const hint = hintBeside();
    const copies = [["CSV", csv], ["Markdown", markdown], ["LaTeX", latex]].map(([kind, format]) => (
      tellingButton(
        `Copy ${kind}${rows}`, `Copy ${kind} of ${name}${rows}`,
        copying(name, () => format(table)), hint,
      )
    ));
    table.after(tools("table-tools", ...copies, hint));
  };

  all("main table").filter((table) => !table.querySelector("table") && !table.closest("table table, details.code, math"))
    .forEach((table) => {
      makeSortable(table);
      makeCopyable(table);
    });

  // --------------------------------------------------------------------- save figures

  const decoded = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const save = (blob, file) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  };

  const DOTS = 300 / 96; // of print, per pixel of the page
  // The picture of a figure that is part of the page: its text as outlines, for any program.
  const outlines = async (figure) => {
    const packed = new Blob([decoded(figure.dataset.svg)]).stream();
    const svg = await new Response(packed.pipeThrough(new DecompressionStream("gzip"))).blob();
    return new Blob([svg], { type: "image/svg+xml" });
  };
  const pictured = async (figure) => {
    const image = new Image();
    image.src = URL.createObjectURL(await outlines(figure));
    return drawn(image).finally(() => URL.revokeObjectURL(image.src));
  };
  const drawn = async (image) => {
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(image.naturalWidth * DOTS);
    canvas.height = Math.round(image.naturalHeight * DOTS);
    const context = canvas.getContext("2d");
    context.fillStyle = "#ffffff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((done) => { canvas.toBlob(done, "image/png"); });
    if (!blob) throw new Error("the drawing is too large");
    return blob;
  };

  all("main figure[id]").forEach((figure) => {
    const image = figure.querySelector("img");
    const own = image?.getAttribute("src").match(/^data:(image\/[\w.+-]+);base64,(.*)$/s);
    if (!own && !figure.dataset.svg) return;
    const name = figure.querySelector(".number")?.textContent.replace(/\.$/, "") || "the figure";
    const kinds = !own
      ? [["SVG", () => outlines(figure)], ["PNG", () => pictured(figure)]]
      : own[1] === "image/svg+xml"
      ? [["SVG", () => new Blob([decoded(own[2])], { type: own[1] })], ["PNG", () => drawn(image)]]
      : [[own[1].slice("image/".length).toUpperCase(), () => new Blob([decoded(own[2])], { type: own[1] })]];
    if (figure.dataset.pdf) {
      kinds.push(["PDF", () => new Blob([decoded(figure.dataset.pdf)], { type: "application/pdf" })]);
    }
    const hint = hintBeside();
    figure.after(tools("table-tools", ...kinds.map(([kind, make]) => {
      const file = `${name.toLowerCase().replace(/\W+/g, "-")}.${kind.toLowerCase()}`;
      return tellingButton(`Save ${kind}`, `Save ${kind} of ${name}`, async () => {
        try {
          save(await make(), file);
          return { done: `${name} saved as ${file}.`, text: "Saved" };
        } catch {
          return { done: "The browser does not let this page save.", text: "Not saved" };
        }
      }, hint);
    }), hint));
  });

  // ------------------------------------------------------------------ copy literature

  const literature = document.getElementById("nbcompare-bibtex");
  if (literature) {
    const hint = hintBeside();
    const copyBibtex = tellingButton(
      "Copy BibTeX", "Copy BibTeX of the references",
      copying("The references", () => ({ text: JSON.parse(literature.textContent) })), hint,
    );
    const list = document.querySelector("main ol.references");
    const place = tools("table-tools", copyBibtex, hint);
    if (list) list.after(place);
    else main.append(place);
  }
})();
