// Awards as lines for the room: those of one rule together, with the rule's own sentence.

import { inNames } from "./sides.js";

export function total(awards, side) {
  return awards.reduce((sum, award) => sum + (side === undefined || award.side === side ? award.points : 0), 0);
}

export function sidesOf(awards) {
  return [...new Set(awards.map((award) => award.side))];
}

// Without the ids of rules that a sentence refers to; what else stands in the same brackets stays.
function withoutIds(words) {
  return words.replace(/ \([A-Z]+-\d+\w*\)/g, "").replace(/\([A-Z]+-\d+\w*: /g, "(");
}

// A rule in one sentence: the first that the rule book says under its title, without the ids that it refers to.
export function inWords(rules, rule) {
  const sentences = (rules[rule] ?? "").match(/.*?[.!?:](?=\s|$)/g) ?? [];
  const words = withoutIds((sentences[1] ?? sentences[0])?.trim() ?? "").replace(/:$/, ".");
  return words || rules[rule];
}

// [{side, rule, points, parts, sentence}], in the order of the awards; `parts` as a sum where there are several.
export function lines(awards, rules, sides) {
  const groups = new Map();
  for (const award of awards) {
    const key = `${award.side} ${award.rule}`;
    groups.set(key, [...(groups.get(key) ?? []), award]);
  }
  return [...groups.values()].map((group) => {
    const [{ side, rule }] = group;
    const why = inNames(withoutIds(group[0].why), sides);
    const points = total(group);
    if (group.length === 1) return { side, rule, points, parts: "", sentence: why };
    const parts = group.map((award) => award.points).join(" + ").replaceAll("+ -", "− ");
    return { side, rule, points, parts, sentence: inWords(rules, rule) ?? why };
  });
}
