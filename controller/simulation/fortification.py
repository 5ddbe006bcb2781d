"""An evening of fortification at a simulated table: players, a marker's hands that tend flags and balls, and his answers."""

from __future__ import annotations

from controller.engine.requests import Request, StartGame
from controller.engine.snapshot import OpenQuestion, Snapshot
from controller.rules.fortification.words import FORTS, NAME
from controller.simulation.bells import Bells
from controller.simulation.bounce import beam_break
from controller.simulation.players import Players
from controller.simulation.siege import ALL_BALLS, OTHER, SIDES, Deed, Siege
from controller.tablefile import TableFile
from controller.tablefile.sensors import BellSensor
from hardware.signals import MS, SECOND
from hardware.sources.sim import SimSource

FLAGS = (*(f"{fort}-colours" for fort in FORTS), *(f"{side}-pass-colours" for side in SIDES))
SPOTS = tuple(f"{ball}-spot" for ball in ALL_BALLS)


class FortificationEvening(Players):
    """Plays games of fortification."""

    def __init__(self, table: TableFile, sim: SimSource, seed: int, *, start: int, games: int | None = None) -> None:
        super().__init__(table, sim, seed, start=start, games=games, resting=(*FLAGS, *SPOTS))
        self.bells = Bells(self.rng, len(FORTS))
        self.siege = Siege(self.rng)
        self._places: dict[str, str] = {}
        """By place: the ball that was there last."""
        self._rang: dict[str, bool] = {}
        """By fort: whether its bell rang then."""
        self._late_flags: list[str] = []
        self._playing = False
        self._unseen = False
        """Whether no sensor tells of the latest stroke that it is over."""

    @property
    def true_score(self) -> dict[str, int]:
        """What the game is worth by now."""
        return self.siege.score

    def _go_on(self, now: int, shown: Snapshot) -> list[Request]:
        if shown.phase in ("idle", "over", "abandoned"):
            return self._between_games(shown)
        if shown.phase == "playing" and self.siege.winner is None:
            self._play(now)
        elif shown.phase == "playing" and self._unseen:
            # A miss has ended the game, and only the next press says that it was played.
            self._unseen = False
            self._press("stroke", now)
        return []

    def _between_games(self, shown: Snapshot) -> list[Request]:
        if shown.phase == "over" and self._playing:
            self._playing = False
            if self._game_over():
                return []
            at = self.next_time
            for role in (*FLAGS, *SPOTS):
                at = self._change(role, at + 200 * MS, 1)
            self.next_time = at + SECOND
            return []
        self.siege = Siege(self.rng)
        self._late_flags.clear()
        self._playing = True
        return [Request(StartGame(), "demo")]

    def _play(self, now: int) -> None:
        """The striker plays, the balls come to rest, and the marker's hands do what is due."""
        rng = self.rng
        if rng.random() < 0.1:
            self._disturb(now)
            return
        self._press("stroke", now)
        blow = now + round(rng.uniform(0.3, 1.5) * SECOND)
        deeds = self.siege.stroke()
        end = blow
        for deed in deeds:
            end = max(end, self._happen(deed, blow + round(deed.after * SECOND)))
        for flag in self._late_flags:
            # Too late: this stroke has begun. He sees it, and puts it up again.
            self._change(f"{flag}-colours", blow + 400 * MS, 0)
            end = max(end, self._change(f"{flag}-colours", blow + 2 * SECOND, 1))
        self._late_flags.clear()
        self._unseen = all(deed.thing == "leaves" for deed in deeds)
        if not self._unseen:
            end = self._tend(end + round(rng.uniform(0.4, 2.0) * SECOND))
            end += 3 * SECOND
        self.next_time = end + round(rng.uniform(1.0, 4.0) * SECOND)

    def _tend(self, at: int) -> int:
        """Flags come down and balls go back, now and then too late."""
        rng, siege = self.rng, self.siege
        for flag in siege.due:
            chance = rng.random()
            if chance < 0.93:
                siege.lower(flag)
                at = self._change(f"{flag}-colours", at, 0) + round(rng.uniform(0.5, 1.5) * SECOND)
            elif chance < 0.97:
                self._late_flags.append(flag)
        for ball in sorted(siege.owed):
            if rng.random() < 0.93:
                siege.spot(ball)
                at = self._change(f"{ball}-spot", at, 1) + round(rng.uniform(0.5, 1.5) * SECOND)
        return at

    def _truth_of(self, question: OpenQuestion) -> str | None:
        if question.id.startswith("missed-"):
            # They press STROKE before each of their strokes.
            return "none"
        place = next((place for place in self._places if place in question.text), None)
        if place is None:
            # A correction has made a stroke of it at which nothing happened.
            return None
        wanted = self._places[place]
        if place in self._rang and wanted == f"{OTHER[self.siege.turn]}-attack":
            # The striker's own: all hangs on the bell, which he has heard himself.
            heard = "rang" if self._rang[place] else "silent"
            wanted = heard if any(key == heard for key, _ in question.choices) else wanted
        return wanted

    def _without_truth(self, question: OpenQuestion) -> str:
        return question.choices[-1][0]

    # What balls and hands do to the inputs

    def _happen(self, deed: Deed, at: int) -> int:
        rng = self.rng
        if deed.thing == "leaves":
            return self._change(f"{deed.ball}-spot", at, 0)
        if deed.thing == "pocket":
            self._places[deed.place.replace("-", " ")] = deed.ball
            return self._edges(deed.place, beam_break(rng, at, round(rng.uniform(30, 90) * MS)))
        if deed.thing == "pass":
            self._places["the pass"] = deed.ball if deed.ball.startswith(deed.place) else "other"
            lasts, gap = round(rng.uniform(40, 150) * MS), round(rng.uniform(20, 90) * MS)
            near, far = (0, gap) if deed.place == "english" else (gap, 0)
            self._edges("english-pass", beam_break(rng, at + near, lasts), 0)
            return self._edges("english-pass", beam_break(rng, at + far, lasts), 1)
        fort = next(fort for fort in FORTS if fort == deed.place)
        self._places[NAME[fort]] = deed.ball
        self._rang[NAME[fort]] = deed.thing == "bell"
        # It rolls on into the fort, or lies in the beam until a hand takes it out.
        lasts = round((rng.uniform(0.04, 0.15) if rng.random() < 0.6 else 2.5) * SECOND)
        end = self._edges(f"{deed.place}-arch", beam_break(rng, at - 50 * MS, lasts))
        if deed.thing == "bell":
            self.bells.ring(FORTS.index(fort), at, rng.uniform(0.8, 2.5))
            self._listen(at)
        elif rng.random() < 0.5:
            self.bells.thud(FORTS.index(fort), at, rng.uniform(50, 300))
            self._listen(at)
        return end

    def _disturb(self, now: int) -> None:
        """Somebody leans on the table, or stamps."""
        if self.rng.random() < 0.5:
            self.bells.knock(now, self.rng.uniform(50, 800))
        else:
            self.bells.footfall(now, self.rng.uniform(10, 60))
        self._listen(now)
        self.next_time = now + 2 * SECOND

    def _listen(self, at: int) -> None:
        """Let the bells be heard until they have died away."""
        bell = next(sensor for sensor in self.sensors.values() if isinstance(sensor, BellSensor))
        for when, which, reading in self.bells.heard(bell.threshold, (at - 10 * MS, at + 1500 * MS), bell.period, bell.tail):
            self.sim.tell(self.sensors[FORTS[which]].channels[0], reading, when)
        self.bells.hush(at + 60 * SECOND)
