// The squails table from above, a glass over its target with the ring of the gauge, and how near the squails lie.

import { groundOf, onScreen, placesNear, placesOf, seatsOf } from "./around.js";
import { asAwarded, ended, gapsSeen, isSeen, measured, nearest, numberOf, sideOf } from "./near.js";
import { ballPaint, brass, grain, radial } from "./paints.js";
import { h, setAttribute, setText, svg } from "../dom.js";
import { t } from "../texts.js";

const REACH = 158; // what the glass shows, in millimetres from the target's middle
const MOST_ROWS = 5;
const FRESH_MS = 5000;

export function createSquails() {
  const table = createTable();
  const glass = createGlass();
  const list = createList();
  const element = h("div", { class: "squails drawn", role: "img" }, table.element, glass.element, list.element);
  let latest = null;

  function draw(score, { gaps, awards }) {
    const rows = nearest(gaps, score);
    const sure = awards !== null && (!awards || asAwarded(rows, awards));
    setAttribute(element, "data-sides", score.sides.length);
    table.show(score);
    glass.show(score, rows, sure);
    list.show(score, rows, sure);
    setAttribute(element, "aria-label", describe(score, rows));
  }

  // A round that is over has what it was measured at, which the game's list tells.
  async function lookUp(score, seen) {
    const answer = await fetch("/api/console/events");
    if (!answer.ok) return;
    const { game_id: game, events } = await answer.json();
    if (score === latest && game === score.game_id) draw(score, measured(events) ?? seen);
  }

  return {
    element,
    // `context.events`: the list of the game's events, where a page that tells of another game has it.
    show(score, context) {
      latest = score;
      const seen = { gaps: gapsSeen(score, groundOf(score)) ?? {} };
      if (context.events) draw(score, measured(context.events) ?? seen);
      else if (ended(score)) lookUp(score, seen);
      else draw(score, seen);
    },
    told({ position, over }) {
      return over ? [t("squail.byRound", { n: position.round })] : [];
    },
  };
}

function describe({ position, sides }, rows) {
  const lines = sides.map(({ id, name }) => {
    const hand = Object.entries(position.squails).filter(([squail, status]) => sideOf(squail) === id && status === "in_hand").length;
    return t("squail.line", { name, hand, near: rows.filter((row) => row.side === id && row.within).length });
  });
  return t("squail.label", { n: position.round, lines: lines.join(" ") });
}

// A squail, in millimetres: light ones pale with a ring, dark ones dark with a cross of lines, so that both are told apart without colour.
function disc(squail, size = 25.4) {
  const kind = sideOf(squail);
  return svg(
    "g",
    { class: `disc of-${kind}`, "data-squail": squail },
    svg("circle", { class: "glow", r: size + 6 }),
    svg("circle", { class: "disc-body", r: size }),
    svg("circle", { class: "disc-ring", r: size * 0.8 }),
    svg("text", { class: "disc-number", y: 1 }, kind.length === 1 ? kind : numberOf(squail)),
    svg("path", { class: "cross", d: `M${-size} ${-size} L${size} ${size} M${size} ${-size} L${-size} ${size}` }),
  );
}

function paints(name) {
  return svg(
    "defs",
    {},
    grain(false),
    brass(),
    radial(`wood-${name}`, [0.5, 0.45, 0.62], [0, "#a8743f"], [0.7, "#8d5a2c"], [1, "#6b3f1d"]),
    ballPaint("ivory", "#ffffff", "#f7efdd", "#b7a680"),
    radial("pale", [0.4, 0.35, 0.7], [0, "#fff3d3"], [0.6, "#efd9a8"], [1, "#cdae74"]),
    radial("ebony", [0.4, 0.35, 0.7], [0, "#5b4436"], [0.6, "#33231a"], [1, "#1a100a"]),
  );
}

// The whole table

function createTable() {
  const element = svg("svg", { class: "whole", "aria-hidden": "true" });
  const wood = svg("g", {});
  const target = svg("g", { class: "target" }, svg("circle", { class: "target-ring" }), svg("circle", { class: "ivory" }));
  const seats = svg("g", { class: "seats" });
  const discs = svg("g", { class: "discs" });
  element.append(paints("whole"), wood, seats, target, discs);
  let known = new Map();
  let laidOut = "";

  function seat({ player, side, angle, place: [x, y] }) {
    const turn = (angle * 180) / Math.PI - 90;
    return svg(
      "g",
      { class: `seat of-${side}`, "data-player": player, transform: `translate(${x} ${y}) rotate(${turn})` },
      svg("path", { class: "turn-mark", d: "M -64 -34 L0 -84 L64 -34 Z" }),
      svg("rect", { x: -120, y: -34, width: 240, height: 68, rx: 26 }),
    );
  }

  function layOut(ground, around, { position, options }) {
    const edge = ground.reach + 184;
    setAttribute(element, "viewBox", `${-edge} ${-edge} ${2 * edge} ${2 * edge}`);
    wood.replaceChildren(
      outline(ground, -14, "shadow"),
      outline(ground, 0, "top whole-top"),
      outline(ground, 0, "grain"),
      outline(ground, options.gauge_mm, "line"),
    );
    setAttribute(target.firstChild, "r", options.gauge_mm + ground.target);
    setAttribute(target.lastChild, "r", ground.target * 1.7);
    seats.replaceChildren(...around.map(seat));
    known = new Map(Object.keys(position.squails).map((squail) => [squail, disc(squail, ground.squail * 1.5)]));
    discs.replaceChildren(...known.values());
  }

  return {
    element,
    show(score) {
      const { position, seen, options } = score;
      const ground = groundOf(score);
      const around = seatsOf(score, ground);
      const wanted = JSON.stringify([options, ground, score.sides.map((side) => side.id), score.game_id]);
      if (wanted !== laidOut) layOut(ground, around, score);
      laidOut = wanted;
      for (const chair of seats.children) chair.classList.toggle("to-play", chair.dataset.player === position.to_play && score.phase === "playing");
      const [tx, ty] = onScreen(seen.target ?? [0, 0]);
      target.style.transform = `translate(${tx}px, ${ty}px)`;
      setAttribute(target, "data-target", position.target);
      const places = placesOf(score, around, ground);
      for (const [squail, piece] of known) {
        const found = places.get(squail);
        piece.classList.toggle("off", !found);
        piece.classList.toggle("unseen", found !== undefined && !found.seen);
        setAttribute(piece, "data-status", position.squails[squail]);
        if (found) piece.style.transform = `translate(${found.place[0].toFixed(1)}px, ${found.place[1].toFixed(1)}px)`;
      }
    },
  };
}

// The table's edge, or a line so far in from it.
function outline({ width, depth, round }, inside, name) {
  if (round) return svg("circle", { class: name, r: width / 2 - inside });
  return svg("rect", { class: name, x: inside - width / 2, y: inside - depth / 2, width: width - 2 * inside, height: depth - 2 * inside, rx: 12 });
}

// The glass over the target

function createGlass() {
  const edge = REACH + 8;
  const element = svg("svg", { class: "glass", viewBox: `${-edge} ${-edge} ${2 * edge} ${2 * edge}`, "aria-hidden": "true" });
  const ring = svg("circle", { class: "ring" });
  const lines = svg("g", { class: "gaps" });
  const discs = svg("g", { class: "discs", "clip-path": 'url("#glass-edge")' });
  const target = svg("g", { class: "target" }, svg("circle", { class: "ivory" }));
  element.append(
    paints("glass"),
    svg("clipPath", { id: "glass-edge" }, svg("circle", { r: REACH })),
    svg("circle", { class: "top glass-top", r: REACH }),
    svg("circle", { class: "inside" }),
    ring,
    lines,
    target,
    discs,
    svg("circle", { class: "glass-rim", r: REACH + 2 }),
  );
  const inside = element.querySelector(".inside");
  let drawn = "";
  let game = null;
  let timer = 0;

  return {
    element,
    show(score, rows, sure) {
      const { options, position } = score;
      const ground = groundOf(score);
      for (const one of [ring, inside]) setAttribute(one, "r", options.gauge_mm + ground.target);
      setAttribute(target.firstChild, "r", ground.target);
      setAttribute(target, "data-target", position.target);
      const near = placesNear(rows, score, ground, REACH);
      const wanted = JSON.stringify([near, sure, score.game_id]);
      if (wanted === drawn) return;
      const news = game === score.game_id && near.length > 0;
      [drawn, game] = [wanted, score.game_id];
      lines.replaceChildren(...near.filter((row) => row.within).map((row) => gapLine(row, ground)));
      discs.replaceChildren(
        ...near.map((row) => {
          const piece = disc(row.squail, ground.squail);
          piece.style.transform = `translate(${row.place[0].toFixed(1)}px, ${row.place[1].toFixed(1)}px)`;
          piece.classList.toggle("counts", row.counts && sure);
          piece.classList.toggle("beyond", !row.within);
          setAttribute(piece, "data-status", position.squails[row.squail]);
          piece.querySelector(".disc-number").setAttribute("y", -6);
          piece.append(svg("text", { class: "disc-gap", y: 13 }, Math.round(row.gap)));
          return piece;
        }),
      );
      clearTimeout(timer);
      element.classList.toggle("fresh", news);
      if (news) timer = setTimeout(() => element.classList.remove("fresh"), FRESH_MS);
    },
  };
}

// From rim to rim, as the gauge is laid.
function gapLine({ place: [x, y], counts }, { squail, target }) {
  const away = Math.hypot(x, y) || 1;
  const [ux, uy] = [x / away, y / away];
  const point = (distance) => `${(ux * distance).toFixed(1)} ${(uy * distance).toFixed(1)}`;
  return svg("path", { class: counts ? "gap counts" : "gap", d: `M${point(target)} L${point(Math.max(target, away - squail))}` });
}

// Beside them: the round, who plays, and the nearest in order.

function createList() {
  const round = h("p", { class: "round" });
  const who = h("p", { class: "who-plays" });
  const title = h("h4", {});
  const rows = h("ol", {});
  const note = h("p", { class: "note" });
  const element = h("div", { class: "near" }, h("div", { class: "state" }, round, who), h("div", { class: "rows" }, title, rows, note));
  let drawn = "";
  return {
    element,
    show(score, near, sure) {
      const { position, options } = score;
      setText(round, [t("squail.round", { n: position.round }), t(`squail.targets.${position.target}`)].join(" · "));
      setText(who, score.phase === "playing" ? nextOf(score) : "");
      const wanted = JSON.stringify([near, sure, score.sides.map((side) => side.name), isSeen(score.seen.squails), ended(score)]);
      if (wanted === drawn) return;
      drawn = wanted;
      setText(title, t(near.length === 0 ? "squail.nothingNear" : ended(score) ? "squail.nearest" : "squail.soFar"));
      setText(note, near.length > 0 && !isSeen(score.seen.squails) ? t(score.retold ? "squail.notKept" : "squail.directions") : "");
      rows.replaceChildren(...near.slice(0, MOST_ROWS).map((row) => rowOf(row, score, sure, options.gauge_mm)));
    },
  };
}

// A player by the name of his side, with his number where it has several.
function said(id, { sides, options }) {
  const [side, number] = id.split("-");
  const name = sides.find((one) => one.id === side)?.name ?? id;
  return number && options.players > 2 ? `${name} ${number}` : name;
}

function nextOf(score) {
  const { to_play: player, next_begins: begins } = score.position;
  if (player) return t("squail.toPlay", { who: said(player, score) });
  return begins ? t("squail.begins", { who: said(begins, score) }) : "";
}

function rowOf({ squail, side, gap, within, counts }, score, sure, gauge) {
  const badge = svg("svg", { class: "badge", viewBox: "-29 -29 58 58", "aria-hidden": "true" }, disc(squail));
  const bar = h("i", {});
  bar.style.width = `${Math.min(100, (gap / gauge / 1.35) * 100)}%`;
  const ruler = h("span", { class: "ruler" }, bar, h("i", { class: "limit" }));
  const row = h("li", { class: counts && sure ? "counts" : within ? "within" : "beyond" }, badge, ruler, h("b", {}, t("squail.from", { n: Math.round(gap) })));
  const status = score.position.squails[squail];
  const verdict = counts && sure ? t(ended(score) ? "squail.counts" : "squail.wouldCount") : within ? "" : t("squail.beyond");
  row.append(h("em", {}, status === "played" ? verdict : t(`squail.statuses.${status}`)));
  setAttribute(row, "title", said(side, score));
  return row;
}
