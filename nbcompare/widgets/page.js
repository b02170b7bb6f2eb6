// What a builder needs of the page around it: the keys that are pressed in it stay in it, what is
// done first arrives first, a banner says when the kernel is gone, and a line says when the kernel
// is busy with something else.

const SUPPRESS = "data-lm-suppress-shortcuts"; // JupyterLab's mark for "these keys are not mine"
const GONE = ["restarting", "autorestarting", "dead", "terminated"]; // states of a kernel
const PATIENCE = 1500; // milliseconds in which a kernel that has nothing else to do answers

// Keys that belong to the whole application, such as those that save: they are let through.
const isOfApplication = ({ ctrlKey, metaKey, shiftKey, key }) => (
  (ctrlKey || metaKey) && (shiftKey ? key.toLowerCase() !== "z" : key.toLowerCase() === "s")
);

// The application listens to the document as keys go down to the control; the window is before it.
// It goes by the mark of the element that has the focus, not by those around it.
const keepKeys = () => {
  if (window.nbcompareKeepsKeys) return;
  window.nbcompareKeepsKeys = true;
  window.addEventListener("keydown", (event) => {
    if (event.target instanceof Element && event.target.closest(".nbcompare-builder")) {
      event.target.toggleAttribute(SUPPRESS, !isOfApplication(event));
      // the whole page would be marked, since controls have no text of their own to mark
      const all = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "a";
      if (all && !event.target.matches("input, textarea")) event.preventDefault();
    }
  }, true);
};

// The element of the builder, once the application has put the widget into the page.
const rootOf = (el, signal) => new Promise((resolve) => {
  const look = () => {
    const root = el.closest(".nbcompare-builder");
    if (root) resolve(root);
    else if (!signal.aborted) setTimeout(look, 20);
  };
  look();
});

// ipywidgets holds the next change of a control back until the kernel has answered to the last one,
// but sends a click at once: a file would be saved under the name that was typed before this one.
// So whatever is held back is sent before anything else that a person does.
const sendInOrder = async (model, root, signal) => {
  const ids = model.get("parts");
  const found = ids.map(async (id) => model.widget_manager.get_model(id));
  const parts = (await Promise.allSettled(found)).flatMap(({ value }) => value ?? []);
  const send = () => {
    for (const part of parts) {
      if (!part._msg_buffer) continue;
      const sent = part.send_sync_message(part._msg_buffer, part._msg_buffer_callbacks);
      part.rememberLastUpdateFor(sent);
      part._msg_buffer = null;
    }
  };
  root.addEventListener("change", send, { signal }); // after the control has heard of it
  const sendFirst = ({ target }) => { if (!isWriting(target)) send(); };
  const first = { signal, capture: true }; // before the button has heard of it
  for (const kind of ["click", "keydown"]) root.addEventListener(kind, sendFirst, first);
};

// Where Ctrl+Z undoes what is being written, it does not undo settings.
const isWriting = (element) => element.isContentEditable
  || (element instanceof HTMLTextAreaElement)
  || (element instanceof HTMLInputElement
    && !["checkbox", "radio", "button", "range", "file"].includes(element.type));

const undoByKeys = (model, root, signal) => root.addEventListener("keydown", (event) => {
  const { ctrlKey, metaKey, altKey, shiftKey, target } = event;
  const key = event.key.toLowerCase();
  if (!(ctrlKey || metaKey) || altKey || isWriting(target)) return;
  if (key !== "z" && !(key === "y" && !shiftKey)) return;
  event.preventDefault();
  event.stopPropagation();
  model.send({ step: key === "z" && !shiftKey ? "undo" : "redo" });
}, { signal });

// A change draws parts of the builder anew. A button in them that had the focus has it again, so
// that the next key is not one of the whole page.
const nameOf = (element) => element.ariaLabel || element.textContent.trim();
const keepFocus = (root, signal) => {
  let last = null;
  root.addEventListener("focusin", ({ target }) => { last = target; }, { signal });
  document.addEventListener("pointerdown", () => { last = null; }, { signal, capture: true });
  const drawn = new MutationObserver(() => {
    if (!last || last.isConnected || document.activeElement !== document.body) return;
    const name = nameOf(last);
    const again = name
      && [...root.querySelectorAll(last.tagName)].find((it) => nameOf(it) === name);
    last = null;
    if (again) again.focus({ preventScroll: true });
  });
  drawn.observe(root, { childList: true, subtree: true });
  signal.addEventListener("abort", () => drawn.disconnect());
};

const line = (className, role, text) => {
  const made = document.createElement("div");
  made.className = className;
  made.setAttribute("role", role);
  made.textContent = text;
  return made;
};

const watchKernel = (model, root, signal) => {
  const gone = () => {
    if (root.querySelector(".nbcompare-gone")) return;
    for (const child of root.children) child.inert = true;
    root.classList.add("nbcompare-without-kernel");
    root.prepend(line("nbcompare-gone", "alert", model.get("gone")));
  };
  const manager = model.widget_manager;
  const changed = (_, status) => { if (GONE.includes(status)) gone(); };
  manager?.kernel?.statusChanged?.connect(changed);
  // what a view is marked with when it has lost its model, whatever the application
  const mark = new MutationObserver(() => {
    if (root.classList.contains("jupyter-widgets-disconnected")) gone();
  });
  mark.observe(root, { attributes: true, attributeFilter: ["class"] });
  signal.addEventListener("abort", () => {
    mark.disconnect();
    manager?.kernel?.statusChanged?.disconnect(changed);
  });
};

const watchAnswers = (model, root, signal) => {
  const told = line("nbcompare-busy", "status", "");
  root.append(told);
  let asked = 0;
  let timer = 0;
  const ask = () => {
    asked += 1;
    model.send({ asked });
    if (!timer) timer = setTimeout(() => { told.textContent = model.get("busy"); }, PATIENCE);
  };
  const heard = ({ heard: number }) => {
    if (number !== asked) return;
    clearTimeout(timer);
    timer = 0;
    told.textContent = "";
  };
  model.on("msg:custom", heard);
  for (const kind of ["change", "click"]) root.addEventListener(kind, ask, { signal });
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    model.off("msg:custom", heard);
    told.remove();
  });
};

export default {
  async render({ model, el }) {
    const ending = new AbortController();
    keepKeys();
    rootOf(el, ending.signal).then((root) => {
      root.setAttribute("role", "group");
      root.setAttribute("aria-label", model.get("name"));
      watchKernel(model, root, ending.signal);
      watchAnswers(model, root, ending.signal);
      sendInOrder(model, root, ending.signal);
      undoByKeys(model, root, ending.signal);
      keepFocus(root, ending.signal);
    });
    return () => ending.abort();
  },
};
