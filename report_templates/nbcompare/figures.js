// What figures gain from a script in the page of a report, beside what pointing at them tells
// (pointing.js): a pair leads to its row in a table, which without a script is a link to the table.
(() => {
  "use strict";
  const drawings = [...document.querySelectorAll("svg.nbf")];
  const pointing = nbcomparePointing({ scope: "main", still: true });
  drawings.forEach(pointing.prepare);

  const rowOf = (svg, pair) => {
    const found = pointing.rowsIn(pointing.scopeOf(svg))
      .filter(([, of]) => of.length === 2 && pair.every((name) => of.includes(name)))
      .map(([row]) => row);
    const before = found.filter((row) => (
      svg.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_PRECEDING
    ));
    return before.at(-1) || found[0];
  };

  let reached = 0;
  document.addEventListener("click", (event) => {
    const part = pointing.partAt(event.target);
    if (!part || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const { of, first } = pointing.of(part);
    const link = first.getAttribute("href");
    if (!link) return;
    const row = rowOf(part.ownerSVGElement, of);
    event.preventDefault();
    if (!row) {
      location.hash = link;
      return;
    }
    globalThis.nbcomparePage.reveal(row);
    if (!row.id) {
      reached += 1;
      row.id = `pair-${reached}`;
    }
    row.tabIndex = -1;
    location.hash = row.id; // so that the way back is the browser's
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "center" });
    pointing.light(of, pointing.scopeOf(row));
  });
})();
