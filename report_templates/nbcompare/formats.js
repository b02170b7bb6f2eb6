// Tables of the page as text: CSV, Markdown and LaTeX. `tables.js` copies them.
(() => {
  "use strict";
  const { csv, latex, markdown } = nbcompareTables;

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

  const about = (table) => {
    const heads = table.tHead ? table.tHead.rows.length : 0;
    const row = table.rows[heads] || table.rows[0];
    const right = [...row.cells].flatMap((cell) => (
      Array(cell.colSpan).fill(getComputedStyle(cell).textAlign.endsWith("right"))
    ));
    const caption = table.caption?.cloneNode(true);
    caption?.querySelector(".number")?.remove();
    return { heads, right, caption: caption?.textContent.trim() };
  };

  const asLatex = (table) => (
    !leftOut(table).length && table.dataset.latex
      ? { text: `${table.dataset.latex}\n` } : latex(whole(table), about(table))
  );

  Object.assign(globalThis.nbcomparePage, {
    leftOut,
    textOf,
    // each of a whole table
    formats: [
      ["CSV", (table) => csv(whole(table))],
      ["Markdown", (table) => markdown(whole(table), about(table))],
      ["LaTeX", asLatex],
    ],
  });
})();
