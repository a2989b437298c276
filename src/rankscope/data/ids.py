"""Ids as one column of bytes, so that a million of them cost no million Python objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Self, overload

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Ids"]


@dataclass(frozen=True, eq=False)
class Ids(Sequence[str]):
    """Texts in the layout of Arrow: id i is ``data[offsets[i]:offsets[i + 1]]``.

    Bytes that are not UTF-8 are kept, and appear in Python as lone surrogates ("surrogateescape").
    """

    data: npt.NDArray[np.uint8]
    offsets: npt.NDArray[np.int64]

    @classmethod
    def of(cls, texts: Iterable[str | bytes]) -> Self:
        raw = [t if isinstance(t, bytes) else t.encode("utf-8", "surrogateescape") for t in texts]
        offsets = np.zeros(len(raw) + 1, np.int64)
        np.cumsum([len(r) for r in raw], out=offsets[1:])
        return cls(np.frombuffer(b"".join(raw), np.uint8), offsets)

    @classmethod
    def from_arrow(cls, array: pa.Array) -> Self:
        """The ids of an Arrow array of text or bytes."""
        import pyarrow as pa

        plain = array.cast(pa.large_binary())
        _, ends, data = plain.buffers()
        offsets = np.frombuffer(ends, np.int64)[plain.offset : plain.offset + len(plain) + 1]
        whole = np.frombuffer(data or b"", np.uint8)
        return cls(whole[offsets[0] : offsets[-1]], offsets - offsets[0])

    def to_arrow(self, start: int = 0, stop: int | None = None) -> pa.Array:
        """Some of the ids as an Arrow array of bytes, which shares their memory."""
        import pyarrow as pa

        size = (len(self) if stop is None else stop) - start
        buffers = [None, pa.py_buffer(self.offsets[start : start + size + 1]), pa.py_buffer(self.data)]
        return pa.Array.from_buffers(pa.large_binary(), size, buffers)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def raw(self, index: int) -> bytes:
        """Id number `index`, as the bytes it was read from."""
        return self.data[self.offsets[index] : self.offsets[index + 1]].tobytes()

    def take(self, indices: npt.NDArray[np.int64]) -> Self:
        """The ids at some indices, in that order."""
        starts = self.offsets[indices]
        sizes = self.offsets[indices + 1] - starts
        offsets = np.zeros(len(indices) + 1, np.int64)
        np.cumsum(sizes, out=offsets[1:])
        # Byte j of the result comes from the start of its id, plus its distance from there.
        source = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], sizes)
        return type(self)(self.data[source], offsets)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        return self.raw(index % len(self)).decode("utf-8", "surrogateescape")

    def __iter__(self) -> Iterator[str]:
        data, ends = self.data.tobytes(), self.offsets.tolist()
        for start, end in pairwise(ends):
            yield data[start:end].decode("utf-8", "surrogateescape")

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Ids)
            and np.array_equal(self.offsets, other.offsets)
            and np.array_equal(self.data, other.data)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Ids({list(self[:3])}{'...' if len(self) > 3 else ''}, {len(self)} in all)"
