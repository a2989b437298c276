"""compat: how a bundle is chosen, shown and overruled, in Python and on the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from rankscope import PolicyError, evaluate, parse
from rankscope.compat import BUNDLES
from rankscope.measures import registered
from rankscope.policy import CHOICES, Policy

JUDGMENTS = {"q1": {"a": 1, "b": 2}, "q2": {"c": 1}}
RUN = {"q1": {"x": 1.0, "a": 1.0, "b": 0.5}}
SYSTEMS = [name for name in BUNDLES if name != "none"]


def test_the_systems() -> None:
    assert SYSTEMS == ["trec_eval-10", "trec_eval-9", "ir_measures", "ranx", "ardoco"]


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_bundle_decides_every_policy(name: str) -> None:
    assert BUNDLES[name].policies.keys() == CHOICES.keys() - {"compat"}
    assert Policy.of({"compat": name}).to_dict() == {**BUNDLES[name].policies, "compat": name}


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_bundle_speaks_only_of_measures_and_parameters_that_there_are(name: str) -> None:
    known = {m.name: set(m.parameters) for m in registered()}
    bundle = BUNDLES[name]
    assert bundle.has is not None
    assert bundle.remarks.keys() <= bundle.has.keys()
    assert all(parameters <= known[measure] for measure, parameters in bundle.has.items())


@pytest.mark.parametrize("name", ["none", *SYSTEMS])
def test_every_measure_can_be_asked_for(name: str) -> None:
    """What a system lacks has a value and a note, and a translation is understood as text."""
    measures = [measure for measure in registered() if measure.truth != "answer"]
    result = evaluate(JUDGMENTS, RUN, measures, compat=name, missing="empty")
    for asked, computed in result.asked.items():
        assert parse(str(computed)) == computed
        assert result[asked] == result[str(asked)] == result.aggregate[str(computed)]


@pytest.mark.parametrize("policy", [n for n in CHOICES if n != "compat"])
@pytest.mark.parametrize("name", SYSTEMS)
def test_what_is_given_wins(name: str, policy: str) -> None:
    for value in CHOICES[policy]:
        assert getattr(Policy.of({policy: value, "compat": name}), policy) == value


def test_what_is_given_wins_in_the_numbers() -> None:
    assert evaluate(JUDGMENTS, RUN, "RR", compat="trec_eval-9")["RR"] == 1 / 2  # x before a, q2 left out
    assert evaluate(JUDGMENTS, RUN, "RR", compat="trec_eval-9", ties="docid-asc")["RR"] == 1
    assert evaluate(JUDGMENTS, RUN, "RR", compat="trec_eval-9", missing="empty")["RR"] == 1 / 4


def test_scores_may_be_compared_in_single_precision_without_a_bundle() -> None:
    judgments, run = {"q": {"a": 1}}, {"q": {"a": 1e8 + 1, "b": 1e8}}
    assert evaluate(judgments, run, "RR", scores="float32")["RR"] == 0.5
    result = evaluate(judgments, run, "RR", scores="float32", ties="expected")
    assert result["RR"] == 0.75
    assert "2 of 2 retrieved items are tied: ties=expected averages over their orders" in result.notes


@pytest.mark.parametrize("spelling", ["trec_eval-9", "TREC_EVAL-9", "trec-eval-9", "trec_eval_9"])
def test_spellings(spelling: str) -> None:
    assert Policy.of({"compat": spelling}).compat == "trec_eval-9"


@pytest.mark.parametrize("wrong", ["trec_eval", "trec_eval-8", "ranks", "", 9])
def test_an_unknown_system_is_an_error_that_names_the_known_ones(wrong: object) -> None:
    with pytest.raises(PolicyError, match="trec_eval-10, trec_eval-9, ir_measures, ranx") as caught:
        evaluate(JUDGMENTS, RUN, "RR", compat=wrong)  # type: ignore[arg-type]
    assert caught.value.code == "unknown-policy-value"


def test_the_bundle_is_shown_first() -> None:
    policy = evaluate(JUDGMENTS, RUN, "RR", compat="trec_eval-9").policy
    assert str(policy) == (
        "compat=trec_eval-9 ties=docid missing=skip extra=ignore undefined=zero duplicates=error "
        "unjudged=irrelevant unretrieved=last scores=float32"
    )
    assert "compat" not in str(Policy())


def test_a_name_that_means_two_measures_is_refused() -> None:
    """F(beta=4) of trec_eval is our F(beta=2), and its F(beta=2) is another."""
    result = evaluate(JUDGMENTS, RUN, "F(beta=2), F(beta=4)", compat="trec_eval-9")
    assert result["F(beta=4)"] == result.aggregate["F(beta=2)"]
    with pytest.raises(KeyError, match="also what another measure became"):
        result["F(beta=2)"]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "t.qrels").write_text("q1 0 a 1\nq1 0 b 2\nq2 0 c 1\n")
    (tmp_path / "r.run").write_text("q1 Q0 x 1 1 r\nq1 Q0 a 2 1 r\nq1 Q0 b 3 0.5 r\n")
    return tmp_path / "t.qrels", tmp_path / "r.run"


def command(*arguments: str | Path, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    call = [sys.executable, "-m", "rankscope", "evaluate", *arguments]
    return subprocess.run(call, input=given, capture_output=True, timeout=60)


def test_the_command_line_names_measures_as_they_were_typed(files: tuple[Path, Path]) -> None:
    """P = 2/3 and R = 1 of q1 alone: (2 + 1) P R / (2 P + R) = 6/7."""
    asked = ("-m", "set_F(beta=2)", "-m", "recip_rank", "--compat", "trec_eval-9", "--format", "trec")
    done = command(*files, *asked)
    lines = [line.split() for line in done.stdout.decode().splitlines()]
    assert lines == [["set_F(beta=2)", "all", "0.8571"], ["recip_rank", "all", "0.5000"]]
    assert done.stderr.decode().startswith("policy: compat=trec_eval-9 ties=docid missing=skip")
    assert "note: compat=trec_eval-9: F(beta=2) is F(beta=1.4142135623730951)\n" in done.stderr.decode()


def test_json_has_the_bundle(files: tuple[Path, Path]) -> None:
    done = command(*files, "-m", "RBP", "--compat", "trec_eval-10", "--missing", "empty", "--format", "json")
    shown = json.loads(done.stdout)
    assert shown["policy"]["compat"] == "trec_eval-10"
    assert shown["policy"]["missing"] == "empty"
    assert shown["measures"] == ["RBP(p=0.9, gain=scaled)"]


def test_a_run_from_a_pipe_may_be_ranked_in_two_ways(files: tuple[Path, Path]) -> None:
    """ir_measures has one order of ties for RR and another for RR@2."""
    asked = ("-m", "RR, RR@2", "--compat", "ir_measures", "--format", "csv")
    done = command(files[0], "-", *asked, given=files[1].read_bytes())
    assert done.stdout.decode().splitlines()[1:] == ["stdin,all,RR,0.25", "stdin,all,RR@2,0.5"]


def test_an_unknown_system_on_the_command_line(files: tuple[Path, Path]) -> None:
    done = command(*files, "--compat", "ranks")
    assert done.returncode == 2
    assert b"did you mean ranx" in done.stderr
    assert b"Traceback" not in done.stderr
