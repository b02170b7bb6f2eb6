// A live figure in a builder: the drawing of the kernel, in the colours of the page, with a menu of
// what can be done with the part that a person clicks on or presses Enter at. What is pointed at is
// said and lit up by nbcomparePointing, of pointing.js, which all figures of a page share.
{
const BUILDER = ".nbcompare-builder";
const SHARED = Symbol.for("nbcompare.pointing");

const share = () => {
  if (!globalThis[SHARED]) {
    const ended = new AbortController();
    const pointing = nbcomparePointing({ scope: BUILDER, signal: ended.signal });
    globalThis[SHARED] = { users: 0, ended, pointing };
  }
  globalThis[SHARED].users += 1;
  return globalThis[SHARED].pointing;
};
const unshare = () => {
  const held = globalThis[SHARED];
  held.users -= 1;
  if (held.users) return;
  held.ended.abort();
  delete globalThis[SHARED];
};

// Jupyter says whether its theme is light; elsewhere the colour behind the figure tells.
const isDark = (element) => {
  const told = document.body.dataset.jpThemeLight;
  if (told) return told === "false";
  for (let at = element; at; at = at.parentElement) {
    const color = getComputedStyle(at).backgroundColor.match(/[\d.]+/g)?.map(Number) || [];
    const [red, green, blue, opacity = 1] = color;
    if (color.length > 2 && opacity > 0.5) {
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 110;
    }
  }
  return false;
};

const same = (one, other) => one.length === other.length && one.every((it, i) => it === other[i]);
const alike = (one, other) => same([...one].sort(), [...other].sort());

// ----------------------------------------------------------------------------------- the menu

let closeMenu = () => {};

// It stands in the builder: JupyterLab takes the focus away from what is outside of the notebook.
const openMenu = (within, part, title, offers, [x, y], choose, back) => {
  closeMenu();
  const menu = made("div", { className: "nbcompare-menu", role: "menu", "aria-label": title });
  const head = made("div", { className: "nbcompare-menu-title", "aria-hidden": "true" }, title);
  const items = offers.map(([label, refusal], number) => {
    const item = made("button", { type: "button", role: "menuitem", tabIndex: -1 }, label);
    if (refusal) {
      item.setAttribute("aria-disabled", "true");
      item.append(" ", made("small", {}, refusal));
    } else {
      item.addEventListener("click", () => {
        closeMenu();
        back();
        choose(number);
      });
    }
    return item;
  });
  menu.append(head, ...items);
  menu.popover = "manual"; // no part of the page clips it
  within.append(menu);
  menu.showPopover();
  const { width, height } = menu.getBoundingClientRect();
  menu.style.left = `${Math.max(4, Math.min(x, innerWidth - width - 4))}px`;
  menu.style.top = `${y + height + 4 > innerHeight ? Math.max(4, y - height) : y}px`;
  const ended = new AbortController();
  const { signal } = ended;
  closeMenu = () => {
    closeMenu = () => {};
    ended.abort();
    menu.remove();
  };
  menu.addEventListener("keydown", (event) => {
    const place = items.indexOf(focusedIn(menu));
    const places = {
      ArrowDown: (place + 1) % items.length,
      ArrowUp: (place - 1 + items.length) % items.length,
      Home: 0,
      End: items.length - 1,
    };
    if (event.key in places) items[places[event.key]].focus();
    else if (event.key === "Escape" || event.key === "Tab") {
      closeMenu();
      back();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  const outside = (event) => { if (!menu.contains(targetOf(event))) closeMenu(); };
  document.addEventListener("pointerdown", outside, { capture: true, signal });
  const { x: before, y: above } = part.getBoundingClientRect();
  document.addEventListener("scroll", (event) => {
    // news of scrolling that is over comes late
    const now = part.getBoundingClientRect();
    if (Math.abs(now.x - before) + Math.abs(now.y - above) > 2) outside(event);
  }, { capture: true, signal });
  globalThis.addEventListener("resize", () => closeMenu(), { signal });
  items[0].focus({ preventScroll: true });
};

// ---------------------------------------------------------------------------- the line of alpha

const LEAST = 0.001; // levels that the line goes to
const MOST = 0.5;
const STEP = 0.01; // by which arrow keys move it

/** Put a line into a drawing that moves to another level, by mouse and keys. */
const levelOf = (svg, { alpha, x, decade, top, end }, choose) => {
  const node = (tag, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  const line = node("g", {
    class: "level",
    tabindex: 0,
    role: "slider",
    "aria-label": "Alpha, the line in the figure",
    "aria-valuemin": LEAST,
    "aria-valuemax": MOST,
  });
  const text = node("text", { x: x + 4, y: top + 10, "font-size": "8px" });
  line.append(
    node("rect", { x: x - 6, y: top, width: 12, height: end - top }),
    node("line", { x1: x, x2: x, y1: top, y2: end }),
    text,
  );
  let level = alpha;
  const move = (wanted) => {
    level = Number(Math.min(MOST, Math.max(LEAST, wanted)).toPrecision(2));
    line.setAttribute("aria-valuenow", level);
    line.setAttribute("transform", `translate(${decade * Math.log10(level / alpha)} 0)`);
    text.textContent = level === alpha ? "" : `α = ${level}`;
  };
  const done = () => { if (level !== alpha) choose(level); };
  const at = (event) => new DOMPoint(event.clientX, event.clientY)
    .matrixTransform(svg.getScreenCTM().inverse()).x;
  let held = null; // where the pointer took the line
  line.addEventListener("pointerdown", (event) => {
    held = at(event) - x;
    line.setPointerCapture(event.pointerId);
    line.focus({ preventScroll: true });
    event.preventDefault();
  });
  line.addEventListener("pointermove", (event) => {
    if (held !== null) move(alpha * 10 ** ((at(event) - held - x) / decade));
  });
  line.addEventListener("pointerup", () => {
    held = null;
    done();
  });
  line.addEventListener("click", (event) => event.stopPropagation());
  let waiting = 0;
  line.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -5, PageUp: 5 };
    const ends = { Home: LEAST, End: MOST };
    const { key } = event;
    if (key in steps) move(Math.round((level + steps[key] * STEP) * 1000) / 1000);
    else if (key in ends) move(ends[key]);
    else if (key === "Escape") move(alpha);
    else return;
    event.preventDefault();
    event.stopPropagation();
    clearTimeout(waiting);
    waiting = setTimeout(done, 300);
  });
  move(alpha);
  svg.append(line);
  return line;
};

// --------------------------------------------------------------------------------- the figure

COMPONENTS.figure = ({ model, el }) => {
  const pointing = share();
  const figure = made("figure");
  el.classList.add("nbcompare-live");
  el.append(figure);
  let svg = null;
  let menuOf = null; // the algorithms whose menu is open
  let wish = null; // what was pressed before the kernel had said what can be done with it
  const builder = () => el.closest(BUILDER) || el;

  const paint = () => {
    const dark = isDark(el);
    el.closest(BUILDER)?.classList.toggle("nbcompare-dark", dark);
    const always = model.get("drawing").theme === "dark"; // as chosen, on whatever page
    svg?.classList.toggle("dark", dark || always);
    svg?.classList.toggle("on-paper", always);
  };

  const offersOf = (part) => {
    const { lists = [], of = [] } = model.get("picks");
    return lists[of[Number(part.dataset.m)]] || [];
  };
  // What can be clicked on is a button, with or without a menu.
  const offer = () => {
    if (!svg) return;
    svg.querySelectorAll(".m").forEach((part) => {
      const offers = offersOf(part);
      part.classList.toggle("can", offers.length > 0);
      if (pointing.of(part).first !== part) return;
      part.setAttribute("role", offers.length ? "button" : "img");
      if (offers.length && !(offers.length === 1 && offers[0][2])) {
        part.setAttribute("aria-haspopup", "menu");
      } else {
        part.removeAttribute("aria-haspopup");
      }
    });
  };

  // The pair that is looked at, in all figures of the builder; tables mark their rows themselves.
  const choose = () => {
    const names = model.get("selected").map((name) => name.replace(/\s+/g, " ").trim());
    const within = builder();
    within.querySelectorAll(".chosen").forEach((one) => {
      one.classList.remove("chosen");
      one.removeAttribute("aria-current");
    });
    if (!names.length) return;
    const about = (is) => pointing.partsIn(within).filter(([, of]) => is(of, names));
    const exact = about(same);
    (exact.length ? exact : about(alike)).forEach(([one]) => {
      one.classList.add("chosen");
      if (!one.hasAttribute("aria-hidden")) one.setAttribute("aria-current", "true");
    });
  };

  const draw = () => {
    const drawing = model.get("drawing");
    const focused = figure.contains(focusedIn(el));
    const stop = svg && (focused ? focusedIn(el) : svg.querySelector(".m[tabindex='0']"));
    const held = pointing.of(stop)?.of;
    const template = document.createElement("template");
    // the kernel has escaped every text in it
    template.innerHTML = drawing.svg || "";
    svg = template.content.firstElementChild;
    const shown = svg || document.createElement("img");
    if (!svg) [shown.src, shown.alt] = [drawing.picture || "", drawing.alt || ""];
    shown.style.minWidth = `${drawing.least || 0}px`;
    const { firsts = [] } = svg ? pointing.prepare(svg) : {};
    const isLevel = focused && focusedIn(el).matches(".level");
    const level = svg && drawing.level?.alpha
      ? levelOf(svg, drawing.level, (alpha) => model.send({ level: alpha })) : null;
    paint();
    figure.replaceChildren(...(drawing.svg || drawing.picture ? [shown] : []));
    const stays = held && firsts.find((part) => same(pointing.of(part).of, held));
    if (stays) firsts.forEach((part) => part.setAttribute("tabindex", part === stays ? "0" : "-1"));
    if (menuOf && !(held && stays)) closeMenu();
    if (focused) (isLevel ? level : stays || firsts[0])?.focus({ preventScroll: true });
    pointing.pointAgain();
    offer();
    if (model.get("selected").length) choose();
  };

  const act = (part, where) => {
    const { of, first } = pointing.of(part);
    wish = model.get("picks").lists ? null : { of, where };
    const offers = offersOf(part);
    if (!offers.length) return;
    const { number: drawn } = model.get("drawing");
    const send = (number) => model.send({ pick: [drawn, Number(part.dataset.m), number] });
    if (offers.length === 1 && offers[0][2] && !offers[0][1]) {
      send(0);
      return;
    }
    pointing.leave();
    menuOf = of;
    const back = () => {
      menuOf = null;
      const there = svg && pointing.firstsOf(svg).find((one) => same(pointing.of(one).of, of));
      (there || first).focus({ preventScroll: true });
    };
    openMenu(builder(), part, of.join(" – "), offers, where, send, back);
  };
  // A figure is drawn a moment before its offers come. The focus says whether they are still wanted.
  const offered = () => {
    offer();
    const part = wish && figure.contains(focusedIn(el))
      && pointing.partAt(focusedIn(el));
    if (part && same(pointing.of(part).of, wish.of)) act(part, wish.where);
  };
  el.addEventListener("click", (event) => {
    const part = pointing.partNear(event.target, event.clientX, event.clientY);
    if (!part) return;
    pointing.of(part).first.focus({ preventScroll: true });
    act(part, [event.clientX, event.clientY]);
  });
  el.addEventListener("keydown", (event) => {
    const part = pointing.partAt(event.target);
    if (!part || !["Enter", " "].includes(event.key) || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const box = part.getBoundingClientRect();
    act(part, [box.x + Math.min(box.width, 24), box.bottom]);
  });

  model.on("change:drawing", draw);
  model.on("change:picks", offered);
  model.on("change:selected", choose);

  const seen = new MutationObserver(() => requestAnimationFrame(paint));
  const attributeFilter = ["class", "style", "theme", "data-theme", "data-jp-theme-light"];
  [document.body, document.documentElement].forEach((one) => {
    seen.observe(one, { attributes: true, attributeFilter });
  });
  // it comes into the page after it was made, and its room changes with the window
  let isPlaced = false;
  let measuring = 0;
  const measure = () => {
    const room = Math.floor(el.clientWidth);
    if (!room || Math.abs(room - model.get("room")) < 2) return;
    model.set("room", room);
    model.save_changes();
  };
  const placed = new ResizeObserver(() => {
    if (!el.isConnected) return;
    clearTimeout(measuring);
    measuring = setTimeout(measure, isPlaced ? 300 : 0);
    if (isPlaced) return;
    isPlaced = true;
    paint();
    if (model.get("selected").length) choose();
  });
  placed.observe(el);
  draw();

  return () => {
    [seen, placed].forEach((one) => one.disconnect());
    clearTimeout(measuring);
    if (menuOf) closeMenu();
    pointing.leave();
    unshare();
  };
};
}
