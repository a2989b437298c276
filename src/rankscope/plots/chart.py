"""A chart: a Vega-Lite specification, which is plain data, and what can be done with it."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from rankscope.plots.look import Look

__all__ = ["SCHEMA", "Chart"]

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"


@dataclass(frozen=True, eq=False)
class Chart:
    """A chart as a Vega-Lite specification; a notebook shows it, `save` writes it to a file.

    >>> from rankscope import plots
    >>> chart = plots.curves(plots.Series("system", [1, 2, 3], [0.2, 0.5, 0.4]), title="Precision")
    >>> chart
    Chart('Precision')
    >>> chart.spec["title"]
    'Precision'
    """

    spec: dict[str, Any]

    @classmethod
    def of(cls, look: Look, title: str, content: dict[str, Any]) -> Chart:
        """The chart with this content, in this look."""
        # The description is what a screen reader says of the picture.
        named = {"title": title, "description": title} if title else {}
        return cls({"$schema": SCHEMA, **named, "config": look.config(), **content})

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it as .svg, .png, .pdf, .html (self-contained) or .json (Vega-Lite), as the name says."""
        from rankscope.plots.saving import save

        save(self, path)

    def to_json(self) -> str:
        """The specification, as the Vega editor and Altair read it."""
        return json.dumps(self.spec, ensure_ascii=False, allow_nan=False)

    def __repr__(self) -> str:
        return f"Chart({self.spec.get('title', '')!r})"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        shown: dict[str, Any] = {"text/plain": repr(self), "application/vnd.vegalite.v5+json": self.spec}
        if find_spec("vl_convert"):
            from rankscope.plots.saving import drawn

            shown["image/svg+xml"] = drawn(self.spec, ".svg").decode("utf-8")
        return shown
