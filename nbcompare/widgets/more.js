// A button that opens and closes what stands below it in the builder; the page remembers whether
// it was open, also for the builder of the next run.

const OPEN = "nbcompare-more-open";

export default {
  render({model, el}) {
    const button = made("button", {type: "button", className: "nbcompare-opener"});
    const mark = made("span", {textContent: "▸", className: "nbcompare-mark"});
    mark.setAttribute("aria-hidden", "true");
    const text = made("span");
    button.append(mark, text);
    el.classList.add("nbcompare-control");
    el.append(button);
    const key = `nbcompare.more.${model.get("key")}`;
    let waiting = 0;

    function fill() {
      const told = model.get("told");
      text.textContent = told ? `${model.get("label")} (${told})` : model.get("label");
    }
    function show() {
      const open = model.get("opened");
      button.setAttribute("aria-expanded", String(open));
      mark.textContent = open ? "▾" : "▸";
      const root = el.closest(".nbcompare-builder");
      const below = root?.querySelector(":scope > .nbcompare-more");
      if (!below) {
        // widgets are put into the page after they are made
        waiting = requestAnimationFrame(show);
        return;
      }
      root.classList.toggle(OPEN, open);
      below.id ||= identity();
      button.setAttribute("aria-controls", below.id);
    }
    function remembered() {
      try {
        return localStorage.getItem(key) === "open";
      } catch {
        return false; // the page has no memory
      }
    }
    button.addEventListener("click", () => {
      const open = !model.get("opened");
      model.set("opened", open);
      model.save_changes();
      try {
        localStorage.setItem(key, open ? "open" : "");
      } catch {
        // the model remembers it as long as it lives
      }
    });
    model.on("change:opened", show);
    model.on("change:told", fill);
    if (model.get("opened") === false && remembered()) {
      model.set("opened", true);
      model.save_changes();
    }
    fill();
    show();
    return () => cancelAnimationFrame(waiting);
  },
};
