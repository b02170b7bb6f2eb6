// The still view of a builder, where scripts run: the drawing takes the place of its picture, and
// says what a reader points at (pointing.js).
const SHARED = Symbol.for("nbcompare.still");
globalThis[SHARED] ??= nbcomparePointing({ scope: ".jp-OutputArea:not(:has(.nbcompare-builder))" });
for (const picture of document.querySelectorAll(".nbcompare-snapshot figure > img")) {
  const bytes = Uint8Array.from(atob(picture.src.split(",")[1]), (one) => one.charCodeAt(0));
  const text = new TextDecoder().decode(bytes);
  const { documentElement } = new DOMParser().parseFromString(text, "image/svg+xml");
  if (!documentElement.matches("svg.nbf")) continue;
  const svg = document.importNode(documentElement, true);
  svg.setAttribute("style", picture.getAttribute("style"));
  picture.replaceWith(svg);
  globalThis[SHARED].prepare(svg);
}
