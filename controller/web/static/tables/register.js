// The drawing of each game's table. A drawing is `create() -> {element, show(score, context), told(score)?}`, `told` giving lines for the
// end of a game; a game without one gets the plain page.

import { createBagatelle } from "./bagatelle.js";
import { createFortification } from "./fortification.js";
import { createMaw } from "./maw.js";
import { createPlain } from "./plain.js";
import { createSquails } from "./squails.js";

const drawings = { bagatelle: createBagatelle, fortification: createFortification, squails: createSquails, maw: createMaw };

export function createTable(game) {
  return (drawings[game] ?? createPlain)();
}
