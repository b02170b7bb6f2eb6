// Help of a control: a button with a question mark, which opens and closes a short text. Tooltips
// would be nothing for keys, for touch, and for lists.

function made(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

function identity() {
  return "nbcompare-" + Math.random().toString(36).slice(2);
}

/** Keep what hangs over the page within the builder. */
function fitted(panel) {
  panel.style.left = "0";
  const room = panel.closest(".nbcompare-builder") || document.body;
  const over = panel.getBoundingClientRect().right - room.getBoundingClientRect().right;
  if (over > 0) panel.style.left = `${-Math.ceil(over)}px`;
}

/**
 * A panel that a button opens and closes: Escape closes it, and so does what happens elsewhere.
 *
 * @param {HTMLElement} within - Holds both; keys and the focus are watched there.
 */
function opening(button, panel, within, opened = () => {}) {
  panel.id = identity();
  panel.hidden = true;
  button.setAttribute("aria-expanded", "false");
  button.setAttribute("aria-controls", panel.id);
  const elsewhere = (event) => {
    if (!within.contains(event.target)) show(false);
  };
  function show(open) {
    panel.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
    document.removeEventListener("pointerdown", elsewhere, true);
    if (open) {
      fitted(panel);
      document.addEventListener("pointerdown", elsewhere, true);
      opened();
    }
  }
  button.addEventListener("click", () => show(panel.hidden));
  within.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !panel.hidden) {
      event.stopPropagation();
      show(false);
      button.focus();
    }
  });
  within.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !within.contains(event.relatedTarget)) show(false);
  });
  return () => document.removeEventListener("pointerdown", elsewhere, true);
}

/** The line above a control: its label, and the button with its help if there is one. */
function headOf(model, label) {
  const button = made("button", {type: "button", className: "nbcompare-help", textContent: "?"});
  const panel = made("div", {className: "nbcompare-panel nbcompare-told", tabIndex: 0});
  panel.setAttribute("role", "region");
  const within = made("div", {className: "nbcompare-head"}, label, button, panel);
  const ended = opening(button, panel, within);
  function fill() {
    const [first, ...words] = model.get("help");
    label.textContent = model.get("label");
    button.hidden = !first;
    button.setAttribute("aria-label", `Help: ${model.get("label")}`);
    panel.setAttribute("aria-label", `Help: ${model.get("label")}`);
    const list = made("dl");
    for (const [word, text] of words) {
      list.append(made("dt", {textContent: word}), made("dd", {textContent: text}));
    }
    panel.replaceChildren(made("p", {textContent: first ? first[1] : ""}));
    if (words.length) panel.append(list);
  }
  model.on("change:help change:label", fill);
  fill();
  return [within, ended];
}

/** Lines below a control. */
function notesOf(model) {
  const note = made("div", {className: "nbcompare-note", id: identity()});
  function fill() {
    note.replaceChildren(...model.get("note").map((text) => made("div", {textContent: text})));
    note.hidden = !model.get("note").length;
  }
  model.on("change:note", fill);
  fill();
  return note;
}
