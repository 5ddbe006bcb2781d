"""An evening of squails: a camera that sees as cameras do, captains at their buttons, and the gauge of whoever marks."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from controller.engine.requests import Request, StartGame
from controller.engine.snapshot import OpenQuestion, Snapshot
from controller.simulation.parlour import EDGE, GAUGE, OTHER, SIDES, Parlour, Slide, Spot
from controller.simulation.players import Players
from controller.tablefile import TableFile
from hardware.signals import MS, SECOND
from hardware.sources.sim import SimSource

FRAME = 100 * MS
"""The camera sends ten pictures a second while it shows anything; between strokes one a second is enough."""
ERROR = 1.0
"""Millimetres that a place in a picture may be off in any direction; no more, ever."""


class SquailsEvening(Players):
    """Plays games of squails."""

    def __init__(self, table: TableFile, sim: SimSource, seed: int, *, start: int, games: int | None = None) -> None:
        super().__init__(table, sim, seed, start=start, games=games)
        self.world = Parlour(self.rng)
        self.visible: dict[str, Spot] = {"target": (0.0, 0.0)}
        self._filmed = start
        self._playing = False
        self._reckoned = False
        self._settled = False
        self._decided: set[str] = set()

    @property
    def true_score(self) -> dict[str, int]:
        """What the game is worth by now."""
        return self.world.score

    def act(self, now: int, shown: Snapshot) -> list[Request]:
        """Look at the scoreboard and do the next thing, before the camera."""
        due = now >= self.next_time
        requests = super().act(now, shown)
        if due:
            self._film(self.next_time)
        return requests

    def _go_on(self, now: int, shown: Snapshot) -> list[Request]:
        if shown.phase in ("idle", "abandoned") or (shown.phase == "over" and (self._reckoned or not self._playing)):
            return self._between_games(now, shown)
        if shown.phase in ("clearing", "over"):
            self._end_round(now, shown)
        elif shown.phase == "playing":
            self._play(now, shown)
        return []

    def _between_games(self, now: int, shown: Snapshot) -> list[Request]:
        if shown.phase == "over" and self._playing:
            self._playing = False
            if self._game_over():
                return []
            self._collect(now)
            return []
        self.world = Parlour(self.rng, target=self.visible["target"])
        self._playing = True
        self._fresh()
        return [Request(StartGame(), "demo")]

    def _fresh(self) -> None:
        self._reckoned = self._settled = False
        self._decided.clear()

    # A round

    def _play(self, now: int, shown: Snapshot) -> None:
        if self._reckoned:
            # The next round has begun.
            self.world.fresh_round()
            self.world.target = self.visible["target"]
            self._fresh()
        if self._after_stroke(now, shown):
            return
        if not self.world.done:
            self._show(self.world.slide(), now)

    def _after_stroke(self, now: int, shown: Snapshot) -> bool:
        """What follows a stroke before the next: a short squail taken back, a cry, a call. Whether something was done."""
        rng, world, last = self.rng, self.world, self.world.last
        statuses: Any = shown.position["squails"]
        key = "" if last is None else f"{last.squail} {world.replays.get(last.squail, 0)} {last.fate}"
        if last is not None and key not in self._decided and world.sent_out is None:
            self._decided.add(key)
            if last.fate == "short" and statuses[last.squail] == "short" and rng.random() < 0.7:
                self._take(world.take_back(), now)
                self._decided.discard(key)
                return True
            if last.squail in world.crossed and statuses[last.squail] == "over" and rng.random() < 0.5:
                world.cry(last.squail)
                self._press(f"{OTHER[last.side]}-out", now)
                return True
        for side in SIDES:
            late = [one for one in world.may_call(side) if f"call {one} {world.replays.get(one, 0)}" not in self._decided]
            if late and world.sent_out is None and world.last is not None:
                self._decided.update(f"call {one} {world.replays.get(one, 0)}" for one in late)
                if rng.random() < 0.6:
                    world.call(side)
                    self._press(f"{side}-claim", now)
                    return True
        return False

    def _end_round(self, now: int, shown: Snapshot) -> None:
        if not self._reckoned:
            self._reckoned = True
            if self.world.sent_out is None:
                self.world.reckon()
        elif shown.phase == "over":
            return
        elif not self._settled and self.world.sent_out is None:
            self._settled = True
            self._settle(now)
        elif not self._lay_gauge(now, shown):
            self._collect(now)

    def _settle(self, now: int) -> None:
        """Now and then the captains go through it: a claim, and it is allowed, or disputed because it was too much."""
        rng, counted = self.rng, self.world.counted
        if not counted or rng.random() < 0.5:
            return
        side = counted[0].split("-")[0]
        own = sum(one.startswith(side) for one in self.world.gaps)
        too_many = own > len(counted) and rng.random() < 0.3
        at = now
        for _ in range(len(counted) + too_many):
            self._press(f"{side}-claim", at)
            at += 700 * MS
        self._press(f"{OTHER[side]}-{'dispute' if too_many else 'allow'}", at + round(rng.uniform(0.5, 4) * SECOND))
        self.next_time = at + 6 * SECOND

    def _lay_gauge(self, now: int, shown: Snapshot) -> bool:
        for notice in shown.notices:
            if notice.text.startswith("Lay the gauge between the target and "):
                side, _, number = notice.text.split(",")[0].split()[-3:]
                self._gauge(self.world.gaps[f"{side}-s{number}"] <= GAUGE, now)
                return True
        return False

    # Answers

    def _answer_all(self, now: int, shown: Snapshot) -> list[Request]:
        first = shown.questions[0]
        if first.id.startswith("gauge-") and self.rng.random() < 0.5:
            self._gauge(self.world.gaps[_squail_of(first.id)] <= GAUGE, now)
            return []
        return [self._answer(question) for question in shown.questions]

    def _truth_of(self, asked: OpenQuestion) -> str:
        question = asked.id
        world, kind = self.world, question.split("-", maxsplit=1)[0]
        if kind == "near":
            return "+".join(sorted(world.counted)) or "none"
        if kind == "gauge":
            return "yes" if world.gaps[_squail_of(question)] <= GAUGE else "no"
        if kind == "line" and world.last is not None:
            return "across" if world.last.fate == "off" else world.last.fate
        if kind == "target" and world.last is not None:
            return "out" if world.last.target_out else "moved" if "target" in world.last.pushed else "still"
        return ""

    # What the camera sees

    def _show(self, slide: Slide, now: int) -> None:
        """A squail is set, struck, and comes to rest; it may push others."""
        rng = self.rng
        at = self._filmed = max(now, self._filmed)
        held = at + round(rng.uniform(0.4, 2.5) * SECOND)
        hidden = {one for one in self.visible if rng.random() < 0.1} if rng.random() < 0.2 else set()
        if slide.squail in self.visible:
            self._take(slide.squail, at)
            at = self._filmed
            held = at + round(rng.uniform(0.4, 2.5) * SECOND)
        self.visible[slide.squail] = slide.start
        self._film(held, FRAME, hidden)
        lasts = round(rng.uniform(0.5, 1.0) * SECOND)
        begins = self._filmed
        for step in range(FRAME, lasts + FRAME, FRAME):
            part = min(1.0, step / lasts)
            self.visible[slide.squail] = _between(slide.start, slide.end, part)
            for name, (start, end) in slide.pushed.items():
                self.visible[name] = _between(start, end, max(0.0, part * 4 - 3))
            if slide.fate == "off" and part > 0.9:
                self.visible.pop(slide.squail)
                break
            self._film(begins + step, FRAME)
        for name, (_, end) in slide.pushed.items():
            self.visible[name] = end
        if slide.fate != "off":
            self.visible[slide.squail] = slide.end
        if math.hypot(*self.visible["target"]) > EDGE:
            del self.visible["target"]
        vanished = slide.fate == "off" or "target" not in self.visible
        self._film(self._filmed + (4 * SECOND if vanished else 1500 * MS), FRAME)
        self.next_time = self._filmed + round(rng.uniform(0.3, 1.5) * SECOND)

    def _take(self, squail: str, now: int) -> None:
        """A hand takes a squail."""
        self._filmed = max(now, self._filmed)
        self.visible.pop(squail, None)
        self._film(self._filmed + 4 * SECOND, FRAME)
        self.next_time = max(self.next_time, self._filmed + 500 * MS)

    def _collect(self, now: int) -> None:
        """Hands take the squails, one after the other, and put the target back."""
        self._filmed = max(now, self._filmed)
        for name in sorted(set(self.visible) - {"target"}):
            del self.visible[name]
            self._film(self._filmed + 200 * MS, FRAME)
        self.visible["target"] = (self.rng.uniform(-3, 3), self.rng.uniform(-3, 3))
        self._film(self._filmed + 5 * SECOND, FRAME)
        self.next_time = self._filmed + SECOND

    def _film(self, until: int, every: int = SECOND, hidden: frozenset[str] | set[str] = frozenset()) -> None:
        """Send pictures of what lies there."""
        eye = self.sensors["squails"].channels[0]
        while self._filmed + every <= until:
            self._filmed += every
            if self.rng.random() < 0.005:
                self.sim.tell(eye, self.rng.choice(('{"target":[', "\x00", "no picture")), self._filmed - MS)
            self.sim.tell(eye, self._picture({n: s for n, s in self.visible.items() if n not in hidden}), self._filmed)

    def _picture(self, places: Mapping[str, Spot]) -> str:
        told = {}
        for name, (x, y) in places.items():
            angle, off = self.rng.uniform(0, 2 * math.pi), ERROR * 0.99 * math.sqrt(self.rng.random())
            told[name] = [round(x + off * math.cos(angle), 2), round(y + off * math.sin(angle), 2), ERROR]
        return json.dumps(told, separators=(",", ":"))

    # Gauge and buttons

    def _gauge(self, touches: bool, at: int) -> None:
        self.sim.tell(self.sensors["gauge"].channels[0], f"GAUGE {'YES' if touches else 'NO'}", at + 300 * MS)


def _squail_of(question: str) -> str:
    return "-".join(question.split("-")[-2:])


def _between(start: Spot, end: Spot, part: float) -> Spot:
    return (start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part)
