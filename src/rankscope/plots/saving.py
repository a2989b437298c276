"""Charts to files: pictures by vl-convert, which needs no browser, and pages that need no network."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from html import escape
from typing import Any

from rankscope.data.writing import replacing, unwritable
from rankscope.errors import InputError, nearest, package, printable
from rankscope.plots.chart import Chart

__all__ = ["SUFFIXES", "check_suffix", "drawn", "inert", "save"]

VERSION = "5.20"
"""The Vega-Lite that draws: one that every vl-convert we accept has, so that charts look alike."""

PNG_SCALE = 2

# Nothing but what is in the file itself: a chart that asks for more does not get it.
_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'unsafe-inline'; img-src data: blob:"
)

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>body {{ margin: 1rem; background: {background}; }}</style>
<script>{library}</script>
</head>
<body>
<div id="chart"></div>
<script id="spec" type="application/json">{spec}</script>
<script>
vegaEmbed("#chart", JSON.parse(document.getElementById("spec").textContent), {options}).catch(console.error);
</script>
</body>
</html>
"""
_OPTIONS = {
    "renderer": "svg",
    "actions": {"export": True, "source": False, "compiled": False, "editor": False},
}


def save(chart: Chart | Mapping[str, Any], path: str | os.PathLike[str]) -> None:
    """Write a chart, or any Vega-Lite specification, to a file, which is there whole or not at all.

    Its suffix says how: .svg, .png, .pdf, .html (self-contained, for any browser, without a network) or
    .json (the specification).
    """
    target = os.fsdecode(path)
    suffix = check_suffix(target)
    content = drawn(chart.spec if isinstance(chart, Chart) else chart, suffix)
    try:
        with replacing(target) as file:
            file.write(content)
    except OSError as error:
        raise unwritable(target, error.strerror or str(error)) from error


def check_suffix(path: str) -> str:
    """The suffix of a file that a chart can be written to; to be asked before the work is done.

    >>> check_suffix("curve.SVG")
    '.svg'
    """
    suffix = os.path.splitext(path)[1].casefold()
    if suffix not in SUFFIXES:
        close = nearest(suffix, SUFFIXES, count=1)
        raise InputError(
            f"a chart cannot be written as '{printable(suffix)}'" if suffix else "the name has no suffix",
            code="chart-suffix",
            where=printable(path),
            expected=f"a name that ends in {', '.join(SUFFIXES)}",
            hint=f"did you mean {close[0]}?" if close else "",
        )
    return suffix


def drawn(spec: Mapping[str, Any], suffix: str) -> bytes:
    """What a file of this suffix holds."""
    try:
        return SUFFIXES[suffix](dict(spec))
    except ValueError as error:  # whatever Vega-Lite has to say of a specification
        raise InputError(
            f"Vega-Lite cannot draw this: {printable(' '.join(str(error).split()[:40]))}",
            code="chart-spec",
            expected="a Vega-Lite specification that is complete in itself",
        ) from error


def _svg(spec: dict[str, Any]) -> bytes:
    picture: str = _vl_convert().vegalite_to_svg(spec, vl_version=VERSION, allowed_base_urls=[])
    return picture.encode("utf-8")


def _png(spec: dict[str, Any]) -> bytes:
    return bytes(
        _vl_convert().vegalite_to_png(spec, vl_version=VERSION, allowed_base_urls=[], scale=PNG_SCALE)
    )


def _pdf(spec: dict[str, Any]) -> bytes:
    return bytes(_vl_convert().vegalite_to_pdf(spec, vl_version=VERSION, allowed_base_urls=[]))


def _html(spec: dict[str, Any]) -> bytes:
    page = _PAGE.format(
        policy=escape(_POLICY),
        title=escape(str(spec.get("title") or "Chart")),
        background=escape(str(spec.get("config", {}).get("background", "white"))),
        library=_vl_convert().javascript_bundle(vl_version=VERSION),
        spec=inert(json.dumps(spec, allow_nan=False)),
        options=json.dumps(_OPTIONS),
    )
    return page.encode("utf-8")


def _json(spec: dict[str, Any]) -> bytes:
    return (json.dumps(spec, ensure_ascii=False, allow_nan=False, indent=2) + "\n").encode("utf-8")


def inert(content: str) -> str:
    """JSON that means the same and has no character that HTML could read as markup."""
    return content.translate({ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"})


def _vl_convert() -> Any:
    return package("vl_convert", "vl-convert-python")


SUFFIXES: dict[str, Callable[[dict[str, Any]], bytes]] = {
    ".svg": _svg,
    ".png": _png,
    ".pdf": _pdf,
    ".html": _html,
    ".json": _json,
}
"""What charts are written as."""
