"""Ids of two sides that are not equal but most likely mean the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

__all__ = ["Alike", "look_alikes"]

_ZEROS = re.compile(r"(?<!\d)0+(?=\d)")
_BLANKS = (
    " \t\n\r\v\f\x00\x85\xa0\u2000\u2002\u2003\u2009\u200b\u200c\u200d\u2028\u2029\u202f\u2060\u3000\ufeff"
)
"""White space, and characters that nobody sees."""
_SAMPLE = 10_000
"""How many ids are enough to find what they have in common."""
_CHUNK = 1 << 16
_USUAL = 0.9
"""The share of ids that have to have a prefix or suffix for it to count as common."""


@dataclass(frozen=True)
class Alike:
    """An id of one side, its look-alike of the other, and how the two differ."""

    ours: str
    theirs: str
    difference: str


def look_alikes(ours: Sequence[bytes], theirs: Sequence[bytes]) -> list[Alike]:
    """For ids that only one side has: the pairs that look alike, in the order of ours.

    Theirs may be millions, so they are never decoded all at once.
    """
    left = _decoded(ours)
    found = {one: Alike(one, other, _difference(one, other)) for one, other in _same_form(left, theirs)}
    for difference, pairs in _affixes([text for text in left if text not in found], theirs):
        found |= {one: Alike(one, other, difference) for one, other in pairs.items() if one not in found}
    return [found[text] for text in left if text in found]


def _decoded(ids: Sequence[bytes]) -> list[str]:
    return [raw.decode("utf-8", "surrogateescape") for raw in ids]


def _chunks(ids: Sequence[bytes]) -> Iterator[list[str]]:
    return (_decoded(ids[start : start + _CHUNK]) for start in range(0, len(ids), _CHUNK))


def _same_form(left: list[str], theirs: Sequence[bytes]) -> Iterator[tuple[str, str]]:
    """The pairs that are equal but for white space, case and leading zeros."""
    forms = dict(zip(left, _normal(left), strict=True))
    wanted = set(forms.values())
    known: dict[str, str] = {}
    for chunk in _chunks(theirs) if wanted else ():
        for text, form in zip(chunk, _normal(chunk), strict=True):
            if form in wanted:
                known.setdefault(form, text)
    return ((text, known[form]) for text, form in forms.items() if form in known)


def _normal(texts: list[str]) -> list[str]:
    """The texts without what people and programs often get wrong; all in one go where that is possible."""
    trimmed = [text.strip(_BLANKS) for text in texts]
    changed = _without_zeros("\n".join(trimmed).casefold()).split("\n")
    if len(changed) == len(texts):
        return changed
    return [_without_zeros(text.casefold()) for text in trimmed]


def _without_zeros(text: str) -> str:
    return _ZEROS.sub("", text)


def _difference(one: str, other: str) -> str:
    """In which ways two texts of the same normal form differ."""
    one_trimmed, other_trimmed = one.strip(_BLANKS), other.strip(_BLANKS)
    ways = {
        "white space": (one, other) != (one_trimmed, other_trimmed),
        "case": _without_zeros(one_trimmed) != _without_zeros(other_trimmed),
        "leading zeros": one_trimmed.casefold() != other_trimmed.casefold(),
    }
    return " and ".join(way for way, differs in ways.items() if differs)


def _affixes(left: list[str], theirs: Sequence[bytes]) -> Iterator[tuple[str, dict[str, str]]]:
    """The pairs that differ by a prefix or suffix that nearly all ids of one side have."""
    sample = _decoded(theirs[:: 1 + len(theirs) // _SAMPLE])
    for side in (_PREFIX, _SUFFIX):
        for longer, ours_are_longer in ((left, True), (sample, False)):
            common = side.common(longer)
            if not left or not common:
                continue
            pairs = (
                side.longer(left, theirs, common) if ours_are_longer else side.shorter(left, theirs, common)
            )
            affix, best = max(pairs.items(), key=lambda one: len(one[1]), default=("", {}))
            if 2 * len(best) > min(len(left), len(theirs)):
                yield f"{side.name} '{affix}'", best


@dataclass(frozen=True)
class _Side:
    """The start or the end of ids."""

    name: str
    at_end: bool

    def common(self, texts: list[str]) -> str:
        """What nearly all texts have on this side."""
        if not self.at_end:
            return _common_prefix(texts)
        return _common_prefix([text[::-1] for text in texts])[::-1]

    def longer(self, left: list[str], theirs: Sequence[bytes], common: str) -> dict[str, dict[str, str]]:
        """For each part of what ours have in common: ours, with theirs that are ours without it."""
        cuts = [(affix, text, rest) for text in left for affix, rest in self._cuts(text, common)]
        wanted = {rest for _, _, rest in cuts}
        known = {text for chunk in _chunks(theirs) for text in chunk if text in wanted}
        pairs: dict[str, dict[str, str]] = {}
        for affix, text, rest in cuts:
            if rest in known:
                pairs.setdefault(affix, {})[text] = rest
        return pairs

    def shorter(self, left: list[str], theirs: Sequence[bytes], common: str) -> dict[str, dict[str, str]]:
        """For each part of what theirs have in common: ours, with theirs that are ours and it."""
        wanted = set(left)
        pairs: dict[str, dict[str, str]] = {}
        for chunk in _chunks(theirs):
            for text in chunk:
                for affix, rest in self._cuts(text, common):
                    if rest in wanted:
                        pairs.setdefault(affix, {})[rest] = text
        return pairs

    def _cuts(self, text: str, common: str) -> Iterator[tuple[str, str]]:
        """The parts of `common` that the text has on this side, each with the rest of the text."""
        for size in range(1, len(common) + 1):
            affix, rest = (text[-size:], text[:-size]) if self.at_end else (text[:size], text[size:])
            if affix != (common[-size:] if self.at_end else common[:size]):
                return
            before, after = (rest, affix) if self.at_end else (affix, rest)
            # A cut through a number is none: 1234 is not 234 with a prefix.
            if rest and not (before[-1:].isdigit() and after[:1].isdigit()):
                yield affix, rest


_PREFIX, _SUFFIX = _Side("prefix", False), _Side("suffix", True)


def _common_prefix(texts: list[str]) -> str:
    """What nearly all texts begin with: in their order, what the first and last of the middle share."""
    ordered = sorted(texts[:: 1 + len(texts) // _SAMPLE])
    if not ordered:
        return ""
    odd = round(len(ordered) * (1 - _USUAL) / 2)
    pairs = zip(ordered[odd], ordered[-1 - odd], strict=False)
    return "".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
