# SPDX-License-Identifier: Apache-2.0
"""What a document of `runs` decides, with the evidence, a line each: the text of decision_lines.h."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from golden import DATA

DECISIONS = DATA / "decisions/runs"
SAVED_VALUES = DATA / "decisions/values"
CHECKPOINTS = DATA / "decisions/checkpoints"


def expected_decisions() -> str:
    return (DATA / "decisions/expected.txt").read_text()


def _ids(evidence: list[dict]) -> str:
    return ",".join(f"{each['strength']}:{each['id']}" for each in evidence) or "-"


def _reasons(because: list[dict], against: list[dict]) -> str:
    return f" because={_ids(because)} against={_ids(against)}\n"


def _number(number: float | None) -> str:
    return "-" if number is None else f"{number:.9g}"


def _run(run: dict) -> str:
    best = next((each["name"] for each in run["checkpoints"] if each["best"]), "-")
    metric, better = run["headline"]["metric"], run["direction"]["larger_is_better"]
    exports = {each["path"]: each for each in run["exports"]}
    text = f"run {run['id']} best={best}" + _reasons((run["best"] or {"because": []})["because"], run["best_against"])
    text += f"  headline={metric or '-'}" + _reasons(run["headline"]["because"], run["headline"]["against"])
    direction = {True: "larger", False: "smaller", None: "-"}[better]
    text += f"  direction={direction}" + _reasons(run["direction"]["because"], run["direction"]["against"])
    text += f"  undecided={run['undecided_metric'] or '-'}" + _reasons(run["rows_because"], run["rows_against"])
    for each in run["checkpoints"]:
        score = each["metrics"].get(metric) if each["score_from"] else None
        text += f"  {each['name']} step={_number(each['step'])} epoch={_number(each['epoch'])} score={_number(score)}"
        text += (" best" if each["best"] else "") + (" latest" if each["latest"] else "")
        text += _reasons(each["because"], each["against"])
        if each["path"] in exports:
            made = exports[each["path"]]
            text += f"    export of={made['of'] or '-'} because={_ids(made['because'])}\n"
    return text


def decision_lines(runs: list[dict]) -> str:
    return "".join(sorted(_run(run) for run in runs))


def _counts(names: Iterable[str]) -> str:
    return ",".join(f"{name}:{count}" for name, count in sorted(Counter(names).items())) or "-"


def checkpoint_line(name: str, roles: Iterable[str], stats: dict, check: dict, scan: dict, serve: dict) -> str:
    """Of the role of each tensor, the documents of `stats`, `check` and `scan`, and `abilities.serve` of `info`."""
    quantised = [each["quantised"] for each in stats["tensors"] if each.get("quantised")]
    text = f"{name} whole={check['complete']} roles={_counts(roles)}"
    text += " quantised=" + _counts(each["kind"] + " of " + each["layout"] for each in quantised)
    findings = _counts(f"{each['severity']} {each['code']}" for each in check["findings"])
    return text + f" loader={check['verdict']} findings={findings} serve={serve['verdict']} pickle={scan['verdict']}\n"


def expected_checkpoints() -> str:
    return (DATA / "decisions/expected_checkpoints.txt").read_text()


def saved_line(name: str, saved: dict) -> str:
    """`values_saved` of `info` or `check`."""
    return f"{name} saved={ {True: 'true', False: 'false', None: '-'}[saved['value']]}" + _reasons(saved["because"], saved["against"])


def expected_saved() -> str:
    return (DATA / "decisions/expected_values.txt").read_text()
