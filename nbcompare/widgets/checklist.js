// Names to tick, behind a button that says how many are ticked: with a search, for all of them at
// once, and by groups.

const MOST_LISTED = 1000; // of the names that a search finds
const FEW = 8; // names that need no search
const PAGE = 10; // names by which Page Up and Page Down move

function checkListOf(model) {
  let names = [];
  let ticked = new Set();
  let found = []; // the places of names that are listed
  let boxes = [];
  let current = 0; // the box that Tab reaches
  let from = 0; // the other end of a range

  const button = made("button", {type: "button", className: "nbcompare-opener"});
  const message = made("div", {className: "nbcompare-warning"});
  message.setAttribute("role", "status");
  const search = made("input", {type: "search", placeholder: "Search"});
  const all = made("button", {type: "button", textContent: "All"});
  const none = made("button", {type: "button", textContent: "None"});
  const invert = made("button", {type: "button", textContent: "Invert"});
  const count = made("span", {className: "nbcompare-count"});
  const row = made("div", {className: "nbcompare-row"}, all, none, invert, count);
  const groups = made("div", {className: "nbcompare-groups"});
  groups.setAttribute("role", "group");
  const list = made("div", {className: "nbcompare-boxes"});
  list.setAttribute("role", "group");
  const panel = made("div", {className: "nbcompare-panel"});
  panel.setAttribute("role", "group");
  panel.append(message, search, row, groups, list);
  const within = made("div", {className: "nbcompare-hanging"}, button, panel);
  const ended = opening(button, panel, within, () => (search.hidden ? boxes[0] : search)?.focus());

  const places = () => [...ticked].sort((a, b) => a - b);

  /** Show what is ticked here, and tell the kernel of it if it is enough. */
  function changed() {
    const least = model.get("least");
    const few = ticked.size < least;
    const noun = model.get("noun");
    message.textContent = few ? `Choose at least ${least === 1 ? "one" : "two"} (${noun}).` : "";
    show();
    if (few) return;
    model.set("chosen", places());
    model.save_changes();
  }

  function show() {
    boxes.forEach((box, i) => (box.checked = ticked.has(found[i])));
    count.textContent = `${ticked.size.toLocaleString("en")} of ${names.length.toLocaleString("en")}`;
    for (const line of groups.children) {
      const members = model.get("groups")[Number(line.dataset.place)][1];
      const has = members.filter((place) => ticked.has(place)).length;
      const box = line.querySelector("input");
      box.checked = has === members.length;
      box.indeterminate = has > 0 && has < members.length;
    }
  }

  function settle(wanted, on) {
    for (const place of wanted) {
      if (on) ticked.add(place);
      else ticked.delete(place);
    }
  }

  function listed() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (name) => words.every((word) => name.toLowerCase().includes(word));
    const all = names.map((_, place) => place).filter((place) => fits(names[place]));
    found = all.slice(0, MOST_LISTED);
    boxes = [];
    list.replaceChildren(
      ...found.map((place) => {
        const box = made("input", {type: "checkbox", tabIndex: -1});
        boxes.push(box);
        return made("label", {}, box, made("span", {textContent: names[place]}));
      }),
    );
    if (all.length > found.length) {
      const hidden = `${found.length} of ${all.length} are listed; search for the others.`;
      list.append(made("div", {className: "nbcompare-note", textContent: hidden}));
    } else if (!all.length) {
      list.append(made("div", {className: "nbcompare-note", textContent: "No such name."}));
    }
    reach(0);
    show();
  }

  /** Make a box the one that Tab reaches. */
  function reach(place) {
    current = Math.max(0, Math.min(place, boxes.length - 1));
    boxes.forEach((box, i) => (box.tabIndex = i === current ? 0 : -1));
  }

  function visible() {
    return new Set(search.value.trim() ? found : names.map((_, place) => place));
  }

  function take() {
    const few = names.length <= FEW;
    names = model.get("names");
    ticked = new Set(model.get("chosen"));
    message.textContent = "";
    if (few !== names.length <= FEW || !boxes.length || found.length !== names.length) {
      search.value = "";
    }
    search.hidden = names.length <= FEW;
    search.setAttribute("aria-label", `Search ${model.get("noun")}`);
    panel.setAttribute("aria-label", model.get("label"));
    list.setAttribute("aria-label", model.get("label"));
    groups.setAttribute("aria-label", `Groups of ${model.get("noun")}`);
    groups.hidden = !model.get("groups").length;
    groups.replaceChildren(
      ...model.get("groups").map(([label, members], place) => {
        const box = made("input", {type: "checkbox"});
        box.addEventListener("change", () => {
          settle(members, box.checked);
          changed();
        });
        const text = made("span", {textContent: `${label} (${members.length})`});
        const only = made("button", {type: "button", textContent: "only"});
        only.setAttribute("aria-label", `Only ${label}`);
        only.addEventListener("click", () => {
          ticked = new Set(members);
          changed();
        });
        const line = made("div", {}, made("label", {}, box, text), only);
        line.dataset.place = place;
        return line;
      }),
    );
    listed();
  }

  function chosen() {
    ticked = new Set(model.get("chosen"));
    message.textContent = "";
    show();
  }

  const told = () => (button.textContent = model.get("told"));

  search.addEventListener("input", listed);
  all.addEventListener("click", () => {
    settle(visible(), true);
    changed();
  });
  none.addEventListener("click", () => {
    settle(visible(), false);
    changed();
  });
  invert.addEventListener("click", () => {
    for (const place of visible()) settle([place], !ticked.has(place));
    changed();
  });
  list.addEventListener("click", (event) => {
    const place = boxes.indexOf(event.target);
    if (place < 0) return;
    const [low, high] = event.shiftKey ? [Math.min(from, place), Math.max(from, place)] : [place, place];
    settle(found.slice(low, high + 1), event.target.checked);
    from = place;
    reach(place);
    changed();
  });
  list.addEventListener("keydown", (event) => {
    const to = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      PageDown: current + PAGE,
      PageUp: current - PAGE,
      Home: 0,
      End: boxes.length - 1,
    }[event.key];
    const every = event.key.toLowerCase() === "a" && (event.ctrlKey || event.metaKey);
    if (to === undefined && !every) return;
    event.preventDefault();
    event.stopPropagation();
    if (every) {
      settle(visible(), true);
      changed();
      return;
    }
    reach(to);
    boxes[current]?.focus();
    boxes[current]?.scrollIntoView({block: "nearest"});
  });
  model.on("change:names change:groups", take);
  model.on("change:chosen", chosen);
  model.on("change:told", told);
  take();
  told();
  return [within, button, ended];
}

export default {
  render({model, el}) {
    const label = made("span", {className: "nbcompare-label", id: identity()});
    const [head, helpEnded] = headOf(model, label);
    const [within, button, ended] = checkListOf(model);
    button.id = identity();
    button.setAttribute("aria-labelledby", `${label.id} ${button.id}`);
    el.classList.add("nbcompare-control");
    if (model.get("label_shown")) el.append(head);
    else button.removeAttribute("aria-labelledby");
    el.append(within, notesOf(model));
    return () => {
      ended();
      helpEnded();
    };
  },
};
