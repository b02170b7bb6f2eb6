// Rows of a table as they stand in it; above each column a list says what it is.

COMPONENTS.grid = ({ model, el }) => {
  const caption = made("p", { className: "nbcompare-note" });
  const [head, body] = [made("thead"), made("tbody")];
  const box = made("div", { className: "nbcompare-rows", tabIndex: 0, role: "region" });
  box.setAttribute("aria-label", "First rows");
  box.append(made("table", {}, head, body));
  el.append(caption, box);

  const headOf = ([name, use, said, isNeeded, isNumber], column) => {
    const list = made("select");
    list.setAttribute("aria-label", `What column ${name || "without a name"} is`);
    model.get("words").forEach((word, place) => {
      list.append(made("option", { textContent: word, selected: place === said }));
    });
    list.addEventListener("change", () => model.send({ column, word: list.selectedIndex }));
    const cell = made("th", { scope: "col" }, made("span", {}, name || "(without a name)"), list);
    if (use) cell.append(made("span", { className: "nbcompare-use" }, use));
    cell.classList.toggle("nbcompare-out", !isNeeded);
    cell.classList.toggle("num", isNumber);
    return cell;
  };
  const fill = () => {
    const columns = model.get("columns");
    const focused = [...head.querySelectorAll("select")].indexOf(focusedIn(el));
    caption.textContent = model.get("caption");
    head.replaceChildren(made("tr", {}, ...columns.map(headOf)));
    body.replaceChildren(...model.get("rows").map((cells) => made("tr", {}, ...cells.map(
      (text, column) => made("td", { className: columns[column]?.[4] ? "num" : "" }, text),
    ))));
    if (focused >= 0) head.querySelectorAll("select")[focused]?.focus({ preventScroll: true });
  };
  model.on("change:columns change:rows change:caption", fill);
  fill();
};
