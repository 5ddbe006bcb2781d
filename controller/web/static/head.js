// The head: the game, each side with its score, and between them the turn: what is at stake and what is left to play.

import { h, setAttribute, setText } from "./dom.js";
import { number as written, signed, t } from "./texts.js";

const IN_PLAY = new Set(["arming", "playing", "clearing", "paused"]);

// The points that the side in turn would bank now.
export function pendingOf(score) {
  return score.sides.find((side) => side.id === score.turn)?.pending ?? 0;
}

export function createHead() {
  const game = h("h1", { class: "game" });
  const sides = h("div", { class: "sides" });
  const turn = createTurn();
  const history = h("a", { class: "to-history", href: "/history" }, t("history.title"));
  const element = h("header", { class: "head" }, game, history, sides);
  let blocks = new Map();

  function layOut(score) {
    blocks = new Map(score.sides.map((side) => [side.id, createSide(side)]));
    const elements = [...blocks.values()].map((block) => block.element);
    elements.splice(Math.ceil(elements.length / 2), 0, turn.element);
    sides.replaceChildren(...elements);
    setAttribute(sides, "data-count", score.sides.length);
  }

  return {
    element,
    show(score, { correction }) {
      const ids = score.sides.map((side) => side.id);
      if (ids.length !== blocks.size || ids.some((id) => !blocks.has(id))) layOut(score);
      const target = score.options.target ?? score.options.out;
      game.replaceChildren(h("b", {}, t(`games.${score.game}`)), target === undefined ? "" : ` ${t("upTo", { n: target })}`);
      for (const side of score.sides) blocks.get(side.id).show(side, score, correction);
      // All scores are as large as the longest lets them be.
      setAttribute(sides, "data-length", Math.max(...score.sides.map((side) => written(side.score).length)));
      turn.show(score, correction);
    },
  };
}

function createSide({ id }) {
  const name = h("h2", { class: "name" });
  const number = h("p", { class: "score" });
  const old = h("s", { class: "old" });
  const note = h("p", { class: "corrected", hidden: "" }, old, h("span", {}, t("corrected")));
  const element = h("section", { class: "side", "data-side": id }, h("div", { class: "who", "data-letter": id.slice(0, 1) }, name, note), number);
  return {
    element,
    show(side, score, correction) {
      const inTurn = side.id === score.turn && IN_PLAY.has(score.phase);
      const winner = score.over?.winner === side.id;
      element.classList.toggle("in-turn", inTurn);
      element.classList.toggle("winner", winner);
      setAttribute(element, "aria-current", inTurn);
      call(name, side.whole, [inTurn, winner, innerWidth]);
      setText(number, written(side.score));
      const { before, after } = correction ?? {};
      note.hidden = before?.[side.id] === after?.[side.id];
      setText(old, written(before?.[side.id]));
    },
  };
}

// A name as large as there is room for, which `room` tells apart; one that has none even so can be had whole from its title.
function call(element, name, room) {
  const wanted = JSON.stringify([name, room]);
  if (element.dataset.called === wanted) return;
  element.dataset.called = wanted;
  setText(element, name);
  setAttribute(element, "title", name);
  element.classList.remove("long", "longest");
  for (const size of ["long", "longest"]) {
    if (element.scrollWidth <= element.clientWidth) return;
    element.classList.add(size);
  }
}

function createTurn() {
  const points = h("b", { class: "points" });
  const old = h("s", { class: "old" });
  const stake = h("p", { class: "stake" }, points, h("span", {}, t("stake")), old);
  const balls = h("span", { class: "balls", "aria-hidden": "true" });
  const left = h("span", { class: "left" });
  const element = h("section", { class: "turn" }, stake, h("p", { class: "hand" }, balls, left));

  function showBalls({ balls_left: count, in_hand: inHand = [], player }) {
    if (count === undefined) {
      balls.replaceChildren();
      setText(left, "");
      return;
    }
    const kinds = inHand.map((ball) => ball.split("-")[0]).sort().reverse();
    while (balls.children.length < 8) balls.append(h("i"));
    [...balls.children].forEach((dot, place) => setAttribute(dot, "class", place < count ? `ball ${kinds[place] ?? "white"}` : "gone"));
    const words = count === 0 ? t("noBallsLeft") : t("ballsLeft", { n: count });
    const second = /^[AB](\d)$/.exec(player ?? "");
    setText(left, second ? `${t("partner", { n: second[1] })}, ${words}` : words);
  }

  return {
    element,
    show(score, correction) {
      const place = score.sides.findIndex((side) => side.id === score.turn);
      element.classList.toggle("off", !IN_PLAY.has(score.phase) || place < 0);
      setAttribute(element, "data-for", place < score.sides.length / 2 ? "first" : "last");
      const pending = pendingOf(score);
      // What a correction took from this turn is struck, as an old score is.
      const stakeBefore = correction?.stake;
      const struck = stakeBefore?.side === score.turn && stakeBefore.points !== pending;
      setText(old, struck ? signed(stakeBefore.points) : "");
      stake.classList.toggle("off", pending === 0 && !struck);
      if (pending !== 0 || struck) setText(points, signed(pending));
      showBalls(score.position);
    },
  };
}
