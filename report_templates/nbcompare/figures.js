// What figures gain from a script: they say what a reader points at, by pointer and by keyboard,
// an algorithm is lit up in every figure and table, and a pair leads to its row in a table.
// Everything is in the page already: what a part stands for is its title, and a pair is a link.
(() => {
  "use strict";
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const plain = (text) => text.replace(/\s+/g, " ").trim();

  // ------------------------------------------------------------------------- what is there

  // Of each part of a drawing: the algorithms that it is about, what it says, its first part.
  const parts = new Map();
  const known = new Set();
  const drawings = all("svg.nbf").map((svg) => {
    let names = [];
    try {
      names = JSON.parse(svg.dataset.names).map(plain);
    } catch {
      // a drawing of somebody else, without names
    }
    names.forEach((name) => known.add(name));
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
    return { svg, firsts: [...firsts.values()] };
  });
  if (!parts.size) return;

  // The two algorithms of a text such as "A – B", whatever stands in their names.
  const pairIn = (text) => {
    for (const between of [" – ", " vs. ", " against "]) {
      for (let at = text.indexOf(between); at >= 0; at = text.indexOf(between, at + 1)) {
        const pair = [text.slice(0, at), text.slice(at + between.length)];
        if (pair.every((name) => known.has(name))) return pair;
      }
    }
    return null;
  };

  // The algorithms that a row is about: those in its first cell, or in its first two.
  const namesIn = (row) => {
    const [first, second] = [...row.cells].slice(0, 2).map((cell) => plain(cell.textContent));
    if (first === undefined) return [];
    if (known.has(first)) return known.has(second) ? [first, second] : [first];
    return pairIn(first) || [];
  };
  const rowsOf = new WeakMap();
  const rows = () => all("main tbody tr").map((row) => {
    if (!rowsOf.has(row)) rowsOf.set(row, namesIn(row));
    return [row, rowsOf.get(row)];
  });
  const headers = () => all("main thead th").map((header) => [header, [plain(header.textContent)]]);

  // ------------------------------------------------------------------------------ light up

  const light = (names) => {
    all(".lit").forEach((element) => element.classList.remove("lit"));
    if (!names.length) return;
    const wanted = new Set(names);
    const isMeant = (of) => (wanted.size === 1
      ? of.includes(names[0])
      : of.length > 0 && of.every((name) => wanted.has(name)));
    parts.forEach(({ of }, part) => { if (isMeant(of)) part.classList.add("lit"); });
    [...rows(), ...headers()].forEach(([element, of]) => {
      if (isMeant(of)) element.classList.add("lit");
    });
  };

  const tip = document.createElement("div");
  tip.className = "figure-tip";
  tip.setAttribute("aria-hidden", "true"); // the part says the same by its label
  tip.hidden = true;
  document.body.append(tip);

  const say = (text, x, y) => {
    tip.textContent = text;
    tip.hidden = !text;
    const { width, height } = tip.getBoundingClientRect();
    const room = document.documentElement.clientWidth - width - 8;
    tip.style.left = `${Math.max(8, Math.min(x + 12, room))}px`;
    tip.style.top = `${y + 18 + height > innerHeight ? Math.max(8, y - height - 12) : y + 18}px`;
  };

  const leave = () => {
    tip.hidden = true;
    light([]);
  };
  const partAt = (target) => (target instanceof Element ? target.closest("svg.nbf .m") : null);
  // Lines are thin: what is near the pointer is meant, too.
  const NEAR = [[0, -3], [0, 3], [-3, 0], [3, 0]];
  const partNear = (target, x, y) => partAt(target)
    || (target instanceof SVGElement && target.closest("svg.nbf")
      ? NEAR.map(([dx, dy]) => partAt(document.elementFromPoint(x + dx, y + dy))).find(Boolean) || null
      : null);
  let over = null; // what the pointer is over

  const point = ({ target, clientX, clientY }) => {
    const part = partNear(target, clientX, clientY);
    const row = part || !(target instanceof Element) ? null : target.closest("main tbody tr");
    const now = part || row;
    if (now === over) {
      if (part && !tip.hidden) say(tip.textContent, clientX, clientY);
      return;
    }
    if (over) leave();
    over = now;
    if (part) {
      const { of, first } = parts.get(part);
      light(of);
      say(first.getAttribute("aria-label"), clientX, clientY);
    } else if (row) {
      light(namesIn(row));
    }
  };
  document.addEventListener("pointerover", point);
  document.addEventListener("pointermove", point);
  document.documentElement.addEventListener("pointerleave", () => {
    over = null;
    leave();
  });

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

  drawings.forEach(({ svg, firsts }) => {
    svg.addEventListener("focusin", ({ target }) => {
      const part = partAt(target);
      if (!part) return;
      firsts.forEach((other) => other.setAttribute("tabindex", other === part ? "0" : "-1"));
      const box = part.getBoundingClientRect();
      light(parts.get(part).of);
      say(part.getAttribute("aria-label"), box.x, box.bottom - 12);
    });
    svg.addEventListener("focusout", leave);
    svg.addEventListener("keydown", (event) => {
      const part = partAt(event.target);
      if (!part || event.ctrlKey || event.altKey || event.metaKey) return;
      const ends = { Home: firsts[0], End: firsts.at(-1) };
      const next = event.key in STEPS ? nextTo(part, firsts, STEPS[event.key]) : ends[event.key];
      if (event.key in STEPS || next) event.preventDefault();
      next?.focus();
    });
  });
  document.addEventListener("keydown", ({ key }) => { if (key === "Escape") leave(); });

  // ------------------------------------------------------------------- from a pair to its row

  const rowOf = (svg, pair) => {
    const found = rows().filter(([, of]) => of.length === 2 && pair.every((name) => of.includes(name)))
      .map(([row]) => row);
    const before = found.filter((row) => (
      svg.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_PRECEDING
    ));
    return before.at(-1) || found[0];
  };

  let reached = 0;
  document.addEventListener("click", (event) => {
    const part = partAt(event.target);
    if (!part || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const { of, first } = parts.get(part);
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
    light(of);
  });
})();
