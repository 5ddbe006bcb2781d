// The page of a game whose table isn't drawn: the list of its points, newest on top.

import { lines, total } from "../awards.js";
import { h } from "../dom.js";
import { signed } from "../texts.js";

export function createPlain() {
  const element = h("ol", { class: "plain" });
  let drawn = "";
  return {
    element,
    show(score, { rules }) {
      const entries = [score.last, ...score.earlier].filter(Boolean);
      const wanted = JSON.stringify([entries, score.sides, Object.keys(rules).length]);
      if (wanted === drawn) return;
      drawn = wanted;
      const names = new Map(score.sides.map((side) => [side.id, side.name]));
      element.replaceChildren(
        ...entries.map(({ awards }) => {
          const side = awards[0]?.side;
          const reasons = lines(awards, rules, score.sides).map((row) => [row.parts, row.sentence].filter(Boolean).join(" ")).join(" ");
          return h("li", {}, h("b", {}, signed(total(awards, side))), h("span", {}, names.get(side) ?? ""), h("q", {}, reasons));
        }),
      );
    },
  };
}
