// What the tables of a report's page and those of a builder in a notebook have in common: rows in
// the order of a column, rows that contain words, numbers at their decimal marks, and rows as text
// for other programs. It knows texts alone and no page, but for the clipboard.
const nbcompareTables = (() => {
  "use strict";

  // ----------------------------------------------------------------------- order of rows

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

  // The places of the cells of a column in order; what is missing stays last either way.
  const ordered = (cells, falling) => {
    const texts = cells.map((text) => text.trim());
    const places = texts.map((_, i) => i);
    const known = places.filter((i) => !MISSING.test(texts[i]));
    const keys = texts.map(numbers);
    const compare = known.every((i) => keys[i])
      ? (i, j) => byNumber(keys[i], keys[j])
      : (i, j) => byText(texts[i], texts[j]);
    known.sort((i, j) => (falling ? compare(j, i) : compare(i, j)) || i - j);
    return [...known, ...places.filter((i) => MISSING.test(texts[i]))];
  };
  // A click on a header goes on to the next one of these.
  const NEXT_ORDER = { "": "ascending", ascending: "descending", descending: "" };

  // ---------------------------------------------------------------- rows that contain words

  const words = (text) => text.normalize("NFKC").toLowerCase().split(/\s+/).filter(Boolean);
  const searched = (cells) => words(cells.join(" ")).join(" ");
  const counted = (n, total) => `${n.toLocaleString("en")} of ${total.toLocaleString("en")} rows`;

  // ------------------------------------------------------------------------ decimal marks

  const DECIMAL = /^[<>≤≥=≈±\s]*[-−+]?\d[\d,]*(\D.*)?$/u;
  const TAIL = /^(?:\.\d*)?(?:e[-+−]?\d+)?[*†‡%\s]*$/iu;
  const kindOf = (letter) => (/[\de]/i.test(letter) ? "0" : letter); // as wide as a digit, or not

  // The letters that an end of a number lacks to be as wide as the widest of its column.
  const lacking = (widest, tail) => {
    const rest = [...widest].map(kindOf);
    [...tail].map(kindOf).forEach((letter) => {
      const at = rest.indexOf(letter);
      if (at >= 0) rest.splice(at, 1);
    });
    return rest.join("");
  };
  // What is to stand, unseen, behind each cell of a column; null behind what is no number.
  const pads = (cells) => {
    const tails = cells.map((text) => {
      const found = text.trim().match(DECIMAL);
      return found && TAIL.test(found[1] || "") ? (found[1] || "").trim() : null;
    });
    const widest = tails.reduce((most, tail) => (tail && tail.length > most.length ? tail : most), "");
    return tails.map((tail) => (tail === null ? null : lacking(widest, tail)));
  };

  // ---------------------------------------------------------------------- rows as text

  // A spreadsheet computes text that begins like a formula, whoever wrote it: an apostrophe in
  // front keeps it text. Numbers and lone signs stay as they are.
  const FORMULA = /^[=+\-@]/;
  const PLAIN = /^[-+]?(?:(?:\d+|\d{1,3}(?:,\d{3})+)?\.?\d*(?:e[-+]?\d+)?|∞|inf(?:inity)?)\s*%?$/i;
  const isFormula = (text) => FORMULA.test(text) && !PLAIN.test(text);
  const separated = (rows, separator, quoted) => {
    const n = rows.flat().filter(isFormula).length;
    const cell = (text) => quoted(isFormula(text) ? `'${text}` : text);
    const hint = n && `${n === 1 ? "One text that begins" : `${n} texts that begin`} like a formula `
      + `got an apostrophe (') in front, so that no spreadsheet computes ${n === 1 ? "it" : "them"}.`;
    return { text: rows.map((row) => row.map(cell).join(separator)).join("\n") + "\n", hint };
  };

  const csv = (rows) => (
    separated(rows, ",", (text) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text))
  );
  // What spreadsheets take from the clipboard, cell by cell.
  const tabbed = (rows) => separated(rows, "\t", (text) => text.replace(/[\t\r\n]+/g, " "));

  const SPECIAL = {
    "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}",
    "<": "\\textless{}", ">": "\\textgreater{}", "|": "\\textbar{}",
    "−": "$-$", "∞": "$\\infty$", "≤": "$\\le$", "≥": "$\\ge$", "×": "$\\times$", "–": "--",
  };
  const escaped = (text) => text.replace(/[\\~^<>|−∞≤≥×–{}$&#%_]/g, (c) => SPECIAL[c] || `\\${c}`)
    .replace(/^(?=[[*])/, "{}");

  // A table of booktabs. The first `heads` rows are headers; `right` says which columns hold numbers.
  const latex = (rows, { heads, right }) => {
    const lines = rows.map((row) => `${row.map(escaped).join(" & ")} \\\\`);
    // what is longer than a page breaks over pages
    const kind = lines.length > 36 ? "longtable" : "tabular";
    const kinds = right.map((isRight) => (isRight ? "r" : "l")).join("");
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
  const markdown = (rows, { heads, right, caption }) => {
    // as many dashes as a column is wide: pandoc wraps long lines by them
    const dashes = (i) => "-".repeat(Math.min(40, Math.max(3, ...rows.map((row) => (row[i] || "").length))));
    const marks = right.map((isRight, i) => (isRight ? `${dashes(i)}:` : `:${dashes(i)}`));
    const line = (cells) => `| ${cells.join(" | ")} |`;
    const head = heads ? rows[heads - 1].map(unmarked) : marks.map(() => " ");
    const text = [
      ...(caption ? [unmarked(caption), ""] : []),
      line(head), line(marks), ...rows.slice(heads).map((row) => line(row.map(unmarked))), "",
    ].join("\n");
    return { text };
  };

  // ------------------------------------------------------------------------ the clipboard

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

  return { NEXT_ORDER, copy, counted, csv, latex, markdown, ordered, pads, searched, tabbed, words };
})();
