// A shot of bagatelle in two taps: where the ball went, and what the black did. What may be tapped follows from the forms.

import { h } from "../dom.js";
import { t } from "../texts.js";
import { button, enable } from "./button.js";
import { capital, spoken } from "./words.js";

const CUPS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"].map((n) => `cup-${n}`);
const BLACK = "black";

// The common shots of the forms: {ball, to, black, event}; `black` is "missed", "still", or where it went.
function shotsOf(forms) {
  const closed = forms.filter((form) => form.event === "shot" && form.fields.every(({ kind }) => kind === "choice"));
  const first = closed.some((form) => form.fields.find(({ name }) => name === "hit_black").choices[0]);
  return closed.flatMap((form) => {
    const [ball, hit, moves] = ["ball", "hit_black", "moves"].map(
      (name) => form.fields.find((field) => field.name === name).choices,
    );
    return moves.map((list) => {
      const to = list.find((move) => move.ball === ball[0])?.to ?? "board";
      const black = list.find((move) => move.ball === BLACK)?.to ?? (hit[0] ? "struck" : first ? "missed" : "still");
      return { ball: ball[0], to, black, event: { event: "shot", ball: ball[0], hit_black: hit[0], moves: list } };
    });
  });
}

function blackOf(event, first) {
  return event.moves.find((move) => move.ball === BLACK)?.to ?? (event.hit_black ? "struck" : first ? "missed" : "still");
}

// Gives null where the forms have no shots. `enter(event)` gives a promise; `cups`: what lies in which; `before`: an event to change.
export function createShot(forms, enter, { cups = {}, before } = {}) {
  const shots = shotsOf(forms);
  if (shots.length === 0) return null;
  const first = shots.some(({ black }) => black === "missed");
  const balls = [...new Set(shots.map(({ ball }) => ball))];
  let ball = balls.find((one) => one.split("-")[0] === before?.ball?.split("-")[0]) ?? balls[0];
  let to = before && (before.moves.find((move) => move.ball === before.ball)?.to ?? "board");
  let black = before && blackOf(before, first);

  const kinds =
    balls.length > 1
      ? balls.map((one) => [one, button(spoken(one), () => choose({ ball: one }), { class: `kind ${one.split("-")[0]}` })])
      : [];
  const ballTo = columns(["board", ...CUPS, "past_half_way", "short", "off_table"], (where) => pick({ to: where }), cups);
  const rests = ["missed", "struck", "still", "board"].filter((where) => shots.some((shot) => shot.black === where));
  const blackTo = columns([...rests, ...CUPS, "past_half_way"], (where) => pick({ black: where }), cups);
  const missed = blackTo.find(([where]) => where === "missed")?.[1];
  const element = h(
    "section",
    { class: "shot", "aria-label": t("marker.shot") },
    missed,
    column(
      t("marker.theBall"),
      kinds.map(([, one]) => one),
      ballTo,
      "board",
    ),
    column(t("marker.theBlack"), [], blackTo, first ? "struck" : "still"),
  );

  function choose(next) {
    ({ ball = ball, to = to, black = black } = next);
    show();
  }

  function pick(next) {
    choose(next);
    // A ball that misses is lost for the turn, wherever it lies: that says it all.
    const whole = black === "missed" ? { to: "board", black } : { to, black };
    const found = shots.find((shot) => shot.ball === ball && shot.to === whole.to && shot.black === whole.black);
    return found ? enter(found.event) : undefined;
  }

  function show() {
    const mine = shots.filter((shot) => shot.ball === ball);
    for (const [one, element] of kinds) element.setAttribute("aria-pressed", String(one === ball));
    for (const [where, element] of ballTo) {
      element.setAttribute("aria-pressed", String(where === to));
      enable(
        element,
        mine.some((shot) => shot.to === where),
      );
    }
    for (const [where, element] of blackTo) {
      element.setAttribute("aria-pressed", String(where === black));
      enable(
        element,
        mine.some((shot) => shot.black === where && (to === undefined || shot.to === to || where === "missed")),
      );
    }
  }

  show();
  return element;
}

function column(title, tools, places, likely) {
  const cups = places.filter(([where]) => CUPS.includes(where)).map(([, one]) => one);
  const [above, below] = [true, false].map((first) =>
    places.filter(([where]) => where !== "missed" && !CUPS.includes(where) && (where === likely) === first).map(([, one]) => one),
  );
  return h(
    "div",
    { class: "column", role: "group", "aria-label": title },
    h("h3", {}, title, tools.length ? h("span", { class: "kinds" }, ...tools) : null),
    ...above,
    h("div", { class: "cups" }, ...cups),
    ...below,
  );
}

function columns(places, pick, cups) {
  return places.map((where) => {
    const cup = CUPS.includes(where) ? where.split("-")[1] : null;
    const there = cup && cups[cup];
    const label = cup ? cup : capital(t(`marker.rests.${where}`));
    const attributes = {
      class: cup ? "cup" : "place",
      "data-ball": there ? there.split("-")[0] : undefined,
      "aria-label": cup ? [spoken(where), there && spoken(there)].filter(Boolean).join(", ") : undefined,
    };
    return [where, button(label, () => pick(where), attributes)];
  });
}
