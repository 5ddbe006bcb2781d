// What is said of an input: what it gives now, what the game made of it, what was made of a bell's sound.

import { t } from "../texts.js";

export function levelOf(input, values) {
  if (input.kind === "bell" && input.form === "readings") return String(values[0] ?? t("installer.levels.silent"));
  return values
    .map((value) =>
      typeof value === "string" ? textOf(input, value) : value === 0 ? t("installer.levels.low") : value === 1 ? t("installer.levels.high") : "·",
    )
    .join(" · ");
}

// Of a line of places their names; a long one comes cut.
function textOf(input, line) {
  if (input.kind !== "position") return line;
  const names = line.match(/[a-z][\w-]*(?=[" ])/gi) ?? [];
  return [...new Set(names)].join(", ") + (line.endsWith("…") ? " …" : "");
}

export function madeOf(input, kind, value) {
  const values = { what: input.what, value };
  const branch = ["level", "crossing", "gauge"].includes(kind) ? `.${value}` : "";
  return t(`installer.made.${kind}${branch}`, values);
}

export function judgedOf(input, kind, peak, kept) {
  if (input.form !== "readings") return t(kind === "ring" ? "installer.lasted.ring" : "installer.lasted.other", { kind: t(`installer.verdicts.${kind}`), peak });
  return t(`installer.judged.${kind}`, { peak, kept: Math.round((100 * kept) / Math.max(peak, 1)), weakest: input.weakest });
}

export function settingsOf(input) {
  if (input.settle) {
    const { lockout, settle } = input;
    return [t("installer.settle", settle), lockout.on || lockout.off ? t("installer.lockout", lockout) : ""].filter(Boolean).join(", ");
  }
  return input.kind === "bell" && input.form === "readings" ? t("installer.bell", input) : "";
}

export function countsOf(input, { edges, accepted, late, lost }) {
  return [
    t(input.settle ? "installer.edges" : "installer.readings", { n: edges }),
    t("installer.counted", { n: accepted }),
    late ? t("installer.lateEdges", { n: late }) : "",
    lost ? t("installer.lostEdges", { n: lost }) : "",
  ]
    .filter(Boolean)
    .join(", ");
}
