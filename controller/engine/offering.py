"""The button by which a table answers: it gives the answer that is offered, which is the likely one until another is called up.

What is offered is told with the questions, so that nobody has to know the order of the answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from controller.engine.snapshot import OpenQuestion

ROLE = "answer"
"""The role of that button, in every game."""


class Offer:
    """Which answer is offered, of the question that is asked first. Pure."""

    def __init__(self) -> None:
        self._called_up = ("", "")
        """A question, and the answer to it that people have called up."""

    def of(self, questions: Sequence[OpenQuestion]) -> tuple[str, str] | None:
        """The question and the key of the answer that is offered; None where nothing is asked."""
        if not questions:
            return None
        first = questions[0]
        asked, key = self._called_up
        return first.id, key if asked == first.id and key in dict(first.choices) else first.likely

    def another(self, questions: Sequence[OpenQuestion]) -> None:
        """Call up the next answer, after the last the first again."""
        offered = self.of(questions)
        if offered is None:
            return
        name, key = offered
        keys = [*dict(questions[0].choices)]
        self._called_up = name, keys[(keys.index(key) + 1) % len(keys)]

    def shown(self, questions: Sequence[OpenQuestion]) -> tuple[OpenQuestion, ...]:
        """The questions, the first with the answer that is offered."""
        offered = self.of(questions)
        return tuple(questions) if offered is None else (replace(questions[0], offered=offered[1]), *questions[1:])

    def told(self, questions: Sequence[OpenQuestion]) -> str:
        """What is offered, as a sentence; empty where nothing is asked."""
        offered = self.of(questions)
        if offered is None:
            return ""
        choices = dict(questions[0].choices)
        more = "; hold it for another answer" if len(choices) > 1 else ""
        return f"The button ANSWER says: {choices[offered[1]]}{more}."
