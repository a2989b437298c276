"""What a measure is: one immutable value that is its declaration, its parameters and its kernel."""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from rankscope.errors import MeasureError, nearest
from rankscope.measures.params import CUTOFF, REL, Param, Value

__all__ = ["CUTOFF", "REL", "Measure", "Param", "measure"]

FloatArray = npt.NDArray[np.float64]
Aggregate = Literal["mean", "sum", "gmean", "ratio"]
Product = Literal["judged", "ranked", "ordered"]
Truth = Literal["judgments", "order", "classes", "answer"]
Detail = Literal["rough", "full"]
Range = tuple[float, float] | Callable[..., tuple[float, float]]
Undefined = float | None | Callable[..., float | None]

# A sum that is exactly a bound on paper may land a few units in the last place beyond it.
ROUNDING = 1e-12

# Result tables have columns of these names.
RESERVED = ("run", "query", "group", "aggregate")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Measure:
    """A measure with values for its parameters, such as ``nDCG(gain=exp)@10``.

    It is hashable, and its string is its name everywhere: ``parse(str(m)) == m``.

    >>> import rankscope
    >>> rankscope.nDCG(gain="exp") @ 10
    nDCG(gain=exp)@10
    """

    name: str
    aliases: tuple[str, ...]
    params: tuple[Param, ...]
    declared_range: Range
    """The lowest and highest value, or a function that gives them, of the parameters by keyword."""
    better: Literal["higher", "lower"]
    truth: Truth
    """What a ranking is measured against."""
    detail: Detail
    """How much the truth must tell: "full" if an order that says only good or bad is not enough."""
    product: Product
    """What the kernel reads: a `Graded`, an `Ordered`, or a `Ranked` with the truth after it."""
    empty: float | None
    """Its value of an empty ranking; None: as its formula gives."""
    declared_undefined: Undefined
    """What stands where it is not defined, or a function that gives it, of the parameters by keyword."""
    aggregate: Aggregate
    formula: str
    meaning: str
    """One sentence."""
    idea: str
    """What follows that sentence."""
    reference: str
    """A key of the bibliography."""
    kernel: Callable[..., Any]
    values: tuple[Value, ...]
    """One for each of `params`."""

    @property
    def range(self) -> tuple[float, float]:
        """The lowest and the highest value that it can take."""
        declared = self.declared_range
        return declared(**self.parameters) if callable(declared) else declared

    @property
    def undefined(self) -> float | None:
        """What stands where it is not defined (0 where trec_eval has it, else NaN); None: it always is."""
        declared = self.declared_undefined
        return declared(**self.parameters) if callable(declared) else declared

    @property
    def parameters(self) -> dict[str, Value]:
        """Name and value of every parameter."""
        return {p.name: v for p, v in zip(self.params, self.values, strict=True)}

    def __call__(self, **changes: object) -> Measure:
        """The same measure with other parameters."""
        known = {p.name.casefold(): p for p in self.params}
        values = self.parameters
        for given, value in changes.items():
            param = known.get(given.casefold())
            if param is None:
                raise self._no_such_parameter(given)
            values[param.name] = param.check(value, str(self))
        return replace(self, values=tuple(values.values()))

    def __matmul__(self, k: int) -> Measure:
        """The same measure of the first `k` items only."""
        return self(k=k)

    def _no_such_parameter(self, given: str) -> MeasureError:
        named = [p.name for p in self.params if not p.is_cutoff]
        takes = ", ".join(named) or "no parameters"
        if given == CUTOFF.name:
            return MeasureError(
                f"{self.name} takes no cutoff", code="no-cutoff", expected=f"{self.name} without @k"
            )
        close = nearest(given, named)
        return MeasureError(
            f"{self.name} has no parameter '{given}'",
            code="unknown-parameter",
            expected=f"{self.name} takes {takes}" + (" and @k" if CUTOFF.name in self.parameters else ""),
            hint=f"did you mean {' or '.join(close)}?" if close else "",
        )

    def compute(self, *columns: object) -> tuple[FloatArray, FloatArray | None]:
        """One value per query (NaN: undefined), and the weights of the queries if the measure has them."""
        returned = self.kernel(*columns, **self.parameters)
        values, weights = returned if isinstance(returned, tuple) else (returned, None)
        values = np.asarray(values, np.float64)
        if values.ndim != 1 or (weights is not None and np.shape(weights) != values.shape):
            raise MeasureError(
                f"the kernel of {self} returned an array of shape {values.shape}",
                code="bad-kernel",
                expected="one value per query, or such values and as many weights",
            )
        return self._rounded_into_range(values), None if weights is None else np.asarray(weights, np.float64)

    def _rounded_into_range(self, values: FloatArray) -> FloatArray:
        for bound, beyond in zip(self.range, (np.less, np.greater), strict=True):
            if math.isfinite(bound) and np.any(outside := beyond(values, bound)):
                outside &= np.abs(values - bound) <= ROUNDING
                values = np.where(outside, bound, values)
        return values

    def __str__(self) -> str:
        shown = [
            f"{p.name}={p.show(v)}"
            for p, v in zip(self.params, self.values, strict=True)
            if v != p.default and not p.is_cutoff
        ]
        k = self.parameters.get(CUTOFF.name)
        return self.name + (f"({', '.join(shown)})" if shown else "") + ("" if k is None else f"@{k}")

    def __repr__(self) -> str:
        return str(self)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Measure)
            and self.name == other.name
            and self.values == other.values
            and self.kernel is other.kernel
        )

    def __hash__(self) -> int:
        return hash((self.name, self.values))

    def __reduce__(self) -> tuple[object, ...]:
        from rankscope.measures.grammar import parse

        return (parse, (str(self),))


def measure(
    name: str,
    *,
    aliases: Sequence[str] = (),
    params: Sequence[Param] = (),
    range: Range = (0.0, 1.0),
    better: Literal["higher", "lower"] = "higher",
    truth: Truth = "judgments",
    detail: Detail = "rough",
    product: Product = "judged",
    empty: float | None = 0.0,
    undefined: Undefined = math.nan,
    aggregate: Aggregate = "mean",
    reference: str = "",
    formula: str = "",
) -> Callable[[Callable[..., Any]], Measure]:
    """Make a kernel a measure and register it; the decorated name is the measure at its defaults.

    The kernel takes the columns it reads and then its parameters by keyword, and returns one value per query.
    Its docstring, or its module's if it has none, says what the measure means in one sentence, then the idea.
    """

    def declare(kernel: Callable[..., Any]) -> Measure:
        from rankscope.measures.registry import REGISTRY

        _check_signature(name, kernel, params)
        doc = inspect.getdoc(kernel) or inspect.cleandoc(sys.modules[kernel.__module__].__doc__ or "")
        meaning, _, idea = doc.partition("\n\n")
        declared = Measure(
            name=name,
            aliases=tuple(aliases),
            params=tuple(params),
            declared_range=range,
            better=better,
            truth=truth,
            detail=detail,
            product=product,
            empty=empty,
            declared_undefined=undefined,
            aggregate=aggregate,
            formula=formula,
            meaning=" ".join(meaning.split()),
            idea=idea.strip(),
            reference=reference,
            kernel=kernel,
            values=tuple(p.default for p in params),
        )
        REGISTRY.add(declared)
        return declared

    return declare


def _check_signature(name: str, kernel: Callable[..., Any], params: Sequence[Param]) -> None:
    """A parameter that is declared but not taken, or the reverse, is found when the measure is made."""
    takes = {
        p.name
        for p in inspect.signature(kernel).parameters.values()
        if p.kind is inspect.Parameter.KEYWORD_ONLY
    }
    declared = {p.name for p in params}
    if name.casefold() in RESERVED or takes != declared:
        raise MeasureError(
            f"{name} is a reserved name"
            if name.casefold() in RESERVED
            else f"the kernel of {name} takes {sorted(takes)}, but {sorted(declared)} are declared",
            code="bad-declaration",
            expected="def kernel(graded, *, ...) with each declared parameter after the star",
        )
