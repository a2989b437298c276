"""Measures as text: ``nDCG(gain=exp)@10`` and back.

    measure   = name [ "(" [ key "=" value { "," key "=" value } ] ")" ] [ "@" cutoff ]
    measures  = measure { ("," | white space) measure }

Names, keys and words are read regardless of case; white space may stand around every part.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn

from rankscope.errors import MeasureError, printable
from rankscope.measures.base import Measure
from rankscope.measures.foreign import translate
from rankscope.measures.registry import REGISTRY

__all__ = ["parse", "parse_many", "parse_typed"]

LONGEST = 200
LONGEST_LIST = 10_000
_WORD = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.+")


@dataclass
class Written:
    """A measure as it was written, before anything is known of it."""

    name: str
    arguments: dict[str, str | int | float] = field(default_factory=dict)
    cutoff: str | None = None


def parse(text: str | Measure) -> Measure:
    """The measure that the text names.

    >>> parse("ndcg_cut_10")
    nDCG@10
    """
    if isinstance(text, Measure):
        return text
    reader = _Reader(text, LONGEST)
    written = reader.measure()
    if not reader.at_end():
        reader.fail("expected the end", "one measure")
    return _resolve(written)


def parse_many(text: str) -> list[Measure]:
    """The measures that the text names, with commas or white space between them.

    >>> parse_many("nDCG@10, AP  P@5")
    [nDCG@10, AP, P@5]
    """
    return [found for _, found in parse_typed(text)]


def parse_typed(text: str) -> list[tuple[str, Measure]]:
    """The measures that the text names, each with its name as it was typed.

    >>> parse_typed("map, ndcg_cut_10")
    [('map', AP), ('ndcg_cut_10', nDCG@10)]
    """
    reader = _Reader(text, LONGEST_LIST)
    found = []
    while True:
        start = reader.at
        measure = _resolve(reader.measure())
        found.append((text[start : reader.at].rstrip(), measure))
        if reader.at_end():
            return found
        reader.skip(",")


def _resolve(written: Written) -> Measure:
    written = translate(written)
    found = REGISTRY.find(written.name)(**written.arguments)
    return found if written.cutoff is None else found(k=_number_or_word(written.cutoff))


class _Reader:
    """Reads the parts of measures from left to right."""

    def __init__(self, text: str, longest: int) -> None:
        if not isinstance(text, str):
            raise MeasureError(
                f"{text!r} is {type(text).__name__}", code="not-text", expected="a measure or its name"
            )
        if len(text) > longest:
            raise MeasureError(
                f"a measure of {len(text)} characters",
                code="too-long",
                expected=f"at most {longest} characters",
            )
        self.text = text
        self.at = 0
        self._skip_space()

    def measure(self) -> Written:
        start = self.at
        written = Written(self._word("the name of a measure", "such as nDCG@10 or AP(rel=2)"))
        if self.skip("("):
            self._arguments(written.arguments)
        if self.skip("@"):
            written.cutoff = self._word("a cutoff after '@'", "such as @10")
        if self.at - start > LONGEST:
            self.fail("a measure that is too long", f"at most {LONGEST} characters")
        return written

    def _arguments(self, into: dict[str, str | int | float]) -> None:
        if self.skip(")"):
            return
        while True:
            key = self._word("the name of a parameter", "(key=value, ...)").casefold()
            if not self.skip("="):
                self.fail(f"expected '=' after '{key}'", "(key=value, ...)")
            if key in into:
                self.fail(f"'{key}' given twice", "each parameter once")
            into[key] = self._value(key)
            if self.skip(")"):
                return
            if not self.skip(","):
                self.fail("expected ',' or ')'", "(key=value, ...)")

    def _value(self, key: str) -> str | int | float:
        quote = self.text[self.at : self.at + 1]
        if quote not in ("'", '"'):
            return _number_or_word(self._word(f"a value for '{key}'", "a number or a word"))
        end = self.text.find(quote, self.at + 1)
        if end < 0:
            self.fail("a quotation mark without its partner", "'...' or \"...\"")
        quoted = self.text[self.at + 1 : end]
        self.at = end + 1
        self._skip_space()
        return quoted

    def _word(self, wanted: str, expected: str) -> str:
        start = self.at
        while self.at < len(self.text) and self.text[self.at] in _WORD:
            self.at += 1
        if self.at == start:
            self.fail(f"expected {wanted}", expected)
        if self.at - start > LONGEST:
            self.fail("a word that is too long", f"at most {LONGEST} characters")
        word = self.text[start : self.at]
        self._skip_space()
        return word

    def skip(self, mark: str) -> bool:
        if not self.text.startswith(mark, self.at):
            return False
        self.at += len(mark)
        self._skip_space()
        return True

    def at_end(self) -> bool:
        return self.at == len(self.text)

    def _skip_space(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def fail(self, what: str, expected: str) -> NoReturn:
        found = f"found '{printable(self.text[self.at])}'" if not self.at_end() else "the text ends"
        raise MeasureError(
            f"{what}, {found} at position {self.at + 1} of '{printable(self.text)}'",
            code="syntax",
            expected=expected,
        )


def _number_or_word(text: str) -> str | int | float:
    unsigned = text[1:] if text[0] in "+-" else text
    if unsigned.isdigit():
        return int(text)
    # float() alone would also take "nan", "infinity" and "1_000".
    if unsigned[:1] in set("0123456789.") and not set(unsigned.casefold()) - set("0123456789.e+-"):
        try:
            return float(text)
        except ValueError:
            return text
    return text
