// A field for a file, which is sent to the kernel in parts: no limit of a message holds for it,
// and the page says how far it is. The kernel answers every part, so that none waits in a queue.

const PART = 1 << 20; // bytes

const element = (name, className, text = "") => {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
};

export default {
  render({ model, el }) {
    const ending = new AbortController();
    const { signal } = ending;
    const box = element("div", "nbcompare-upload");
    const label = element("label", "nbcompare-upload-label", model.get("label"));
    const field = element("input", "nbcompare-upload-field");
    const hint = element("span", "nbcompare-upload-hint", model.get("hint"));
    const told = element("span", "nbcompare-upload-told");
    field.type = "file";
    field.accept = model.get("accept");
    field.id = `nbcompare-upload-${Math.random().toString(36).slice(2)}`;
    label.htmlFor = field.id;
    told.setAttribute("role", "status");
    box.append(label, field, hint, told);
    el.append(box);

    let file = null;
    let number = 0; // of the upload: what an older one is answered is not wanted any more

    const begin = (chosen) => {
      if (!chosen) return;
      file = chosen;
      number += 1;
      told.textContent = `Sending ${file.name} …`;
      model.send({ kind: "begin", number, name: file.name, size: file.size });
    };

    const part = async (offset) => {
      const sent = file;
      const asked = number;
      try {
        const bytes = await sent.slice(offset, offset + PART).arrayBuffer();
        if (asked !== number) return;
        told.textContent = `Sending ${sent.name}: ${Math.round((100 * offset) / sent.size)} %`;
        model.send({ kind: "part", number, offset }, undefined, [bytes]);
      } catch (error) {
        told.textContent = `${sent.name} cannot be read: ${error.message}`;
      }
    };

    const heard = (answer) => {
      if (answer.number !== number || !file) return;
      if (answer.kind === "next") part(answer.offset);
      if (answer.kind === "done" || answer.kind === "refused") {
        told.textContent = answer.text;
        told.classList.toggle("nbcompare-upload-refused", answer.kind === "refused");
        file = null;
        field.value = ""; // so that the same file can be chosen again
      }
    };

    model.on("msg:custom", heard);
    field.addEventListener("change", () => begin(field.files[0]), { signal });
    for (const kind of ["dragenter", "dragover", "dragleave", "drop"]) {
      box.addEventListener(kind, (event) => {
        event.preventDefault();
        event.stopPropagation();
        box.classList.toggle("nbcompare-upload-over", kind === "dragenter" || kind === "dragover");
        if (kind === "drop") begin(event.dataTransfer.files[0]);
      }, { signal });
    }
    return () => {
      ending.abort();
      model.off("msg:custom", heard);
    };
  },
};
