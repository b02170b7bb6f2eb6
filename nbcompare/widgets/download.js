// Buttons that fetch files from the kernel, for pages whose server gives away no files.

export default {
  render({ model, el }) {
    const box = document.createElement("div");
    box.className = "nbcompare-downloads";
    el.append(box);

    const fill = () => {
      box.replaceChildren(...model.get("names").map((name, place) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = `Download ${name}`;
        button.addEventListener("click", () => model.send({ place }));
        return button;
      }));
    };
    const heard = ({ name, kind }, buffers) => {
      if (!name) return;
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([buffers[0]], { type: kind }));
      link.download = name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    };
    model.on("change:names", fill);
    model.on("msg:custom", heard);
    fill();
    return () => {
      model.off("change:names", fill);
      model.off("msg:custom", heard);
    };
  },
};
