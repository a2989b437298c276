"""Rankings of classes: ClasSi and what belongs to it, over one ranking.

>>> from rankscope.classes import classi
>>> round(classi(["b", "t", "c", "b"], order=["b", "c", "t"]).value, 4)
-0.1429
"""

from rankscope.classes.coefficient import ClassRanking, classi
from rankscope.classes.distances import ClassDistance
from rankscope.classes.explanation import ClassPair
from rankscope.classes.significance import PValue
from rankscope.classes.taxonomy import Taxonomy

__all__ = ["ClassDistance", "ClassPair", "ClassRanking", "PValue", "Taxonomy", "classi"]
