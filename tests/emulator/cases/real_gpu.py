"""Compares a record of the emulated GPU with the baseline of the real one: counts and bytes of the same LibTorch.

What differs is shown and fails nothing: libraries launch more than one kernel a call, add memsets, and take workspaces
that no public source tells.
"""
import json

BASELINES = {"h100": "baselines/h100", "h200": "baselines/h200"}  # by model of the emulated GPU


def baseline_of(root, model, case):
    """The exact values by metric; None where there is no baseline of this GPU."""
    if model not in BASELINES:
        return None
    path = root / BASELINES[model] / f"{case}.exact.json"
    return json.loads(path.read_text())["exact"] if path.is_file() else None


def values_in(record):
    """Metric -> list of values: a metric of the whole process has one."""
    values = dict(record.get("counts", {}).get("per_step", {}))
    for name, value in record.get("memory", {}).items():
        if isinstance(value, int):
            values[name] = [value]
        elif isinstance(value, list) and all(isinstance(one, int) for one in value):
            values[name] = value
    return values


def compare_with_real(root, model, case, record):
    """(number of equal metrics, lines about the others); None where no baseline of this GPU has a metric in common."""
    baseline = baseline_of(root, model, case)
    if baseline is None:
        return None
    found = values_in(record)
    common = sorted(metric for metric in baseline if metric in found)
    lines = [f"{metric}: real {baseline[metric]}, emulated {found[metric]}" for metric in common
             if baseline[metric] != found[metric]]
    return (len(common) - len(lines), lines) if common else None
