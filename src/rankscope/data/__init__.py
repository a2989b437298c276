"""What goes in: judgments and runs, from files, mappings, data frames and arrays."""

from rankscope.data.arrays import from_arrays
from rankscope.data.ids import Ids
from rankscope.data.judgments import Judgments
from rankscope.data.run import Run, runs_of
from rankscope.data.truths import Answer, Order

__all__ = ["Answer", "Ids", "Judgments", "Order", "Run", "from_arrays", "runs_of"]
