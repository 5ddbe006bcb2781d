"""JSON Schemas of the messages, made from their classes by pydantic, which is imported when one is asked for."""

from __future__ import annotations

from typing import Any

from controller.publish import messages

MESSAGES: dict[str, type[messages.Message]] = {
    "score": messages.ScoreMessage,
    "event": messages.EventMessage,
    "question": messages.QuestionsMessage,
    "sensor": messages.SensorMessage,
    "health": messages.HealthMessage,
    "reply": messages.ReplyMessage,
}
"""Messages that leave, by the name of their schema."""
NAMES = ("table", *MESSAGES, "command")

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_of(name: str) -> dict[str, Any]:
    """The schema of that name. Raises KeyError for one that isn't in `NAMES`."""
    if name == "table":
        from controller.tablefile.model import table_schema  # noqa: PLC0415 - with pydantic

        found = table_schema()
    elif name == "command":
        from controller.command_models import ADAPTER  # noqa: PLC0415 - with pydantic

        found = ADAPTER.json_schema()
    else:
        found = _message_schema(MESSAGES[name])
    return {"$schema": DIALECT, "title": f"tablemarker {name}", **{key: value for key, value in found.items() if key != "title"}}


def _message_schema(message: type[messages.Message]) -> dict[str, Any]:
    from pydantic import TypeAdapter  # noqa: PLC0415 - as above
    from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue  # noqa: PLC0415 - as above

    class Whole(GenerateJsonSchema):
        """A message is always sent whole: what has a default in the class is required all the same."""

        def field_is_required(self, field: Any, total: bool) -> bool:  # noqa: ARG002 - pydantic's signature
            return True

        def default_schema(self, schema: Any) -> JsonSchemaValue:
            return self.generate_inner(schema["schema"])

    return TypeAdapter(message).json_schema(mode="serialization", schema_generator=Whole)
