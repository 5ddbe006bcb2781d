// The score in two lines: who leads, whose turn, what is at stake.

import { h, setAttribute, setText } from "../dom.js";
import { number, signed, t } from "../texts.js";

const IN_PLAY = new Set(["arming", "playing", "clearing", "paused"]);

export function createStrip() {
  const game = h("h1");
  const marks = h("p", { class: "marks" });
  const sides = h("ul", { class: "sides" });

  function sideOf({ id, name, score, pending }, turn) {
    const mine = id === turn;
    return h(
      "li",
      { class: mine ? "in-turn" : "", "aria-current": mine ? "true" : undefined },
      h("span", { class: "name", title: name }, name),
      h("b", {}, number(score)),
      pending ? h("small", {}, signed(pending)) : null,
    );
  }

  return {
    element: h("header", { class: "strip" }, h("div", {}, game, marks), sides),
    show(score) {
      const target = score.options.target ?? score.options.out;
      const { balls_left: left, round } = score.position;
      const inPlay = IN_PLAY.has(score.phase);
      const more = !inPlay
        ? ""
        : left !== undefined
          ? left
            ? t("ballsLeft", { n: left })
            : t("noBallsLeft")
          : round !== undefined
            ? t("marker.round", { n: round })
            : "";
      setText(
        game,
        [t(`games.${score.game}`), target === undefined ? "" : t("upTo", { n: target }), more].filter(Boolean).join(" · "),
      );
      marks.replaceChildren(
        ...[score.provisional && h("span", {}, t("provisional")), !score.durable && h("span", {}, t("notSaved"))].filter(Boolean),
      );
      sides.replaceChildren(...score.sides.map((side) => sideOf(side, inPlay ? score.turn : null)));
      setAttribute(sides, "data-count", score.sides.length);
    },
  };
}
