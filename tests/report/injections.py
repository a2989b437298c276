"""Ids that would do something if a page took them for more than text."""

from __future__ import annotations

from itertools import product

MARK = "window.pwned=1"

_PAYLOADS = (
    f"<script>{MARK}</script>",
    f"</script><script>{MARK}</script>",
    f"<img src=x onerror={MARK}>",
    f"<svg onload={MARK}>",
    f"<svg><script>{MARK}</script></svg>",
    f"<iframe srcdoc='<script>parent.{MARK}</script>'>",
    f"<details open ontoggle={MARK}>",
    f"<body onload={MARK}>",
    f"<a href=javascript:{MARK}>x</a>",
    f"<math><mtext><script>{MARK}</script></mtext></math>",
    f"<style>@import'x';</style><script>{MARK}</script>",
    f"<link rel=stylesheet href=x onerror={MARK}>",
    f"<input autofocus onfocus={MARK}>",
    f"<video><source onerror={MARK}></video>",
    f"<template><script>{MARK}</script></template>",
    f"&lt;script&gt;{MARK}&lt;/script&gt;",
    f"\\u003cscript\\u003e{MARK}\\u003c/script\\u003e",
    f"${{{MARK}}}",
    f"{{{{ {MARK} }}}}",
    f"{{% set x = {MARK} %}}",
    f"javascript:{MARK}",
    f"<!-- --><script>{MARK}</script><!-- -->",
    f"<scr<script>ipt>{MARK}</scr</script>ipt>",
    f"%3Cscript%3E{MARK}%3C/script%3E",
)
_BEFORE = ("", '">', "'>", "</td></tr></table>", "--></style></title>", '"]}]}')

INJECTIONS = [before + payload for before, payload in product(_BEFORE, _PAYLOADS)]
FORMULAS = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", '=HYPERLINK("http://x","y")']
