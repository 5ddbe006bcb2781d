"""Small faults put into a module's source, one at a time: what `bench/mutation.py` tries the tests of the rules with.

A mutant is named by its function and by the statement before and after, so that its name outlives edits elsewhere. What is
written for people alone is left as it is: sentences, titles, docstrings; so are annotations, decorators and assertions.
"""

from __future__ import annotations

import ast
import copy
import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LONGEST = 70
"""Characters of a statement that a name holds on either side of the fault."""

PROSE = re.compile(r"\s|^$|^[A-Z][a-z]")
SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}

Step = tuple[str, int | None]
"""A field of a node, and a place in it where it is a list."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault: where the node is in the tree of its module, and which of the changes that are tried there it is."""

    path: Path
    name: str
    """`fortification/tally.py Tally.win: if points: → if False:`."""
    steps: tuple[Step, ...]
    change: int

    @property
    def draw(self) -> str:
        """A number by which samples are drawn: the same whatever happens to other mutants."""
        return hashlib.sha256(self.name.encode()).hexdigest()

    def tree(self) -> ast.Module:
        """The module with the fault."""
        tree = ast.parse(self.path.read_text(encoding="utf-8"))
        _put(tree, self.steps, _changes(_at(tree, self.steps))[self.change])
        return ast.fix_missing_locations(tree)


def mutants_of(path: Path, root: Path) -> Iterator[Mutant]:
    """Every mutant of a module; `root` is the folder that names count from."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    module = path.relative_to(root)
    seen: Counter[str] = Counter()
    for steps, qualname in _places(tree, (), ""):
        node = _at(tree, steps)
        length = next(n for n in range(len(steps), -1, -1) if isinstance(_at(tree, steps[:n]), ast.stmt | ast.Module))
        statement = steps[:length]
        before = _head(_at(tree, statement))
        for change, new in enumerate(_changes(node)):
            _put(tree, steps, new)
            after = _head(_at(tree, statement))
            _put(tree, steps, node)
            name = f"{module} {qualname or 'module'}: {_difference(before, after)}"
            seen[name] += 1
            yield Mutant(path, name if seen[name] == 1 else f"{name} #{seen[name]}", steps, change)


def _put(tree: ast.Module, steps: tuple[Step, ...], new: ast.AST) -> None:
    parent, (field, place) = _at(tree, steps[:-1]), steps[-1]
    if place is None:
        setattr(parent, field, new)
    else:
        getattr(parent, field)[place] = new


def _at(node: ast.AST, steps: tuple[Step, ...]) -> ast.AST:
    for field, place in steps:
        value = getattr(node, field)
        node = value if place is None else value[place]
    return node


def _places(node: ast.AST, steps: tuple[Step, ...], qualname: str) -> Iterator[tuple[tuple[Step, ...], str]]:
    """Every node that a fault may be put in, with the function or class in which it stands."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        qualname = f"{qualname}.{node.name}".lstrip(".")
    if _changes(node):
        yield steps, qualname
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "bases", "type_params") or _for_people(node):
            continue
        for place, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(child, ast.AST):
                yield from _places(child, (*steps, (field, place)), qualname)


def _for_people(node: ast.AST) -> bool:
    """Whether nothing of a node is for the machine: text, types, what never runs."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Assign):
        return any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets)
    if isinstance(node, ast.Subscript | ast.Call):
        named = node.value if isinstance(node, ast.Subscript) else node.func
        return isinstance(named, ast.Name) and named.id in ("Literal", "Mapping", "TypeVar")
    return isinstance(node, ast.JoinedStr | ast.Assert | ast.Import | ast.ImportFrom)


def _changes(node: ast.AST) -> list[ast.AST]:  # noqa: C901 - a list of kinds of faults
    """The faults that are tried at a node, each as the node that takes its place."""
    match node:
        case ast.Constant(value=bool() as value):
            return [ast.Constant(not value)]
        case ast.Constant(value=int() | float() as value):
            return [ast.Constant(value + 1)]
        case ast.Constant(value=str() as value) if not PROSE.search(value):
            return [ast.Constant(f"{value}?")]
        case ast.Compare(left=left, ops=[op], comparators=right):
            return [ast.Compare(left, [SWAPPED[type(op)]()], right)]
        case ast.BoolOp(op=op, values=values):
            less = [[*values[:n], *values[n + 1 :]] for n in range(len(values))]
            fewer: list[ast.AST] = [rest[0] if len(rest) == 1 else ast.BoolOp(op, rest) for rest in less]
            return [ast.BoolOp(SWAPPED[type(op)](), values), *fewer]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return [operand]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in SWAPPED and not isinstance(right, ast.JoinedStr):
            return [ast.BinOp(left, SWAPPED[type(op)](), right)]
        case ast.If(test=test, body=body, orelse=rest):
            return [ast.If(ast.Constant(False), body, rest), ast.If(ast.UnaryOp(ast.Not(), test), body, rest)][: 1 + bool(rest)]
        case ast.IfExp(body=body, orelse=rest):
            return [body, rest]
        case ast.comprehension(target=target, iter=source, ifs=[_, *_], is_async=is_async):
            return [ast.comprehension(target, source, [], is_async)]
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant | ast.JoinedStr):
            return [ast.Return(ast.Constant(None))]
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Continue() | ast.Break():
            return [ast.Pass()]
    return []


def _head(statement: ast.AST) -> str:
    """A statement in one line, without the statements inside it."""
    bare = copy.copy(statement)
    for field in ("body", "orelse", "handlers", "finalbody", "cases", "decorator_list"):
        if isinstance(getattr(bare, field, None), list):
            setattr(bare, field, [])
    return " ".join(ast.unparse(bare).split())


def _difference(before: str, after: str) -> str:
    """`before → after`, both cut to the neighbourhood of where they differ."""
    first = next((n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after)))
    begin = max(0, first - LONGEST // 2)
    end = begin + LONGEST
    cut = ["…" * bool(begin) + text[begin:end] + "…" * (len(text) > end) for text in (before, after)]
    return " → ".join(cut)
