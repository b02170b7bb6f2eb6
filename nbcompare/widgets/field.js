// A setting: a list of words, a number or a text, with its label, its help and a note.

function listOf(model) {
  const list = made("select", {size: model.get("rows")});
  function fill() {
    const off = new Map(model.get("off"));
    list.replaceChildren(
      ...model.get("options").map((text, place) => {
        const reason = off.get(place);
        return made("option", {
          textContent: text,
          disabled: reason !== undefined,
          title: reason || "",
        });
      }),
    );
    choose();
  }
  function choose() {
    const place = model.get("index");
    list.selectedIndex = place === null ? -1 : place;
  }
  list.addEventListener("change", () => {
    model.set("index", list.selectedIndex);
    model.save_changes();
  });
  model.on("change:options change:off", fill);
  model.on("change:index", choose);
  fill();
  return list;
}

function checksOf(model) {
  const group = made("div", {className: "nbcompare-checks"});
  group.setAttribute("role", "group");
  function fill() {
    const off = new Map(model.get("off"));
    const ticked = new Set(model.get("ticked"));
    model.get("options").forEach((text, place) => {
      const box = boxes[place];
      box.checked = ticked.has(place);
      box.disabled = off.has(place);
      box.parentElement.title = off.get(place) || "";
    });
  }
  const boxes = model.get("options").map((text) => {
    const box = made("input", {type: "checkbox"});
    group.append(made("label", {}, box, made("span", {textContent: text})));
    return box;
  });
  group.addEventListener("change", () => {
    model.set("ticked", boxes.flatMap((box, place) => (box.checked ? [place] : [])));
    model.save_changes();
  });
  model.on("change:ticked change:off", fill);
  fill();
  return group;
}

function entryOf(model) {
  const kind = model.get("kind");
  const entry = made(kind === "area" ? "textarea" : "input");
  if (kind === "area") entry.rows = Math.max(3, model.get("rows"));
  else entry.type = kind === "number" ? "number" : "text";
  if (kind === "number") entry.step = "any";
  function fill() {
    const value = model.get("value");
    entry.value = value === null ? "" : value;
    entry.placeholder = model.get("placeholder");
  }
  // where another number than this one is near, the arrow keys go there
  function step(event) {
    const by = {ArrowUp: 1, ArrowDown: -1}[event.key];
    if (kind !== "number" || !by) return;
    event.preventDefault();
    const size = model.get("step");
    const next = Math.round(entry.valueAsNumber / size + by) * size;
    if (!Number.isFinite(next)) return;
    entry.value = Number(next.toPrecision(12));
    finished();
  }
  /** As when the field is left; the builder hears of it too. */
  function finished() {
    entry.dispatchEvent(new Event("change", {bubbles: true}));
  }
  function send() {
    const text = entry.value;
    model.set("value", kind === "number" ? (text === "" ? null : entry.valueAsNumber) : text);
    model.save_changes();
  }
  entry.addEventListener("keydown", step);
  entry.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && kind !== "area") finished();
  });
  entry.addEventListener("change", send);
  model.on("change:value change:placeholder", fill);
  fill();
  return entry;
}

function sentenceOf(model) {
  const told = made("div", {className: "nbcompare-sentence"});
  const fill = () => (told.textContent = model.get("value"));
  model.on("change:value", fill);
  fill();
  return told;
}

export default {
  render({model, el}) {
    const kind = model.get("kind");
    const makers = {select: listOf, checks: checksOf, told: sentenceOf};
    const entry = (makers[kind] || entryOf)(model);
    const note = notesOf(model);
    const has = kind !== "told" && kind !== "checks"; // a label by which a click goes to the field
    const label = made(has ? "label" : "span", {className: "nbcompare-label", id: identity()});
    entry.id = identity();
    if (has) label.htmlFor = entry.id;
    else if (kind === "checks") entry.setAttribute("aria-labelledby", label.id);
    if (kind !== "told") entry.setAttribute("aria-describedby", note.id);
    const [head, ended] = headOf(model, label);
    el.classList.add("nbcompare-control");
    el.append(head, entry, note);
    return ended;
  },
};
