// What a page gains from a script: code folded at once, the contents marked, figures saved,
// findings, methods and literature copied; `tables.js` has what is done with tables.
// Everything here is a button or a mark that is added; the page is complete without them.
(() => {
  "use strict";
  const { copy } = nbcompareTables;
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const main = document.querySelector("main");

  const button = (label, kind, action) => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = kind;
    made.append(label);
    made.addEventListener("click", action);
    return made;
  };

  // A paragraph of buttons.
  const tools = (kind, ...buttons) => {
    const made = document.createElement("p");
    made.className = kind;
    made.append(...buttons);
    return made;
  };

  // ---------------------------------------------------------------- contents and code

  const contents = document.querySelector(".contents > details");
  if (contents) {
    const wide = matchMedia("(min-width: 68rem)");
    const fold = () => { contents.open = wide.matches; };
    wide.addEventListener("change", fold);
    fold();
  }

  // The element that a link of the page leads to.
  const targetOf = (link) => {
    try {
      return document.getElementById(decodeURIComponent(link.slice(1)));
    } catch {
      return null; // no address of ours
    }
  };

  // Unfold what is around an element; tables that hide it hear of it.
  const reveal = (element) => {
    for (let around = element; around; around = around.parentElement) {
      if (around.tagName === "DETAILS" && around !== element) around.open = true;
    }
    element.dispatchEvent(new CustomEvent("nbcompare-reveal", { bubbles: true }));
  };
  // before the browser goes there
  document.addEventListener("click", (event) => {
    const target = targetOf(event.target.closest?.("a[href^='#']")?.getAttribute("href") || "");
    if (target) reveal(target);
  }, true);
  const revealAddress = () => {
    const target = targetOf(location.hash);
    if (!target) return;
    reveal(target);
    target.scrollIntoView();
  };
  addEventListener("hashchange", revealAddress);

  // The contents say which part is being read: the last whose heading is in the upper quarter.
  const entries = all(".contents a[href^='#']").map((link) => [link, targetOf(link.getAttribute("href"))])
    .filter(([, heading]) => heading);
  const readPart = () => {
    const shown = entries.filter(([, heading]) => heading.getClientRects().length);
    const top = (heading) => heading.getBoundingClientRect().top;
    const asked = shown.find(([link, heading]) => (
      link.getAttribute("href") === location.hash && top(heading) >= 0 && top(heading) < innerHeight
    ));
    const atEnd = scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
    // what stands low at the end of a page cannot reach the upper quarter
    if (atEnd) return asked || shown.at(-1);
    return shown.findLast(([, heading]) => top(heading) <= innerHeight / 4) || shown[0];
  };
  let marked;
  const mark = () => {
    const [link] = readPart() || [];
    if (link === marked) return;
    marked?.removeAttribute("aria-current");
    marked = link;
    link?.setAttribute("aria-current", "location");
    const [list, entry] = [contents.parentElement, link];
    if (!entry || list.scrollHeight <= list.clientHeight) return;
    const [around, box] = [list.getBoundingClientRect(), entry.getBoundingClientRect()];
    if (box.top < around.top || box.bottom > around.bottom) {
      list.scrollTop += box.top - around.top - around.height / 2;
    }
  };
  if (entries.length) {
    let waiting = false;
    const soon = () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => { waiting = false; mark(); });
    };
    addEventListener("scroll", soon, { passive: true });
    addEventListener("resize", soon);
    addEventListener("load", soon);
    document.addEventListener("toggle", soon, true);
  }

  const codes = all("details.code");
  let codeSwitch = null;
  if (codes.length) {
    const folded = () => codes.some((code) => !code.open);
    codeSwitch = button("", "tool code-switch", () => {
      const open = folded();
      codes.forEach((code) => { code.open = open; });
      name();
    });
    const name = () => { codeSwitch.textContent = folded() ? "Show all code" : "Hide all code"; };
    codes.forEach((code) => code.addEventListener("toggle", name));
    name();
  }

  // ------------------------------------------------------------------- buttons that tell

  // What a screen reader says after a copy.
  const said = document.createElement("p");
  said.className = "said";
  said.setAttribute("role", "status");
  main.append(said);

  const say = (text) => { said.textContent = text; };

  // A button that says what it did, to those who see it and to those who hear it.
  // `label` and `name` are texts, or functions that return what they are now.
  const tellingButton = (label, name, act, hint) => {
    const now = (text) => (typeof text === "function" ? text() : text);
    const made = button("", "tool", async () => {
      const { done, text, more = "" } = await act();
      made.textContent = text;
      hint.textContent = more;
      say(`${done} ${more}`.trim());
      setTimeout(() => { made.refresh(); say(""); }, 1500);
    });
    made.refresh = () => {
      made.textContent = now(label);
      made.setAttribute("aria-label", now(name));
    };
    made.refresh();
    return made;
  };
  const hintBeside = () => {
    const made = document.createElement("span");
    made.className = "hint";
    return made;
  };
  const copying = (name, make) => async () => {
    const copied = make();
    return (await copy(copied.text))
      ? { done: `${name} copied.`, text: "Copied", more: copied.hint || "" }
      : { done: "The browser does not let this page copy.", text: "Not copied" };
  };

  // --------------------------------------------------------------------- save figures

  const decoded = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const save = (blob, file) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  };

  const fileOf = (name, kind) => `${name.toLowerCase().replace(/\W+/g, "-")}.${kind.toLowerCase()}`;

  const DOTS = 300 / 96; // of print, per pixel of the page
  // The picture of a figure that is part of the page: its text as outlines, for any program.
  const outlines = async (figure) => {
    const packed = new Blob([decoded(figure.dataset.svg)]).stream();
    const svg = await new Response(packed.pipeThrough(new DecompressionStream("gzip"))).blob();
    return new Blob([svg], { type: "image/svg+xml" });
  };
  const pictured = async (figure) => {
    const image = new Image();
    image.src = URL.createObjectURL(await outlines(figure));
    return drawn(image).finally(() => URL.revokeObjectURL(image.src));
  };
  const drawn = async (image) => {
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(image.naturalWidth * DOTS);
    canvas.height = Math.round(image.naturalHeight * DOTS);
    const context = canvas.getContext("2d");
    context.fillStyle = "#ffffff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((done) => { canvas.toBlob(done, "image/png"); });
    if (!blob) throw new Error("the drawing is too large");
    return blob;
  };

  const figures = [];
  all("main figure[id]").forEach((figure) => {
    const image = figure.querySelector("img");
    const own = image?.getAttribute("src").match(/^data:(image\/[\w.+-]+);base64,(.*)$/s);
    if (!own && !figure.dataset.svg) return;
    const name = figure.querySelector(".number")?.textContent.replace(/\.$/, "") || "the figure";
    const kinds = !own
      ? [["SVG", () => outlines(figure)], ["PNG", () => pictured(figure)]]
      : own[1] === "image/svg+xml"
      ? [["SVG", () => new Blob([decoded(own[2])], { type: own[1] })], ["PNG", () => drawn(image)]]
      : [[own[1].slice("image/".length).toUpperCase(), () => new Blob([decoded(own[2])], { type: own[1] })]];
    if (figure.dataset.pdf) {
      kinds.push(["PDF", () => new Blob([decoded(figure.dataset.pdf)], { type: "application/pdf" })]);
    }
    figures.push([name, kinds]);
    const hint = hintBeside();
    figure.after(tools("table-tools", ...kinds.map(([kind, make]) => {
      const file = fileOf(name, kind);
      return tellingButton(`Save ${kind}`, `Save ${kind} of ${name}`, async () => {
        try {
          save(await make(), file);
          return { done: `${name} saved as ${file}.`, text: "Saved" };
        } catch {
          return { done: "The browser does not let this page save.", text: "Not saved" };
        }
      }, hint);
    }), hint));
  });

  // An archive of files as they are, without compression.
  const CRCS = Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
    return value;
  });
  const crc = (bytes) => ~bytes.reduce((sum, byte) => CRCS[(sum ^ byte) & 255] ^ (sum >>> 8), -1) >>> 0;
  const numbered = (...fields) => { // pairs of a number and its size in bytes, lowest byte first
    const made = [];
    fields.forEach(([value, size]) => {
      for (let i = 0; i < size; i += 1) made.push((value >>> (8 * i)) & 255);
    });
    return Uint8Array.from(made);
  };
  const FIRST_DAY = 0x21; // 1 January 1980: an archive of the same figures is the same
  const archived = (files) => {
    const [parts, directory] = [[], []];
    let place = 0;
    files.forEach(([file, bytes]) => {
      const name = new TextEncoder().encode(file);
      const about = [
        [20, 2], [0x800, 2], [0, 2], [0, 2], [FIRST_DAY, 2], [crc(bytes), 4],
        [bytes.length, 4], [bytes.length, 4], [name.length, 2], [0, 2],
      ];
      const head = numbered([0x04034b50, 4], ...about);
      directory.push(
        numbered([0x02014b50, 4], [20, 2], ...about, [0, 2], [0, 2], [0, 2], [0, 4], [place, 4]), name,
      );
      parts.push(head, name, bytes);
      place += head.length + name.length + bytes.length;
    });
    const size = directory.reduce((sum, part) => sum + part.length, 0);
    const end = numbered(
      [0x06054b50, 4], [0, 4], [files.length, 2], [files.length, 2], [size, 4], [place, 4], [0, 2],
    );
    return new Blob([...parts, ...directory, end], { type: "application/zip" });
  };

  // Every figure as it was drawn; pixels only of what has nothing else.
  const saveFigures = async () => {
    const wanted = figures.flatMap(([name, kinds]) => (
      kinds.filter(([kind]) => kind !== "PNG" || kinds.length === 1).map(([kind, make]) => [fileOf(name, kind), make])
    ));
    try {
      const files = await Promise.all(wanted.map(async ([file, make]) => (
        [file, new Uint8Array(await (await make()).arrayBuffer())]
      )));
      save(archived(files), "figures.zip");
      return { done: `${figures.length} figures saved as figures.zip.`, text: "Saved" };
    } catch {
      return { done: "The browser does not let this page save.", text: "Not saved" };
    }
  };

  // ----------------------------------------------------- findings, methods and literature

  const embedded = (id) => {
    try {
      return JSON.parse(document.getElementById(id).textContent);
    } catch {
      return ""; // there is none
    }
  };
  const [literature, citing] = [embedded("nbcompare-bibtex"), embedded("nbcompare-methods")];
  const sections = (name) => all("main [data-nbcompare-section]")
    .filter((box) => box.dataset.nbcompareSection.split(" ")[0] === name);
  const plain = (element) => element.textContent.trim().replace(/\s+/g, " ");
  const paragraphs = (boxes) => boxes.map((box) => [
    ...all(".nbcompare > p", box).map(plain),
    all(".nbcompare > ul > li", box).map(plain).join("\n"),
  ].filter(Boolean).join("\n\n")).join("\n\n");
  const copyingText = (label, what, text, hint) => (
    tellingButton(label, label, copying(what, () => ({ text: `${text()}\n` })), hint)
  );

  const [findings, methods] = [sections("findings"), sections("methods")];
  const copyMethods = (hint) => [
    ...(methods.length ? [copyingText("Copy methods", "The methods", () => paragraphs(methods), hint)] : []),
    ...(citing ? [copyingText("Copy methods (LaTeX)", "The methods", () => citing, hint)] : []),
  ];
  const copyBibtex = (hint) => tellingButton(
    "Copy BibTeX", "Copy BibTeX of the references",
    copying("The references", () => ({ text: literature })), hint,
  );

  if (literature) {
    const hint = hintBeside();
    const list = document.querySelector("main ol.references");
    const place = tools("table-tools", copyBibtex(hint), hint);
    if (list) list.after(place);
    else main.append(place);
  }
  if (methods.length) {
    const hint = hintBeside();
    methods.at(-1).closest(".cell")?.after(tools("table-tools", ...copyMethods(hint), hint));
  }
  if (findings.length) {
    const hint = hintBeside();
    const saving = figures.length > 1
      ? [tellingButton("Save all figures", "Save all figures", saveFigures, hint)] : [];
    if (codeSwitch) main.classList.add("code-apart");
    // below the findings and what stands beside them
    let last = findings[0].closest(".cell") || findings[0];
    while (last.nextElementSibling?.matches(".celltag_nbcompare-beside")) {
      last = last.nextElementSibling;
    }
    const told = () => paragraphs(findings);
    last.after(tools(
      "page-tools take-along", copyingText("Copy findings", "The findings", told, hint),
      ...copyMethods(hint), ...(literature ? [copyBibtex(hint)] : []), ...saving,
      ...(codeSwitch ? [codeSwitch] : []), hint,
    ));
  } else if (codeSwitch) {
    main.prepend(tools("page-tools", codeSwitch));
  }

  addEventListener("load", () => { if (location.hash) revealAddress(); });
  globalThis.nbcomparePage = { all, button, copying, hintBeside, reveal, say, tellingButton, tools };
})();
