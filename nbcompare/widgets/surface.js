// A builder and the page around it: keys that are pressed in it stay in it, a banner says when the
// kernel is gone, and a line says when the kernel is busy with something else.

const SUPPRESS = "data-lm-suppress-shortcuts"; // JupyterLab's mark for "these keys are not mine"
const GONE = ["restarting", "autorestarting", "dead", "terminated"]; // states of a kernel
const PATIENCE = 1500; // milliseconds in which a kernel that has nothing else to do answers
const GONE_TEXT = "The kernel was restarted or has ended: run this cell again.";
const BUSY_TEXT = "Waiting for the kernel, which is busy with another cell or a computation.";

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

// Where Ctrl+Z undoes what is being written, it does not undo settings.
const isWriting = (element) => element.isContentEditable
  || (element instanceof HTMLTextAreaElement)
  || (element instanceof HTMLInputElement
    && !["checkbox", "radio", "button", "range", "file"].includes(element.type));

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

COMPONENTS.root = (element) => {
  const { model, el } = element;
  const ending = new AbortController();
  const { signal } = ending;
  el.setAttribute("role", "group");
  el.setAttribute("aria-label", model.get("name"));
  el.addEventListener("keydown", (event) => {
    const { ctrlKey, metaKey, altKey, shiftKey, target } = event;
    const key = event.key.toLowerCase();
    if (!(ctrlKey || metaKey) || altKey || isWriting(target)) return;
    if (key !== "z" && !(key === "y" && !shiftKey)) return;
    event.preventDefault();
    event.stopPropagation();
    model.send({ step: key === "z" && !shiftKey ? "undo" : "redo" });
  });
  keepFocus(el, signal);
  const end = mountChildren(element, el);
  return () => {
    ending.abort();
    end();
  };
};

const watchKernel = (model, el, signal) => {
  const gone = () => {
    if (el.querySelector(".nbcompare-gone")) return;
    for (const child of el.children) child.inert = true;
    el.classList.add("nbcompare-without-kernel");
    el.prepend(made("div", { className: "nbcompare-gone", role: "alert" }, GONE_TEXT));
  };
  const manager = model.widget_manager;
  const changed = (_, status) => { if (GONE.includes(status)) gone(); };
  manager?.kernel?.statusChanged?.connect(changed);
  // what a view is marked with when it has lost its model, whatever the application
  const mark = new MutationObserver(() => {
    if (el.closest(".jupyter-widgets-disconnected")) gone();
  });
  for (const one of [el, el.parentElement].filter(Boolean)) {
    mark.observe(one, { attributes: true, attributeFilter: ["class"] });
  }
  signal.addEventListener("abort", () => {
    mark.disconnect();
    manager?.kernel?.statusChanged?.disconnect(changed);
  });
};

const watchAnswers = (store, busy) => {
  let timer = 0;
  const listener = ["", "heard", () => {
    if (store.heard < store.number) return;
    clearTimeout(timer);
    timer = 0;
    busy.textContent = "";
  }];
  store.listeners.add(listener);
  return {
    sent() {
      timer ||= setTimeout(() => { busy.textContent = BUSY_TEXT; }, PATIENCE);
    },
    end() {
      clearTimeout(timer);
      store.listeners.delete(listener);
    },
  };
};

const listen = (model) => {
  const heard = (message, buffers) => {
    if (model.get("first")) storeOf(model).take(message, buffers || []);
  };
  model.on("msg:custom", heard);
  return () => model.off("msg:custom", heard);
};

const show = (model, el) => {
  const ending = new AbortController();
  const store = storeOf(model);
  const style = made("style");
  const hide = () => { style.textContent = model.get("hiding"); };
  const busy = made("div", { className: "nbcompare-busy", role: "status" });
  const answers = watchAnswers(store, busy);
  const view = {
    store,
    send(content, buffers = []) {
      store.number += 1;
      answers.sent();
      model.send({ ...content, page: store.page, number: store.number }, undefined, buffers);
    },
  };
  const root = mount(view, model.get("first"));
  hide();
  model.on("change:hiding", hide);
  el.replaceChildren(style, root.el, busy);
  watchKernel(model, el, ending.signal);
  view.send({ patched: store.patched });
  const { signal } = ending;
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) view.send({ rest: true });
  }, { signal });
  window.addEventListener("keydown", (event) => {
    if (isOfApplication(event) && event.key.toLowerCase() === "s") view.send({ rest: true });
  }, { capture: true, signal });
  return () => {
    ending.abort();
    root.end();
    answers.end();
    model.off("change:hiding", hide);
  };
};

const render = ({ model, el }) => {
  keepKeys();
  el.classList.add("nbcompare-surface");
  const deaf = listen(model);
  let end = () => {};
  const draw = () => {
    end();
    end = model.get("first") ? show(model, el) : () => {};
  };
  model.on("change:elements", draw);
  draw();
  return () => {
    end();
    deaf();
    model.off("change:elements", draw);
  };
};

// What the kernel says while no view is open is heard, too.
export default { initialize: ({ model }) => listen(model), render };
