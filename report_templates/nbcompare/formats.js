// Tables of the page as text: CSV, Markdown and LaTeX. `tables.js` copies them.
(() => {
  "use strict";

  // The rows of a long table that the page does not show, but keeps.
  const leftOut = (table) => {
    try {
      return JSON.parse(table.dataset.leftOut || "[]");
    } catch {
      return []; // a table of somebody else
    }
  };

  const textOf = (cell) => cell.textContent.trim().replace(/\s+/g, " ");

  // Every cell at its place: one that spans several is followed by empty ones.
  const whole = (table) => {
    const rows = [...table.rows].filter((row) => row.parentElement !== table.tFoot);
    const cells = rows.map(() => []);
    rows.forEach((row, i) => {
      for (const cell of row.cells) {
        let j = 0;
        while (cells[i][j] !== undefined) j += 1;
        for (let y = i; y < Math.min(i + cell.rowSpan, rows.length); y += 1) {
          for (let x = j; x < j + cell.colSpan; x += 1) cells[y][x] = "";
        }
        cells[i][j] = textOf(cell);
      }
    });
    return [...cells, ...leftOut(table)];
  };
  // A spreadsheet computes text that begins like a formula, whoever wrote it: an apostrophe in
  // front keeps it text. Numbers and lone signs stay as they are.
  const FORMULA = /^[=+\-@]/;
  const PLAIN = /^[-+]?(?:(?:\d+|\d{1,3}(?:,\d{3})+)?\.?\d*(?:e[-+]?\d+)?|∞|inf(?:inity)?)\s*%?$/i;
  const isFormula = (text) => FORMULA.test(text) && !PLAIN.test(text);

  const csv = (rows) => {
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

  const latex = (rows, table) => {
    if (!leftOut(table).length && table.dataset.latex) return { text: `${table.dataset.latex}\n` };
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
  const markdown = (rows, table) => {
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

  Object.assign(globalThis.nbcomparePage, { csv, latex, leftOut, markdown, textOf, whole });
})();
