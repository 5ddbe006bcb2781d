from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.tablefile.positions import KeyPath, Place, Positions


def offset(text: str, place: Place) -> int:
    lines = text.splitlines(keepends=True)
    return sum(map(len, lines[: place.line - 1])) + place.column - 1


ODD = '''\
# a comment with [a.header] and key = "value"
top = 1  # [[not.a.header]]
"quoted key" = 'x = 1'
'lit.eral' . "b\\u0061re" = true
[table] # after
id="bar-1"
text = """
[no.header]
key = "no" \\"\\"\\" still in ""\\
  end""""
raw = \'\'\'
[neither]
it's '' here\'\'\'\'
dates = [ 1979-05-27 07:32:00, # one
   07:32:00 , ]
inline = { a.b = [ {c = 1}, {c = "}"} ], "d" = {} }

  [[sensor]]
  name = "one"
[sensor.nested]
deep = 1
[[sensor.part]]
n = 1
[[sensor.part]]
n = 2
[[ "sensor" ]]
name = "two"
[[sensor.part]]
n = 3
[a.b.c]
x = 1
[a]
y = -inf
'''


@pytest.mark.parametrize(
    ("path", "key", "value"),
    [
        (("top",), "top = 1", "1  #"),
        (("quoted key",), '"quoted key"', "'x = 1'"),
        (("lit.eral", "bare"), '"b\\u0061re"', "true"),
        (("table", "id"), 'id="', '"bar-1"'),
        (("table", "text"), "text =", '"""\n[no'),
        (("table", "raw"), "raw =", "'''\n[nei"),
        (("table", "dates", 1), None, "07:32:00 ,"),
        (("table", "inline", "a", "b", 1, "c"), 'c = "}"', '"}"'),
        (("table", "inline", "d"), '"d" =', "{} }"),
        (("sensor", 0), "sensor]]\n  name", None),
        (("sensor", 0, "name"), 'name = "one"', '"one"'),
        (("sensor", 0, "nested", "deep"), "deep", "1\n"),
        (("sensor", 0, "part", 1, "n"), "n = 2", "2"),
        (("sensor", 1), '"sensor" ]]', None),
        (("sensor", 1, "part", 0, "n"), "n = 3", "3"),
        (("a",), "a]\ny", None),
        (("a", "b", "c", "x"), "x = 1\n[a]", "1\n[a]"),
        (("a", "y"), "y =", "-inf"),
    ],
)
def test_finds_keys_and_values_in_an_odd_file(path: KeyPath, key: str | None, value: str | None) -> None:
    tomllib.loads(ODD)
    positions = Positions(ODD)
    if key is not None:
        assert ODD[offset(ODD, positions.key(path)) :].startswith(key)
    if value is not None:
        assert ODD[offset(ODD, positions.value(path)) :].startswith(value)


def test_what_is_not_written_is_placed_at_the_table_that_lacks_it() -> None:
    positions = Positions('[table]\nid = "x"\n\n[[sensor]]\nname = "a"\n[[board]]\n')
    assert positions.value(("table", "game")) == Place(1, 2)
    assert positions.value(("sensor", 0, "role")) == Place(4, 3)
    assert positions.value(("board", 0, "tls", "x")) == Place(6, 3)
    assert positions.value(("mqtt", "broker")) == Place(1, 1)
    assert Positions("sensor = [{}, {a = 1}]").value(("sensor", 1, "role")) == Place(1, 15)


def test_windows_line_ends_and_letters_beyond_ascii_count_as_one() -> None:
    text = 'a = "é"\r\n[b]\r\nc = """ü\r\n"""\r\nd = ["ö", 1]\r\n'
    tomllib.loads(text)
    assert Positions(text).value(("b", "d", 1)) == Place(5, 11)


# A document is rendered piece by piece, noting where each key and value is written.


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


scalars = st.one_of(
    st.booleans().map(lambda b: "true" if b else "false"),
    st.integers(-(2**40), 2**40).map(str),
    st.sampled_from(["1.5e3", "inf", "1979-05-27 07:32:00", "1979-05-27T07:32:00Z", "0xFF", "07:32:00"]),
    st.text(max_size=8).filter(lambda s: s.isprintable()).map(quoted),
    st.text("ab'\"#=[]{},. é\n", max_size=8).map(lambda s: '"""' + s.replace('"', '\\"') + '"""'),
    st.text('ab"#=[]{},. é', max_size=8).map(lambda s: f"'{s}'"),
    st.text('ab"#=[]{},.\n', max_size=8).map(lambda s: f"'''{s}'''"),
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.text("ab-. 'é\"#]", max_size=3), inner, max_size=3),
    ),
    max_leaves=6,
)
documents = st.dictionaries(
    st.text("xyz .", max_size=3),
    st.one_of(values, st.lists(st.dictionaries(st.text("abc #", max_size=2), values, max_size=2), min_size=1, max_size=3)),
    max_size=4,
)


class Writer:
    def __init__(self, choose: Any) -> None:
        self.text = ""
        self.keys: dict[KeyPath, int] = {}
        self.values: dict[KeyPath, int] = {}
        self.choose = choose

    def put(self, *choices: str) -> None:
        self.text += self.choose(st.sampled_from(choices)) if len(choices) > 1 else choices[0]

    def key(self, path: KeyPath) -> None:
        self.keys[path] = len(self.text)
        name = path[-1]
        assert isinstance(name, str)
        is_bare = bool(name) and all(c.isascii() and (c.isalnum() or c == "-") for c in name)
        self.put(quoted(name), *([name] if is_bare else []))

    def pair(self, path: KeyPath, value: Any) -> None:
        self.key(path)
        self.put("=", " = ", "\t=")
        self.value(path, value)

    def value(self, path: KeyPath, value: Any) -> None:
        self.values[path] = len(self.text)
        if isinstance(value, str):
            self.put(value)
        elif isinstance(value, list):
            self.put("[", "[ ", "[\n# ] \n")
            for index, item in enumerate(value):
                self.value((*path, index), item)
                self.put(",", " , ", "\n,# [\n")
            self.put("]")
        else:
            self.put("{", "{ ")
            for index, (name, item) in enumerate(value.items()):
                if index:
                    self.put(",", " , ")
                self.pair((*path, name), item)
            self.put("}", " }")

    def document(self, document: dict[str, Any]) -> None:
        tables = {k: v for k, v in document.items() if isinstance(v, list) and v and all(isinstance(i, dict) for i in v)}
        for name, value in document.items():
            if name not in tables:
                self.put("", "\n", "# = [\n")
                self.pair((name,), value)
                self.put("\n", " # x = 1\n")
        for name, items in tables.items():
            for index, item in enumerate(items):
                self.put("[[", "  [[ ")
                self.key((name,))
                self.keys[(name, index)] = self.keys[(name,)]
                self.put("]]\n", " ]] # [x]\n")
                for key, value in item.items():
                    self.pair((name, index, key), value)
                    self.put("\n")
            self.keys.pop((name,))


@settings(max_examples=50, deadline=None)
@given(documents, st.data())
def test_every_key_and_value_is_found_where_it_was_written(document: dict[str, Any], data: st.DataObject) -> None:
    writer = Writer(data.draw)
    writer.document(document)
    text = writer.text
    tomllib.loads(text)  # the document is TOML
    positions = Positions(text)
    for path, at in writer.keys.items():
        assert offset(text, positions.key(path)) == at
    for path, at in writer.values.items():
        assert offset(text, positions.value(path)) == at
