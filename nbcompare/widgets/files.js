// Files on their way from and to the reader's machine, over the connection of the builder.

const PART = 1 << 20; // bytes of a file that are sent at once

// Text, since Panel loses messages of a page that carry bytes
const base64 = (blob) => new Promise((done, failed) => {
  const reader = new FileReader();
  reader.onload = () => done(reader.result.slice(reader.result.indexOf(",") + 1));
  reader.onerror = () => failed(reader.error);
  reader.readAsDataURL(blob);
});

COMPONENTS.upload = ({ model, el }) => {
  const field = made("input", {
    type: "file",
    className: "nbcompare-upload-field",
    accept: model.get("accept"),
    id: identity(),
  });
  const label = made("label", { className: "nbcompare-upload-label" }, model.get("label"));
  label.htmlFor = field.id;
  const hint = made("span", { className: "nbcompare-upload-hint" }, model.get("hint"));
  const status = made("span", { className: "nbcompare-upload-told", role: "status" });
  el.append(label, field, hint, status);

  let file = null;
  let number = 0; // of the upload: what an older one is answered is not wanted any more

  const begin = (chosen) => {
    if (!chosen) return;
    file = chosen;
    number += 1;
    status.textContent = `Sending ${file.name} …`;
    model.send({ kind: "begin", number, name: file.name, size: file.size });
  };
  const part = async (offset) => {
    const [sent, asked] = [file, number];
    try {
      const text = await base64(sent.slice(offset, offset + PART));
      if (asked !== number) return;
      status.textContent = `Sending ${sent.name}: ${Math.round((100 * offset) / sent.size)} %`;
      model.send({ kind: "part", number, offset, text });
    } catch (error) {
      status.textContent = `${sent.name} cannot be read: ${error.message}`;
    }
  };
  model.on("msg:custom", (answer) => {
    if (answer.number !== number || !file) return;
    if (answer.kind === "next") {
      part(answer.offset);
      return;
    }
    status.textContent = answer.text;
    status.classList.toggle("nbcompare-upload-refused", answer.kind === "refused");
    file = null;
    field.value = ""; // so that the same file can be chosen again
  });
  field.addEventListener("change", () => begin(field.files[0]));
  for (const kind of ["dragenter", "dragover", "dragleave", "drop"]) {
    el.addEventListener(kind, (event) => {
      event.preventDefault();
      event.stopPropagation();
      el.classList.toggle("nbcompare-upload-over", kind === "dragenter" || kind === "dragover");
      if (kind === "drop") begin(event.dataTransfer.files[0]);
    });
  }
};

// Buttons that fetch files from the kernel: not every page has a server that gives them away.
COMPONENTS.downloads = ({ model, el }) => {
  const fill = () => {
    el.replaceChildren(...model.get("names").map((name, place) => {
      const button = made("button", { type: "button" }, `Download ${name}`);
      button.addEventListener("click", () => model.send({ place }));
      return button;
    }));
  };
  model.on("msg:custom", ({ name, kind }, [content]) => {
    const link = made("a", { href: URL.createObjectURL(new Blob([content], { type: kind })) });
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  });
  model.on("change:names", fill);
  fill();
};
