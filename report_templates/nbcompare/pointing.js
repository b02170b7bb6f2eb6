// What the figures of a report and those of builders in a notebook have in common: they say what a
// reader points at, by pointer and by keyboard, and light an algorithm up wherever it is.
// What a part of a drawing stands for is its title. Within a scope, the page of a report or one
// builder, figures and tables belong together; drawings and rows may come and go.
"use strict";
const nbcomparePointing = ({ scope, still = false, signal = undefined }) => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const plain = (text) => text.replace(/\s+/g, " ").trim();
  const listen = (target, kind, act) => target.addEventListener(kind, act, { signal });
  const scopeOf = (element) => (element instanceof Element ? element.closest(scope) : null);

  // ------------------------------------------------------------------------- what is there

  const drawings = new WeakMap(); // of each drawing: its names, and the first part of each mark
  const parts = new WeakMap(); // of each part: the algorithms that it is about, its first part

  const prepare = (svg) => {
    let names = [];
    try {
      names = JSON.parse(svg.dataset.names).map(plain);
    } catch {
      // a drawing of somebody else, without names
    }
    const firsts = new Map();
    for (const part of all(".m", svg)) {
      const number = part.dataset.m;
      const title = part.querySelector("title");
      if (!firsts.has(number)) {
        // as a label it is not shown a second time by the browser
        part.setAttribute("aria-label", title?.textContent || "");
        title?.remove();
        part.setAttribute("tabindex", firsts.size ? "-1" : "0");
        firsts.set(number, part);
      } else {
        part.setAttribute("aria-hidden", "true");
      }
      const of = part.dataset.of.split(" ").filter(Boolean).map((place) => names[place]);
      parts.set(part, { of, first: firsts.get(number) });
    }
    const drawing = { names, firsts: [...firsts.values()] };
    drawings.set(svg, drawing);
    return drawing;
  };
  const drawingsIn = (within) => all("svg.nbf", within).filter((svg) => drawings.has(svg));
  const partsIn = (within) => (
    drawingsIn(within).flatMap((svg) => all(".m", svg).map((part) => [part, parts.get(part).of]))
  );
  const namesIn = (within) => new Set(drawingsIn(within).flatMap((svg) => drawings.get(svg).names));

  // The two algorithms of a text such as "A – B", whatever stands in their names.
  const pairIn = (text, known) => {
    for (const between of [" – ", " vs. ", " against "]) {
      for (let at = text.indexOf(between); at >= 0; at = text.indexOf(between, at + 1)) {
        const pair = [text.slice(0, at), text.slice(at + between.length)];
        if (pair.every((name) => known.has(name))) return pair;
      }
    }
    return null;
  };

  // The algorithms that a row is about: those in its first cell, or in its first two.
  const readRow = (row, known) => {
    const [first, second] = [...row.cells].slice(0, 2).map((cell) => plain(cell.textContent));
    if (first === undefined) return [];
    if (known.has(first)) return known.has(second) ? [first, second] : [first];
    return pairIn(first, known) || [];
  };
  const read = new WeakMap(); // where rows stay as they are
  const namesOf = (row, known) => {
    if (!still) return readRow(row, known);
    if (!read.has(row)) read.set(row, readRow(row, known));
    return read.get(row);
  };
  // The tables of a builder know what their rows are about, and light them up themselves.
  const ALIVE = ".nbcompare-tables";
  const notAlive = (selector, within) => all(selector, within).filter((one) => !one.closest(ALIVE));
  const rowsIn = (within) => {
    const known = namesIn(within);
    return notAlive("tbody tr", within).map((row) => [row, namesOf(row, known)]);
  };
  const headersIn = (within) => (
    notAlive("thead th", within).map((header) => [header, [plain(header.textContent)]])
  );

  // ------------------------------------------------------------------------------ light up

  const tip = document.createElement("div");
  tip.className = "figure-tip";
  tip.setAttribute("aria-hidden", "true"); // the part says the same by its label
  tip.hidden = true;
  document.body.append(tip);
  signal?.addEventListener("abort", () => tip.remove());

  const say = (text, x, y) => {
    tip.textContent = text;
    tip.hidden = !text;
    const { width, height } = tip.getBoundingClientRect();
    const room = document.documentElement.clientWidth - width - 8;
    tip.style.left = `${Math.max(8, Math.min(x + 12, room))}px`;
    tip.style.top = `${y + 18 + height > innerHeight ? Math.max(8, y - height - 12) : y + 18}px`;
  };

  let litIn = null; // where something is lit up
  const show = (names, within) => {
    if (litIn) all(".lit", litIn).forEach((element) => element.classList.remove("lit"));
    litIn = names.length ? within : null;
    if (!litIn) return;
    const wanted = new Set(names);
    const isMeant = (of) => (wanted.size === 1
      ? of.includes(names[0])
      : of.length > 0 && of.every((one) => wanted.has(one)));
    [...partsIn(within), ...rowsIn(within), ...headersIn(within)].forEach(([element, of]) => {
      if (isMeant(of)) element.classList.add("lit");
    });
  };
  // Figures and live tables tell each other what is lit up.
  const LIGHT = "nbcompare:light";
  const tell = (names, within) => (
    within.dispatchEvent(new CustomEvent(LIGHT, { bubbles: true, detail: { names, by: tip } }))
  );
  const light = (names, within) => {
    const before = litIn;
    show(names, within);
    if (before && before !== litIn) tell([], before);
    if (litIn) tell(names, litIn);
  };
  listen(document, LIGHT, ({ target, detail }) => {
    if (detail.by !== tip) show(detail.names, scopeOf(target));
  });
  const leave = () => {
    tip.hidden = true;
    light([]);
  };
  const partAt = (target) => {
    const part = target instanceof Element ? target.closest("svg.nbf .m") : null;
    return part && parts.has(part) ? part : null;
  };
  // Lines are thin: what is near the pointer is meant, too.
  const NEAR = [[0, -3], [0, 3], [-3, 0], [3, 0]];
  const partNear = (target, x, y) => partAt(target)
    || (target instanceof SVGElement && target.closest("svg.nbf")
      ? NEAR.map(([dx, dy]) => partAt(document.elementFromPoint(x + dx, y + dy))).find(Boolean) || null
      : null);
  let over = null; // what the pointer is over
  let at = null; // where the pointer is

  const point = ({ target, clientX, clientY }) => {
    at = [clientX, clientY];
    const part = partNear(target, clientX, clientY);
    const within = scopeOf(part || target);
    const row = part || !within || target.closest(ALIVE) ? null : target.closest("tbody tr");
    const now = part || row;
    if (now === over) {
      if (part && !tip.hidden) say(tip.textContent, clientX, clientY);
      return;
    }
    if (over) leave();
    over = now;
    if (part) {
      const { of, first } = parts.get(part);
      light(of, within);
      say(first.getAttribute("aria-label"), clientX, clientY);
    } else if (row) {
      light(namesOf(row, namesIn(within)), within);
    }
  };
  listen(document, "pointerover", point);
  listen(document, "pointermove", point);
  listen(document.documentElement, "pointerleave", () => {
    over = null;
    leave();
  });
  // Look once more at what the pointer is over: a drawing has come in the place of another.
  const pointAgain = () => {
    if (!at || !over || over.isConnected) return;
    leave();
    over = null;
    const target = document.elementFromPoint(...at);
    if (target) point({ target, clientX: at[0], clientY: at[1] });
  };

  // ------------------------------------------------------------------------------ by keyboard

  // A drawing is one stop of the Tab key; arrows go from part to part in it.
  const STEPS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const nextTo = (part, firsts, [dx, dy]) => {
    const [x, y] = middle(part);
    let nearest = null;
    let least = Infinity;
    for (const other of firsts) {
      const [a, b] = middle(other);
      const along = (a - x) * dx + (b - y) * dy;
      const across = Math.abs((a - x) * dy) + Math.abs((b - y) * dx);
      const distance = along + 3 * across;
      if (other !== part && along > 0.5 && distance < least) [nearest, least] = [other, distance];
    }
    return nearest;
  };

  listen(document, "focusin", ({ target }) => {
    const part = partAt(target);
    if (!part) return;
    const { firsts } = drawings.get(part.ownerSVGElement);
    firsts.forEach((other) => other.setAttribute("tabindex", other === part ? "0" : "-1"));
    const box = part.getBoundingClientRect();
    light(parts.get(part).of, scopeOf(part));
    say(part.getAttribute("aria-label"), box.x, box.bottom - 12);
  });
  listen(document, "focusout", ({ target }) => { if (partAt(target)) leave(); });
  listen(document, "keydown", (event) => {
    if (event.key === "Escape") leave();
    const part = partAt(event.target);
    if (!part || event.ctrlKey || event.altKey || event.metaKey) return;
    const { firsts } = drawings.get(part.ownerSVGElement);
    const ends = { Home: firsts[0], End: firsts.at(-1) };
    const next = event.key in STEPS ? nextTo(part, firsts, STEPS[event.key]) : ends[event.key];
    if (event.key in STEPS || next) event.preventDefault();
    next?.focus();
  });

  return {
    prepare, partAt, partNear, partsIn, rowsIn, scopeOf, light, leave, pointAgain,
    of: (part) => parts.get(part),
    firstsOf: (svg) => drawings.get(svg)?.firsts || [],
  };
};
