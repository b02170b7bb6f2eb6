// The builder in the page, without Jupyter: its model speaks through one web socket.

import builder from "./builder.js";

const PATIENCE = 2000; // milliseconds between two looks whether the server is there again
const ENDED = "The connection to nbcompare has ended. What was set is in its project: start nbcompare "
  + "again with it.";
const REPLACED = 4000; // code of a connection that ends because another page goes on
const ELSEWHERE = "The project was opened in another page, which has all that was set here. ";
const main = document.querySelector("main");
const listeners = []; // of [event, function]
const state = {};
let socket = null;

const tell = (event, ...content) => {
  for (const [of, act] of [...listeners]) if (of === event) act(...content);
};
const model = {
  get: (name) => state[name],
  on: (events, act) => events.split(" ").forEach((event) => listeners.push([event, act])),
  off: (event, act) => {
    const place = listeners.findIndex(([of, own]) => of === event && own === act);
    if (place >= 0) listeners.splice(place, 1);
  },
  send: (content) => socket.send(JSON.stringify({ method: "custom", content })),
};
const take = (message, buffers) => {
  if (message.method === "custom") tell("msg:custom", message.content, buffers);
  if (message.method !== "update") return;
  const isFirst = !Object.keys(state).length;
  Object.assign(state, message.state);
  if (isFirst) {
    builder.initialize({ model });
    builder.render({ model, el: main });
  } else {
    for (const name of Object.keys(message.state)) tell(`change:${name}`);
  }
};
const wait = async () => {
  try {
    if ((await fetch("./", { cache: "no-store" })).ok) location.reload();
  } catch {
    // it is not there, or not yet
  }
};

socket = new WebSocket(new URL("socket", location.href.replace("http", "ws")));
socket.binaryType = "arraybuffer";
let open = null; // a message of which not all bytes have come
socket.addEventListener("message", ({ data }) => {
  if (typeof data === "string") open = { message: JSON.parse(data), buffers: [] };
  else open.buffers.push(data);
  if (open.buffers.length === open.message.n_buffers) take(open.message, open.buffers);
});
socket.addEventListener("close", ({ code }) => {
  main.inert = true;
  const told = Object.assign(document.createElement("p"), { className: "ended", role: "alert" });
  told.append(code === REPLACED ? ELSEWHERE : ENDED);
  if (code === REPLACED) {
    told.append(Object.assign(document.createElement("a"), {
      href: "./",
      textContent: "Go on in this page",
    }));
  } else setInterval(wait, PATIENCE);
  document.querySelector("header").append(told);
});
