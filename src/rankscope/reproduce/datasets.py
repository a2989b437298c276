"""The data of Table 4 of Huang and Ling, from packages that have it: nothing is fetched from a network."""

from __future__ import annotations

import csv
import io
import json
import os
import tarfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np
import numpy.typing as npt

from rankscope.errors import InputError, MissingDependency, package

__all__ = ["DATASETS", "Dataset"]

FloatArray = npt.NDArray[np.float64]

EXTRA = "pip install 'rankscope[reproduce]'"

CPU_ATTRIBUTES = ("syct", "mmin", "mmax", "cach", "chmin", "chmax")
CAR_ATTRIBUTES = ("Cylinders", "Displacement", "Horsepower", "Weight_in_lbs", "Acceleration")
ORIGINS = {"USA": 1, "Europe": 2, "Japan": 3}
"""The codes of the UCI repository."""


@dataclass(frozen=True, eq=False)
class Dataset:
    """Examples to learn from: a row of attributes for each, and what is to be predicted."""

    attributes: FloatArray
    target: FloatArray


def wine() -> Dataset:
    """178 wines by 13 attributes; the target is the number of the cultivar, 1 to 3."""
    found = package("sklearn.datasets", "scikit-learn").load_wine()
    return Dataset(np.asarray(found.data, np.float64), found.target + 1.0)


def auto_mpg() -> Dataset:
    """392 cars by 7 attributes; the target is miles per gallon.

    Of the 406 of the package, 8 have no target and 6 no horsepower.
    """
    with open(_file("vega_datasets", "_data", "cars.json"), encoding="utf-8") as file:
        cars = [car for car in json.load(file) if car["Miles_per_Gallon"] is not None]
    rows = [
        [*(car[name] for name in CAR_ATTRIBUTES), int(car["Year"][:4]), ORIGINS[car["Origin"]]]
        for car in cars
        if car["Horsepower"] is not None
    ]
    target = [car["Miles_per_Gallon"] for car in cars if car["Horsepower"] is not None]
    return Dataset(np.array(rows, np.float64), np.array(target, np.float64))


def cpu() -> Dataset:
    """209 processors by 6 attributes; the target is their published relative performance."""
    with tarfile.open(_file("pydataset", "resources.tar.gz")) as archive:
        stored = archive.extractfile("resources/rdata/csv/MASS/cpus.csv")
        text = "" if stored is None else stored.read().decode("utf-8")
    rows = list(csv.DictReader(io.StringIO(text)))
    attributes = [[float(row[name]) for name in CPU_ATTRIBUTES] for row in rows]
    return Dataset(np.array(attributes), np.array([float(row["perf"]) for row in rows]))


DATASETS: dict[str, Callable[[], Dataset]] = {"Wine": wine, "Auto-mpg": auto_mpg, "CPU": cpu}


def _file(distribution: str, *path: str) -> str:
    """The path of a file of a package, which is not imported: one of them would write to the home folder."""
    found = find_spec(distribution)
    if found is None or not found.submodule_search_locations:
        raise MissingDependency(f"{distribution} is not installed", code="missing-package", hint=EXTRA)
    target = os.path.join(found.submodule_search_locations[0], *path)
    if not os.path.isfile(target):
        raise InputError(
            "the package does not have this file", code="missing-data", where=target, expected=EXTRA
        )
    return target
