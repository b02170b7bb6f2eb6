// Points of a scatter, each a data set, that a person brushes: with a rectangle drawn by the mouse,
// with a click on a point, or by keyboard. The kernel says what the result is without them.
// The figure beside is a live one: its parts are reached by arrow keys, and say what they are.
const BOX = ".nbcompare-leave-out";
const HINT = "To see the result without some data sets, draw a rectangle over their points or click "
  + "on points. By keyboard: arrow keys go from point to point, Space adds or removes one, Escape "
  + "clears.";
const FAR = 4; // pixels after which a press is a rectangle and no click
const NEAR = 8; // pixels from the middle of a point within which a click means it

const made = (kind, className, text = "") => {
  const element = document.createElement(kind);
  element.className = className;
  element.textContent = text;
  return element;
};

const whenPlaced = (el, signal, then) => {
  const look = () => {
    if (signal.aborted) return;
    const box = el.closest(BOX);
    if (box) then(box);
    else setTimeout(look, 20);
  };
  look();
};

const render = ({ model, el }) => {
  const ended = new AbortController();
  const { signal } = ended;
  el.classList.add("nbcompare-brush");
  const hint = made("p", "nbcompare-brush-hint", HINT);
  const status = made("p", "nbcompare-brush-told");
  status.setAttribute("role", "status");
  status.tabIndex = -1;
  const leave = made("button", "", "Leave these out");
  const clear = made("button", "", "Clear");
  const buttons = made("div", "nbcompare-brush-buttons");
  [leave, clear].forEach((button) => { button.type = "button"; });
  buttons.append(leave, clear);
  el.append(hint, status, buttons);

  let box = null;
  const brushed = () => model.get("brushed");
  const parts = () => {
    const points = model.get("points");
    return [...(box?.querySelectorAll("svg.nbf .m") || [])]
      .map((part) => [part, points[Number(part.dataset.m)]])
      .filter(([, name]) => name);
  };
  const nameOf = (target) => {
    const part = target instanceof Element && target.closest("svg.nbf .m");
    return part ? model.get("points")[Number(part.dataset.m)] : "";
  };
  const middle = (part) => {
    const { x, y, width, height } = part.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };

  const put = (element, name, value) => {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  };
  const show = () => {
    const names = new Set(brushed());
    el.hidden = !model.get("points").some(Boolean);
    buttons.hidden = !names.size;
    if (status.textContent !== model.get("told")) status.textContent = model.get("told");
    for (const [part, name] of parts()) {
      part.classList.toggle("brushed", names.has(name));
      if (part.hasAttribute("aria-hidden")) continue;
      put(part, "role", "checkbox");
      put(part, "aria-checked", String(names.has(name)));
    }
  };
  const brush = (names) => {
    const known = [...new Set(model.get("points"))].filter((name) => name && names.has(name));
    if (known.join("\n") === brushed().join("\n")) return;
    model.set("brushed", known);
    model.save_changes();
    show();
  };
  const toggle = (name) => {
    const names = new Set(brushed());
    if (!names.delete(name)) names.add(name);
    brush(names);
  };

  // ------------------------------------------------------------------------------ by mouse

  let press = null; // where the mouse went down, what was brushed before, and the rectangle
  let dragged = false; // whether the click that follows ends a rectangle
  const drop = () => {
    if (press?.band) {
      press.band.remove();
      status.focus({ preventScroll: true }); // Escape clears, and Tab goes to the buttons
    }
    press = null;
  };
  const down = (event) => {
    dragged = false;
    if (event.button !== 0 || event.pointerType === "touch") return;
    if (!(event.target instanceof Element) || !event.target.closest("svg.nbf")) return;
    const adds = event.shiftKey || event.ctrlKey || event.metaKey;
    press = { x: event.clientX, y: event.clientY, old: brushed(), before: adds ? brushed() : [] };
  };
  const move = ({ clientX, clientY }) => {
    if (!press) return;
    if (!press.band && Math.hypot(clientX - press.x, clientY - press.y) < FAR) return;
    if (!press.band) {
      press.band = made("div", "nbcompare-band");
      document.body.append(press.band);
      dragged = true;
    }
    const [left, right] = [press.x, clientX].sort((a, b) => a - b);
    const [top, bottom] = [press.y, clientY].sort((a, b) => a - b);
    Object.assign(press.band.style, {
      left: `${left}px`,
      top: `${top}px`,
      width: `${right - left}px`,
      height: `${bottom - top}px`,
    });
    const names = new Set(press.before);
    for (const [part, name] of parts()) {
      const [x, y] = middle(part);
      if (left <= x && x <= right && top <= y && y <= bottom) names.add(name);
    }
    brush(names);
  };
  const click = (event) => {
    if (dragged) {
      dragged = false;
      event.stopPropagation();
      return;
    }
    if (!(event.target instanceof Element) || !event.target.closest("svg.nbf")) return;
    const distance = ([part]) => {
      const [x, y] = middle(part);
      return Math.hypot(x - event.clientX, y - event.clientY);
    };
    const [nearest] = parts().map((one) => [distance(one), one[1]]).sort((a, b) => a[0] - b[0]);
    const name = nameOf(event.target) || (nearest && nearest[0] <= NEAR ? nearest[1] : "");
    if (name) toggle(name);
    else if (!event.shiftKey && !event.ctrlKey && !event.metaKey) brush(new Set());
  };

  // --------------------------------------------------------------------------- by keyboard

  const key = (event) => {
    if (event.key === "Escape") {
      if (press) {
        const { old } = press;
        drop();
        brush(new Set(old));
      } else brush(new Set());
      return;
    }
    const name = nameOf(event.target);
    if (!name || event.key !== " " || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    toggle(name);
  };

  leave.addEventListener("click", () => {
    model.send({ leave: brushed() });
    status.focus(); // the buttons go
  });
  clear.addEventListener("click", () => {
    brush(new Set());
    status.focus();
  });

  // The figure draws itself anew, and gives its parts their roles.
  const drawn = new MutationObserver(show);
  whenPlaced(el, signal, (found) => {
    box = found;
    const first = { capture: true, signal };
    box.addEventListener("pointerdown", down, first);
    box.addEventListener("click", click, first);
    box.addEventListener("keydown", key, first);
    window.addEventListener("pointermove", move, { signal });
    window.addEventListener("pointerup", drop, { signal });
    window.addEventListener("pointercancel", drop, { signal });
    drawn.observe(box, { childList: true, subtree: true, attributeFilter: ["role"] });
    show();
  });
  ["brushed", "points", "told"].forEach((name) => model.on(`change:${name}`, show));
  show();
  return () => {
    press?.band?.remove();
    drawn.disconnect();
    ended.abort();
    ["brushed", "points", "told"].forEach((name) => model.off(`change:${name}`, show));
  };
};

export default { render };
