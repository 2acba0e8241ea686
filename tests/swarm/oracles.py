"""What must hold after each run, whatever was drawn. Each oracle is a row: a sentence for each thing that is wrong."""
import re
import signal

from device_log import by_boundary, operators_per_step, peaks, per_step, reserved

STATUSES = {0: {"pass", "improved"}, 1: {"regressed"}, 3: {"failed", "error", "infrastructure"},
            4: {"inconclusive"}, 5: {"no-baseline"}, 77: {"skipped"}}
CRASHED = re.compile(r"terminate called|Segmentation fault|Aborted|runtime error:|AddressSanitizer|std::|basic_string|::at\b")
# metric of the record -> kind of call in the log
FIGURES = {"kernels_per_step": "kernels", "memsets_per_step": "memsets", "host_syncs_per_step": "host_syncs",
           "device_syncs_per_step": "device_syncs", "d2h_copies_per_step": "d2h_copies",
           "graph_launches_per_step": "graph_launches", "device_allocations_per_step": "device_allocations",
           "h2d_copies_per_step": "h2d_copies", "h2d_bytes_per_step": "h2d_bytes",
           "pageable_copies_per_step": "pageable_copies", "padding_tokens_per_step": "padding_tokens",
           "loader_operators_per_batch": "loader_operators", "held_graphs_per_step": "held_graphs",
           "cold_shapes_after_warmup": "cold_shapes"}


def own_words(output):
    """Without the last lines of a measured process, which a report shows behind a bar."""
    return "\n".join(line for line in output.splitlines() if not line.lstrip().startswith("| "))


def ended(run):
    """Every command ends with a status of its own, and says nothing that only a crash says."""
    for command in run.commands:
        if command.status is None:
            yield f"hang: {' '.join(command.words[1:3])} was still running after {command.seconds:.0f} s"
        elif command.status not in (0, 1, 2, 3, 4, 5, 77, 128 + command.stop, -command.stop):
            yield f"crash: {' '.join(command.words[1:3])} ended with {command.status}"
        if run.drawn.machine.shell.get("head") is None and (found := CRASHED.search(own_words(command.output))):
            yield f"crash: the output says '{found.group()}'"


def knobs_restored(run):
    """The driver's state is the one before the run. Where it refused the way back, the run said so, and recover did it."""
    for line in (run.folder / "driver").read_text().splitlines():
        if not line.endswith(" 0 0 0"):
            yield f"knobs: the driver was left with '{line}' (persistence, core MHz, memory MHz)"
    if run.recovered is not None and "stepgate recover" not in run.said():
        yield "knobs: a change was not taken back, and nothing says so"
    if run.recovered is not None and run.recovered.status != 0:
        yield f"knobs: recover ended with {run.recovered.status}: {run.recovered.output}"
    if (run.folder / "state" / "guard.journal").exists():
        yield "knobs: the journal of the guard is still there"


def nothing_left(run):
    """No process, no temporary file, no record. A damaged record stays where a message names it, and a launcher that is
    killed cleans up nothing."""
    said = "".join(run.said().split())
    for what in run.left:
        is_named = "bad_record" in said and what.removeprefix("file ") in said
        is_of_killed = run.stopped is not None and run.stopped.stop == signal.SIGKILL and what.startswith(f"file {run.folder}/tmp/")
        if not is_named and not is_of_killed:
            yield f"left behind: {what}"


def answers_agree(run):
    """The exit status and verdict.json are about one answer."""
    verdict = run.verdict()
    if run.stopped_verdict and run.stopped_verdict["exit_status"] == 0 and run.drawn.fault and run.drawn.fault.tier == "exact":
        yield "a run that was stopped left a green verdict of a faulty build"
    if verdict is None or run.last.status in (2, None):
        return
    if verdict["exit_status"] != run.last.status:
        yield f"verdict.json says status {verdict['exit_status']}, the process ended with {run.last.status}"
    for outcome in verdict["outcomes"]:
        if outcome["status"] not in STATUSES.get(run.last.status, {outcome["status"]}):
            yield f"the process ended with {run.last.status}, and the case is '{outcome['status']}'"


def side_of(run, file):
    if run.drawn.form == "stored_exact":
        return "head" if len(run.commands) >= 3 else "base"
    return next((part for part in reversed(file.parts) if part in ("base", "head", "twin")), None)


def records_equal_log(run):
    """Each record that the launcher kept holds what the device's own log adds up to."""
    for file, measurement in run.measurements():
        side = side_of(run, file)
        for replicate in measurement["replicates"]:
            record = replicate.get("record")
            if record and record["group"] == "exact" and side:
                yield from exact_differs(run.program.logs[side, "exact"], record, side)
            elif record and side and run.drawn.form == "pairs_all":
                yield from timed_differs(run.program.logs[side, name_of_process(file)], record, side)


def exact_differs(log, record, side):
    steps = record["steps"]["counts"]
    expected = {metric: per_step(log, what, steps) for metric, what in FIGURES.items()}
    expected["operators_per_step"] = operators_per_step(log, steps)
    each, where = record["counts"]["per_step"], record["counts"]["by_boundary"]
    for metric, amounts in expected.items():
        if each[metric] != amounts:
            yield f"log: {side} {metric} is {each[metric]}, the device's log has {amounts}"
    for metric, what in FIGURES.items():
        recorded = {boundary: amount for boundary, amount in where.get(metric, {}).items() if amount}
        if metric in where and recorded != by_boundary(log, what):
            yield f"log: {side} {metric} by boundary is {recorded}, the device's log has {by_boundary(log, what)}"
    memory, steps = record["memory"], record["steps"]["memory"]
    for series, amounts in (("peak_bytes", peaks(log, steps)), ("reserved_bytes", reserved(log, steps))):
        if memory[series] != amounts:
            yield f"log: {side} {series} is {memory[series]}, the device's log has {amounts}"


def name_of_process(file):
    """ab/pairs/003/head/measurement.json -> "timed-003"."""
    kind, number = file.parts[-4:-2]
    return f"timed-control-{number}" if kind == "control" else f"timed-{number}"


def timed_differs(log, record, side):
    for name, figure in (("e2e", "step_ns"), ("loader", "loader_ns"), ("synthetic", "synthetic_ns")):
        walls = record["timed"][name]["windows"]["wall_ns"]
        if walls != log[figure]:
            yield f"log: {side} windows of {name} are {walls}, the device's log has {log[figure]}"


# figure of a build's log, as the verdict's `baseline` and `current` have it
JUDGED = {"kernels_per_step": "kernels", "host_syncs_per_step": "host_syncs", "h2d_bytes_per_step": "h2d_bytes",
          "h2d_copies_per_step": "h2d_copies", "memsets_per_step": "memsets", "d2h_copies_per_step": "d2h_copies"}


def verdict_equals_log(run):
    """What is shown for both builds are the figures of their logs."""
    verdict = run.verdict()
    if verdict is None or run.last.status not in (0, 1):
        return
    for metric in [metric for outcome in verdict["outcomes"] for metric in outcome["metrics"]]:
        for field, side in (("baseline", "base"), ("current", "head")):
            log = run.program.logs[side, "exact"]
            expected = shown(log, metric["metric"])
            if expected is not None and metric.get(field) is not None and metric[field] != expected:
                yield f"log: the verdict says {field} {metric['metric']} {metric[field]}, the device's log {expected}"


def shown(log, metric):
    if metric == "peak_allocated_bytes":
        return max(peaks(log, 12))
    if metric == "peak_reserved_bytes":
        return max(reserved(log, 12))
    if metric not in JUDGED:
        return None
    amounts = per_step(log, JUDGED[metric], 8)
    return amounts[0] if len(set(amounts)) == 1 else None


def causes_name_the_boundary(run):
    """The causes of a red name each boundary whose count differs. Records say no boundary of graphs that are held."""
    fault, verdict = run.drawn.fault, run.verdict()
    if fault is None or verdict is None or run.last.status != 1 or fault.log_figure not in {*FIGURES.values()} - {"held_graphs"}:
        return
    base, head = (by_boundary(run.program.logs[side, "exact"], fault.log_figure) for side in ("base", "head"))
    differing = [boundary for boundary in {*base, *head} if base.get(boundary, 0) != head.get(boundary, 0)]
    causes = " ".join(finding["message"] for outcome in verdict["outcomes"] for finding in outcome["findings"]
                      if finding["severity"] == "cause")
    for boundary in differing:
        if boundary not in causes:
            yield f"cause: {fault.log_figure} differs in {boundary}, and the causes are '{causes}'"


SCRIPTED = (ended, knobs_restored, nothing_left, answers_agree, records_equal_log, verdict_equals_log,
            causes_name_the_boundary)


def problems_of(run, oracles=SCRIPTED):
    return [problem for oracle in oracles for problem in oracle(run)]
