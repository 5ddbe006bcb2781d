// Every word of the screens, by language. A value is a text with {places}, or forms by plural category of {n}.
// To translate: copy `en` under the new language's code and change the right-hand sides.

const catalogue = {
  en: {
    games: { bagatelle: "Bagatelle", fortification: "Fortification", squails: "Squails", maw: "Maw" },
    upTo: "{n} up",
    sidesLine: "{name}: {score}",
    stake: "at stake this turn",
    notBanked: "not banked yet",
    ballsLeft: { one: "last ball", other: "{n} balls left" },
    noBallsLeft: "no balls left",
    partner: "partner {n}",
    provisional: "provisional",
    provisionalWhy: "an open question may change it",
    notSaved: "not saved",
    corrected: "corrected",
    correction: "Corrected",
    waitsForMarker: "The marker is asked",
    idleTitle: "Ready for a game",
    idleLast: "Last game: {winner} {high}, {loser} {low}",
    idleDraw: "Last game: a draw at {high}",
    idleBest: "Best turn of the evening: {points} by {name}",
    armingTitle: "Clear the table first",
    clearingTitle: "Collect the balls",
    clearingNext: "{name} plays next.",
    pausedTitle: "Paused",
    pausedLine: "Nothing scores until play goes on.",
    overTitle: "{name} wins",
    drawTitle: "A draw",
    overScore: "{high} to {low}",
    overDouble: "The game counts double.",
    provisionalResult: "Provisional until the question is answered.",
    abandonedTitle: "Game abandoned",
    abandonedLine: "It has no result.",
    connecting: "Looking for the table…",
    notLive: "Not live since {time}",
    notLiveLine: "The link to the table is lost; trying again.",
    cupHolds: "cup {n} holds a {ball} ball",
    balls: { black: "black", white: "white", red: "red" },
    boardLabel: "The board: {cups}.",
    noCups: "all cups are empty",
    nothingYet: "Nothing has been scored yet.",
  },
};

export const language = Object.keys(catalogue).find((code) => (navigator.language || "en").startsWith(code)) ?? "en";
const words = { ...catalogue.en, ...catalogue[language] };
const plural = new Intl.PluralRules(language);

export const locale = language === "en" ? "en-GB" : language;

export function t(key, values = {}) {
  let text = key.split(".").reduce((branch, name) => branch?.[name], words);
  if (text === undefined) return key.split(".").at(-1);
  if (typeof text === "object") text = text[plural.select(Math.abs(values.n))] ?? text.other;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

export function signed(points) {
  return points < 0 ? `−${-points}` : `+${points}`;
}
