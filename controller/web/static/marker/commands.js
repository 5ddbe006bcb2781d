// Commands to the table, and the PIN that they carry. The PIN is kept for as long as this tab is open, and nowhere else.

import { t } from "../texts.js";

const KEY = "pin";
const TRIES = 3;
const WAIT_MS = 700;

export const pin = {
  get: () => sessionStorage.getItem(KEY),
  set: (value) => sessionStorage.setItem(KEY, value),
  forget: () => sessionStorage.removeItem(KEY),
};

function newId() {
  return [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function later(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

// {status, ok, error, revision, detail, wait}; status 0: nobody answered.
async function post(path, value, body) {
  if (/[^\x21-\x7e]/.test(value)) return { status: 401, ok: false, error: t("marker.pinWrong") };
  try {
    const answer = await fetch(path, { method: "POST", headers: { authorization: `Bearer ${value}` }, body });
    const reply = await answer.json();
    return { ...reply, status: answer.status, wait: Number(answer.headers.get("retry-after") ?? 0) };
  } catch {
    return { status: 0, ok: false, error: t("marker.noAnswer") };
  }
}

export function tryPin(value) {
  return post("/api/pin", value);
}

// A command that nobody answered is sent again under the same id: the table counts it once.
export async function send(command) {
  const body = JSON.stringify({ ...command, id: newId() });
  for (let tries = 1; ; tries += 1) {
    const reply = await post("/api/command", pin.get() ?? "", body);
    if ((reply.status !== 0 && reply.status !== 504) || tries === TRIES) return reply;
    await later(WAIT_MS);
  }
}
