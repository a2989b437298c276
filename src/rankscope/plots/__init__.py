"""Charts as Vega-Lite specifications: shown in notebooks, saved as SVG, PNG, PDF, HTML and JSON.

Each function returns a `Chart`, which is plain data until it is drawn. To draw needs vl-convert-python, which
works without a browser and without a network; `terminal` needs nothing.

>>> from rankscope import plots
>>> chart = plots.curves(plots.Series("system", [1, 2, 3], [0.2, 0.5, 0.4]), title="P@k", x="k")
>>> chart.spec["width"]
480
"""

from rankscope.plots.bars import bars
from rankscope.plots.box import box
from rankscope.plots.chart import Chart
from rankscope.plots.curves import curves
from rankscope.plots.heatmap import heatmap
from rankscope.plots.joined import joined
from rankscope.plots.roc import roc
from rankscope.plots.saving import save
from rankscope.plots.scatter import scatter
from rankscope.plots.series import Series
from rankscope.plots.terminal import terminal

__all__ = [
    "Chart",
    "Series",
    "bars",
    "box",
    "curves",
    "heatmap",
    "joined",
    "roc",
    "save",
    "scatter",
    "terminal",
]
