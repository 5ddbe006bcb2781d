"""What people ask of the table: each request is done, or refused with a sentence. Pure but for the journal that it asks."""

from __future__ import annotations

from controller.engine import deeds
from controller.engine.acts import OnGame, act
from controller.engine.current import GO_ON, CurrentGame
from controller.engine.deeds import QuestionPlaces
from controller.engine.forgetting import Forget
from controller.engine.journal import JournalError
from controller.engine.occurrences import Refused
from controller.engine.past import Find, PastGames, outcome
from controller.engine.play import GameInPlay
from controller.engine.reasons import Reasons
from controller.engine.requests import (
    Abandon,
    Again,
    Answer,
    Command,
    EnterEvent,
    Explain,
    ForgetPlayer,
    Pause,
    Quarantine,
    Release,
    Reply,
    Request,
    Resume,
    StartGame,
    TestOutput,
)
from controller.engine.snapshot import Snapshot
from controller.rules.awards import Json
from controller.rules.errors import RulesError


class Desk:
    """Where requests come to. `find_past` finds games of earlier days, `forget` takes a player's name out of them."""

    def __init__(self, current: CurrentGame, find_past: Find, forget: Forget) -> None:
        self.past = PastGames(find_past, current.note_for)
        self._current = current
        self._reasons = Reasons(find_past)
        self._forget = forget
        self._shown: Snapshot | None = None

    def ask(self, request: Request, shown: Snapshot | None, at: int) -> Reply:
        """Do what is asked, of the state that is shown; what can't be done is refused with the reason."""
        self._shown = shown
        try:
            return Reply(ok=True, detail=self._do(request, at))
        except (Refused, RulesError) as error:
            return Reply(ok=False, error=str(error))

    def _do(self, request: Request, at: int) -> dict[str, Json] | None:
        command, by = request.command, request.via
        if isinstance(command, OnGame):
            return self._on_game(command, by, at)
        if isinstance(command, Explain):
            return self._explain(command)
        if isinstance(command, Again):
            return self._again(command, by, at)
        if isinstance(command, StartGame):
            self._current.start(command, by, at)
        elif isinstance(command, Pause):
            self._current.playing().pause(by, at)
        elif isinstance(command, Resume):
            self._current.resume(self._current.playing(), by, at)
        elif isinstance(command, Abandon):
            self._current.abandon(self._current.playing(), by, at)
        elif isinstance(command, Quarantine | Release):
            self._current.quarantine(command, by, at)
        elif isinstance(command, TestOutput):
            raise Refused(f"this table has no output {command.output!r}")
        elif isinstance(command, ForgetPlayer):
            self._forget_player(command.name, by, at)
        return None

    def _on_game(self, command: OnGame, via: str, at: int) -> dict[str, Json] | None:
        if not isinstance(command, EnterEvent):
            self._check_revision(command.if_revision)
        if isinstance(command, Answer) and command.question == GO_ON:
            self._current.answer_go_on(command.choice, via, at)
            return None
        if self._is_in_play(command):
            return act(self._current.playing(), command, via, at)
        if self._shown is not None and not self._shown.durable:
            raise Refused("the journal can't be written now; a game of an earlier day can be corrected when it can")
        past = self.past.open(str(command.game))
        before: dict[str, Json] = dict(past.game.score(past.state))
        return act(past, command, via, at) or outcome(past, before)

    def _again(self, again: Again, by: str, at: int) -> dict[str, Json] | None:
        current = self._current
        if current.play is not None:
            body: dict[str, Json] = {"command": "finish", "by": "", **({"entering": True} if again.entering else {})}
            for _ in range(again.finished):
                current.play.command(body, at)
        if again.gone:
            current.play = None
        command = again.command if again.command is None else deeds.resolved(again, *self.about(again.command))
        return None if command is None else self._do(Request(command, by), at)

    def about(self, command: Command) -> tuple[GameInPlay | None, QuestionPlaces]:
        """The game that a command is about, and the places of its questions. Raises `Refused` where there is none."""
        if isinstance(command, OnGame) and not self._is_in_play(command):
            return self.past.placed(str(command.game))
        return self._current.play, self._current.places

    def _is_in_play(self, command: OnGame) -> bool:
        play = self._current.play
        if command.game is None:
            return True
        return play is not None and not play.abandoned and command.game in (play.start.body["game_id"], str(play.start.id))

    def _forget_player(self, name: str, by: str, at: int) -> None:
        if self._current.play is not None and not self._current.play.ended:
            raise Refused("a game is in play, and to forget a player the journal is written anew: ask again when it is over")
        if self._current.scribe.waiting or (self._shown is not None and not self._shown.durable):
            raise Refused("the journal is still to be written; ask again in a moment")
        try:
            records = self._forget(name)
        except JournalError as error:
            raise Refused(str(error)) from None
        if not records:
            raise Refused(f"no game of the journal names {name!r}")
        sides = [] if self._current.play is None else self._current.play.start.body["sides"]
        if isinstance(sides, list) and name in sides:
            # The game that is still shown, though it is over, would go on naming them.
            self._current.play = None
        self._current.scribe.note("forget", {"records": records, "by": by}, at, None)

    def _explain(self, command: Explain) -> dict[str, Json]:
        if self._shown is not None and not self._shown.durable:
            raise Refused("the journal can't be written now; what led to points can be told when it can")
        return self._reasons.tell(command, self._current.play, self._current.scribe.next_id)

    def _check_revision(self, seen: int | None) -> None:
        if seen is None:
            return
        shown, play = self._shown, self._current.play
        now = shown.revision if shown else self._current.scribe.revision
        if seen != now:
            raise Refused(f"the game has moved on: revision {now} is shown now, not {seen}; look and try again")
        # What came in together saw the same score, and the first of it may have changed the game already.
        if shown and play and (play.start.body["game_id"], len(play.moves)) != (shown.game_id, shown.moves):
            raise Refused(f"the game has moved on since revision {seen} was shown; look and try again")
