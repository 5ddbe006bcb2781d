// One connection for all tabs of a browser: it opens six to a server at most.

import { connect } from "./connection.js";

const ports = new Set();
const newest = new Map();

function send(port, [kind, { text, at }]) {
  port.postMessage({ kind, text, age: performance.now() - at });
}

connect("/api/stream", (kind, text) => {
  const message = [kind, { text, at: performance.now() }];
  if (kind !== "correction") newest.set(...message);
  for (const port of ports) send(port, message);
});

self.addEventListener("connect", ({ ports: [port] }) => {
  ports.add(port);
  port.addEventListener("message", () => ports.delete(port));
  port.start();
  for (const message of newest) send(port, message);
});
