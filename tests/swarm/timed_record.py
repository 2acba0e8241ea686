"""The run record of the timed half: what a virtual GPU takes for the plan, and the same with the noise of one process."""
import copy
import json

from step_plan import BOUNDARIES

WARM_UP = 20


def timed_record(template, plan, gpu):
    """`gpu` runs the plan; its log then holds the times too. `template`: a record of scripted_gpu."""
    record = copy.deepcopy(template)
    steps, window = record["steps"], record["steps"]["window"]
    first_ns = int(gpu.run("warm_up", 1) * plan.first_step_factor)
    gpu.run("warm_up", WARM_UP)
    record["warmup"].update(first_step_ns=first_ns, steps=WARM_UP + 1)
    walls, begins = [], []
    for _ in range(steps["e2e"] // window):
        begins.append(gpu.host_ns // 1000)
        walls.append(gpu.run("e2e", window))
    fill_windows(record["timed"]["e2e"], walls, begins)
    fill_steps(record["timed"]["e2e"]["steps"], plan)
    if "loader" in record["timed"]:
        fill_other_passes(record, plan, gpu, window)
    return record


def fill_windows(timed, walls, begins):
    windows = timed["windows"]
    windows["wall_ns"] = walls
    if "begin_us" in windows:
        windows["begin_us"] = begins
        windows["queued_ns"] = [min(queued, wall) for queued, wall in zip(windows["queued_ns"], walls)]


def fill_steps(steps, plan):
    """The host's part of each step, which has no noise: it tells where time goes, and nothing is judged by it."""
    number = len(steps["wall_ns"])
    for boundary in BOUNDARIES:
        work = plan.at(boundary)
        if "device_ns" in steps:
            steps["device_ns"][boundary] = [work.device_ns] * number
        steps["host_ns"][boundary] = [work.host_ns] * number
    steps["wall_ns"] = [sum(plan.at(boundary).host_ns for boundary in BOUNDARIES)] * number
    fill_batches(steps, plan)


def fill_batches(steps, plan):
    number, batch = len(steps["wall_ns"]), plan.batch
    steps["samples"] = [batch.samples] * number
    steps["padded_tokens"] = [batch.tokens + batch.padding] * number
    steps["effective_tokens"] = [batch.tokens] * number
    steps["shape"] = [f"{batch.shapes[step % len(batch.shapes)]:016x}" for step in range(number)]


def fill_other_passes(record, plan, gpu, window):
    timed, steps = record["timed"], record["steps"]
    timed["loader"]["windows"]["wall_ns"] = [gpu.load(window) for _ in range(steps["loader"] // window)]
    waits = [wall // window for wall in timed["loader"]["windows"]["wall_ns"] for _ in range(window)]
    timed["loader"]["steps"].update(wall_ns=waits)
    timed["loader"]["steps"]["host_ns"]["data_wait"] = waits
    synthetic = [gpu.run("synthetic", window) for _ in range(steps["synthetic"] // window)]
    fill_windows(timed["synthetic"], synthetic, [gpu.host_ns // 1000] * len(synthetic))
    for name in ("loader", "phase", "synthetic"):
        fill_batches(timed[name]["steps"], plan)
    record["logging"] = [{**row, "wall_ns": gpu.run("logging", row["steps"])} for row in record["logging"]]
    work_ns = sum(plan.at(boundary).device_ns for boundary in BOUNDARIES) * window
    record["device_work"] = [{**row, "wall_ns": (wall := gpu.run("work", window)), "work_ns": min(work_ns, wall)}
                             for row in record["device_work"]]
    rate_series(record["h2d"]["series"], plan)


def rate_series(series, plan):
    for row in series:
        if row["layout"] == "batch" or row["bytes"] != 32 << 20:
            row.update(bytes=plan.batch.bytes, pinned=plan.batch.pageable == 0)
        if row["layout"] == "batch":
            row.update(tensors=plan.batch.copies, trial_ns=[max(1, plan.at("h2d").device_ns)] * len(row["trial_ns"]))


def with_noise(record, factor):
    """The record and the log of one process. `factor()`: drawn anew for each window."""
    timed, log = dict(record["timed"]), {"first_step_ns": [int(record["warmup"]["first_step_ns"] * factor())]}
    for name, figure in (("e2e", "step_ns"), ("loader", "loader_ns"), ("synthetic", "synthetic_ns")):
        if name in timed:
            walls = [int(wall * factor()) for wall in timed[name]["windows"]["wall_ns"]]
            timed[name] = {**timed[name], "windows": {**timed[name]["windows"], "wall_ns": walls}}
            log[figure] = walls
    warmup = {**record["warmup"], "first_step_ns": log["first_step_ns"][0]}
    record = {**record, "timed": timed, "warmup": warmup}
    if "loader" in timed:  # a process of the case, not of the reference case
        record["device_work"] = [{**row, "work_ns": min(row["wall_ns"], int(row["work_ns"] * of_device(factor())))}
                                 for row in record["device_work"]]
        log["device_ns"] = [row["work_ns"] for row in record["device_work"]]
    return json.dumps(record), log


def of_device(factor):
    """A device scatters by a tenth of what its host does: 0.1 % between processes of an H200 (docs/gpu_cases.md)."""
    return 1 + (factor - 1) / 10
