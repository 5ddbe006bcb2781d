// The scoreboard for the room: sides and scores above, the table in the middle, what the last points were for below.

import { createFoot } from "./foot.js";
import { createHead, pendingOf } from "./head.js";
import { createPlate } from "./plate.js";
import { createTable } from "./tables/register.js";
import { h, setText } from "./dom.js";
import * as evening from "./evening.js";
import { named } from "./sides.js";
import { t } from "./texts.js";

const CORRECTION_MS = 12_000;

export function createRoom(stage) {
  const head = createHead();
  const plate = createPlate();
  const foot = createFoot();
  const place = h("main", { class: "place" });
  stage.append(head.element, place, plate.element, foot.element);

  let table = null;
  let score = null;
  let rules = {};
  let questions = { questions: [] };
  let correction = null; // what is shown as corrected, for a while or until points change again
  let correctionTimer = 0;

  async function open(game) {
    table = createTable(game);
    place.replaceChildren(table.element);
    rules = {};
    const answer = await fetch(`/api/rules/${game}`);
    if (!answer.ok) return;
    rules = await answer.json();
    draw();
  }

  function draw() {
    const context = {
      rules,
      correction: correction?.game_id === score.game_id ? correction : null,
      questions: questions.game_id === score.game_id ? questions.questions : [],
      told: table.told?.(score) ?? [],
    };
    document.body.dataset.phase = score.phase;
    stage.dataset.game = score.game;
    setText(document.querySelector("title"), score.sides.map((side) => t("sidesLine", { ...side, name: side.whole })).join(" · ") || "tablemarker");
    head.show(score, context);
    table.show(score, context);
    plate.show(score, context);
    foot.show(score, context);
  }

  function endCorrection() {
    clearTimeout(correctionTimer);
    correction = null;
  }

  return {
    show(next) {
      const game = score?.game;
      score = named(next);
      const points = JSON.stringify([score.last, score.sides]);
      if (correction) correction.points ??= points;
      if (correction && correction.points !== points) endCorrection();
      evening.remember(score);
      if (score.game !== game) open(score.game);
      draw();
    },
    takeQuestions(message) {
      questions = message;
    },
    // Comes just before the score that it changed.
    takeCorrection(message) {
      const stake = score?.game_id === message.game_id ? { side: score.turn, points: pendingOf(score) } : null;
      correction = { ...message, stake };
      clearTimeout(correctionTimer);
      correctionTimer = setTimeout(() => {
        endCorrection();
        draw();
      }, CORRECTION_MS);
    },
  };
}
