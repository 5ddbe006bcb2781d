// What the pages of the history read, and times as people say them.

import { locale, t } from "../texts.js";

// The answer as an object, or {error} with a sentence.
export async function read(path) {
  try {
    const answer = await fetch(path, { cache: "no-store" });
    return await answer.json();
  } catch {
    return { error: t("history.unread") };
  }
}

export function when(wall, style = { weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" }) {
  const date = new Date(wall);
  return Number.isNaN(date.getTime()) ? wall : date.toLocaleString(locale, style);
}

export function gameName(game) {
  return t(`games.${game}`);
}
