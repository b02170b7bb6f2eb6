// The elements of a builder in the page: what the kernel has said of each, and what a person does
// with it. All of them share one model, whose views (a builder may stand in several places) share
// what is known here.

const STORE = Symbol("store");
const COMPONENTS = {}; // by kind: functions of {model, el, view}, which may return how to end

function made(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children); // strings become text, whatever they hold
  return element;
}

const identity = () => `nbcompare-${Math.random().toString(36).slice(2)}`;

class Store {
  constructor(states) {
    this.states = states;
    this.page = identity();
    this.number = 0; // of the last message to the kernel
    this.heard = 0; // the last one that the kernel has handled
    this.patched = 0; // the last patch of the kernel
    this.listeners = new Set(); // of [element, event, function]
  }

  /** Take a message of the kernel, which each view hears. */
  take(message, buffers) {
    if (message.patch && message.number > this.patched) {
      this.patched = message.number;
      for (const [id, changes] of Object.entries(message.patch)) {
        this.states[id] = { ...this.states[id], ...changes };
      }
      for (const [id, changes] of Object.entries(message.patch)) {
        this.tell(id, Object.keys(changes));
      }
      for (const id of message.gone || []) delete this.states[id];
    }
    if (message.to) {
      this.emit(message.to, "msg:custom", message.message, buffers);
    }
    if (message.page === this.page && message.heard >= this.heard) {
      this.heard = message.heard;
      this.emit("", "heard");
    }
  }

  tell(id, names) {
    const called = new Set(); // a function that hears of several changes is called once
    for (const [of, event, act] of [...this.listeners]) {
      if (of !== id || called.has(act) || !names.some((name) => event === `change:${name}`)) continue;
      called.add(act);
      act();
    }
  }

  emit(id, wanted, ...content) {
    for (const [of, event, act] of [...this.listeners]) {
      if (of === id && event === wanted) act(...content);
    }
  }
}

const storeOf = (model) => {
  const states = model.get("elements");
  states[STORE] ??= new Store(states);
  return states[STORE];
};

// In some applications a widget has a part of the page for itself, which events are seen to come
// from as a whole.
const targetOf = (event) => event.composedPath()[0];
const focusedIn = (element) => element.getRootNode().activeElement;

/** One element as its component sees it, with the interface of a model. */
class ElementModel {
  constructor(view, id) {
    this.view = view;
    this.id = id;
    this.changes = {};
    this.listening = [];
  }

  get(name) {
    return this.view.store.states[this.id]?.[name]; // it may be gone
  }

  set(name, value) {
    this.changes[name] = value;
  }

  save_changes() {
    const { store } = this.view;
    const changes = this.changes;
    this.changes = {};
    store.states[this.id] = { ...store.states[this.id], ...changes };
    store.tell(this.id, Object.keys(changes));
    this.view.send({ from: this.id, set: changes });
  }

  send(message, buffers = []) {
    this.view.send({ from: this.id, message }, buffers);
  }

  on(events, act) {
    for (const event of events.split(" ")) {
      const listener = [this.id, event, act];
      this.listening.push(listener);
      this.view.store.listeners.add(listener);
    }
  }

  end() {
    for (const listener of this.listening) this.view.store.listeners.delete(listener);
  }
}

/** Put an element into the page. */
const mount = (view, id) => {
  const model = new ElementModel(view, id);
  const el = made("div", { className: `nbcompare-${model.get("kind")}` });
  let own = [];
  const dress = () => {
    el.classList.remove(...own);
    own = model.get("classes");
    el.classList.add(...own);
  };
  const hide = () => { el.hidden = !model.get("is_shown"); };
  dress();
  hide();
  model.on("change:classes", dress);
  model.on("change:is_shown", hide);
  const end = COMPONENTS[model.get("kind")]({ model, el, view });
  return {
    el,
    end() {
      end?.();
      model.end();
    },
  };
};

/** Keep the children of an element in its page as they are in the kernel. */
const mountChildren = ({ model, view }, within) => {
  const children = new Map();
  const fill = () => {
    const ids = model.get("children");
    for (const [id, child] of children) {
      if (ids.includes(id)) continue;
      child.end();
      child.el.remove();
      children.delete(id);
    }
    ids.forEach((id, place) => {
      if (!children.has(id)) children.set(id, mount(view, id));
      const { el } = children.get(id);
      // moved only if it is not there, or it would lose the focus
      if (within.children[place] !== el) within.insertBefore(el, within.children[place] || null);
    });
  };
  model.on("change:children", fill);
  fill();
  return () => children.forEach((child) => child.end());
};

/** Keep what hangs over the page in sight: below its button, or above where there is more room. */
const place = (panel, button) => {
  const box = button.getBoundingClientRect();
  const column = button.closest(".nbcompare-options")?.clientWidth || 0;
  panel.style.maxWidth = `min(${Math.max(300, Math.min(column, 420))}px, 100vw - 16px)`;
  panel.style.maxHeight = "none";
  const [width, height] = [panel.offsetWidth, panel.offsetHeight];
  const [above, below] = [box.top - 12, innerHeight - box.bottom - 12];
  const isBelow = height <= below || below >= above;
  const room = Math.max(120, isBelow ? below : above);
  panel.style.maxHeight = `${room}px`;
  panel.style.left = `${Math.max(8, Math.min(box.left, innerWidth - width - 8))}px`;
  panel.style.top = `${isBelow ? box.bottom + 2 : Math.max(8, box.top - Math.min(height, room) - 2)}px`;
};

/**
 * A panel that a button opens and closes, above everything else on the page. Escape closes it, and
 * so does what happens elsewhere.
 *
 * @param {HTMLElement} within - Holds both; keys and the focus are watched there.
 */
function opening(button, panel, within, opened = () => {}) {
  panel.id = identity();
  panel.popover = "manual"; // no part of the page clips it
  button.setAttribute("aria-expanded", "false");
  button.setAttribute("aria-controls", panel.id);
  let ended = null;
  const isOpen = () => ended !== null;
  function show(open) {
    if (open === isOpen() || !panel.isConnected) return;
    button.setAttribute("aria-expanded", String(open));
    ended?.abort();
    ended = open ? new AbortController() : null;
    if (!open) {
      panel.hidePopover();
      return;
    }
    panel.showPopover();
    place(panel, button);
    const elsewhere = (event) => { if (!within.contains(targetOf(event))) show(false); };
    const again = (event) => { if (!panel.contains(targetOf(event))) place(panel, button); };
    const { signal } = ended;
    document.addEventListener("pointerdown", elsewhere, { capture: true, signal });
    document.addEventListener("scroll", again, { capture: true, signal });
    globalThis.addEventListener("resize", again, { signal });
    opened();
  }
  button.addEventListener("click", () => show(!isOpen()));
  within.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && isOpen()) {
      event.stopPropagation();
      show(false);
      button.focus();
    }
  });
  within.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !within.contains(event.relatedTarget)) show(false);
  });
  return () => ended?.abort();
}
