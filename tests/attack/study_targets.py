"""Kinds of file that the studies read: histories, files of others, plans, figures of a GPU's self-test."""

import shutil

from forms import GzipForm, TextForm
from target import Target
from workplace import CASE, COMMIT, benchmark_output

SERIES = "train/BM_train:step_time_ns@local"
IMPORT = ("history", "import", "bench.json", "--to", "imported", "--commit", COMMIT)
OF_HISTORY = ("--history", "history")
SHOW = ("history", "show", *OF_HISTORY)
CHECK = ("history", "check", *OF_HISTORY)
PLOT = ("history", "plot", "--svg", "plot.svg", *OF_HISTORY)
TABLE = ("history", "export", "--csv", "series.csv", *OF_HISTORY)
ACKNOWLEDGE = ("history", "ack", SERIES, COMMIT, "--reason", "attack", *OF_HISTORY)
TRACE = ("profile", "--trace", "trace.json")
TRACE_GZ = ("profile", "--trace", "trace.json.gz", "--json")
CALIBRATION = "calibration.json"
CALIBRATE = ("doctor", "--device", "--calibration", CALIBRATION, "--trace", "shapes.json")
CALIBRATED = ("check", f"out/{CASE}/exact/measurement.json", "--build", "build", "--out", "checked", "--device", "emulated:h100",
              "--calibration", CALIBRATION)
SHARD = ("shard", "run", "plan", "1", "--quiet")
MERGE = ("merge", "plan")
OF_BUILDS = ("--build", "build", "--base-build", "base")
PLAN = ("plan", "ab", CASE, *OF_BUILDS, "--tier", "timed", "--pairs", "4", "--shards", "1", "--out", "plan")
AB = ("ab", CASE, *OF_BUILDS, "--tier", "exact", "--exact-replicates", "1", "--quiet")
NODES = (*AB, "--nodes", "exec:./engine")
DEVICE = ("doctor", "--device", "--device-check", "./check")
LIST = ("list",)

# A word that is not there is waited for a minute, so that there always is one.
ENGINE = """#!/bin/sh
[ $1 = submit ] || exit 0
word=$2/ended/01.$4
mkdir -p "$2/ended"
cp -a word.txt "$word" 2>/dev/null
[ -e "$word" ] || { rm -f "$word"; echo done >"$word"; }
echo one
"""

STUDY_TARGETS = [
    Target("session with an alert", "history/box/2026/06.json", [CHECK, TABLE], project="alert",
           written=("series.csv",)),
    Target("imported session", "history/local/2026/11/*.json", [SHOW, CHECK, PLOT, TABLE, ACKNOWLEDGE], project="imported",
           written=("plot.svg", "series.csv")),
    Target("acknowledgement of an import", "history/acknowledged/one.json", [SHOW, CHECK, PLOT], project="imported", written=("plot.svg",)),
    Target("renames of imports", "history/renames.json", [SHOW, CHECK, TABLE], project="imported", written=("series.csv",)),
    Target("trace with launches", "trace.json", [TRACE], project="trace"),
    Target("compressed trace", "trace.json.gz", [TRACE_GZ], project="trace", form=GzipForm),
    Target("trace of a calibration", "shapes.json", [CALIBRATE], project="calibrated", written=(CALIBRATION,)),
    Target("calibration", CALIBRATION, [CALIBRATED], "calibration", project="calibrated", verdicts=(CALIBRATED,)),
    Target("share of a node", "plan/shards/01.0.json", [SHARD, MERGE], project="shared"),
    Target("decided end of a plan", f"plan/decided/{CASE}", [MERGE, SHARD], project="told", form=TextForm),
    Target("lost pair of a plan", f"plan/lost/{CASE}/000", [MERGE, SHARD], project="told", form=TextForm),
    Target("last word of a node", "word.txt", [NODES], project="told", form=TextForm, limit_s=30),
    Target("order seed", "out/ab-unfinished.txt", [AB], project="told", form=TextForm, verdicts=(AB,), whole=True),
    Target("order seed of a plan", "plan/ab-unfinished.txt", [PLAN], project="told", form=TextForm, verdicts=(PLAN,),
           whole=True),
    Target("figures of a device check", "figures.json", [DEVICE], project="device", limit_s=30),
    Target("presets", "CMakePresets.json", [LIST], project="presets"),
]


def document(name, **values):
    return {"schema": {"name": f"stepgate.{name}", "major": 1, "minor": 0}, **values}


def prepare(place, expect, keep):
    """Adds to a green project what these commands read. Each is kept under its name; the place holds all of them in the end."""
    place.write("bench.json", benchmark_output())
    expect(lambda: place.run("history", "import", "bench.json", "--to", "history", "--commit", COMMIT), 0)
    place.write("history/acknowledged/one.json", document("history_acknowledgement", series=SERIES, commit=COMMIT, reason="a faster disk",
                                                          utc="2026-11-23T10:00:00Z"))
    place.write("history/renames.json", document("history_renames", renames=[{"from": "train/BM_old", "to": "train/BM_train", "commit": COMMIT}]))
    expect(lambda: place.run(*SHOW), 0)
    keep("imported")
    place.write("trace.json", trace())
    place.write("trace.json.gz", GzipForm.text_of(trace()))
    for words in (TRACE, TRACE_GZ):
        expect(lambda words=words: place.run(*words), 0)
    keep("trace")
    place.write("shapes.json", trace_with_shapes())
    expect(lambda: place.run(*CALIBRATE), 0)
    with place.emulated():
        expect(lambda: place.run(*CALIBRATED), 0)
        shutil.rmtree(place.folder / "checked")
        keep("calibrated")
    place.write("figures.json", document("device_check", check="device", values={"visible_gpus": 1, "gpu": 1}, texts={"uuid": "GPU-1"}, absent={}))
    place.write("check", "#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" != --out ] || head -c 40000000 figures.json >\"$2\"; shift; done\n").chmod(0o755)
    keep("device")
    place.write("CMakePresets.json", {"version": 6, "configurePresets": [
        {"name": "base", "hidden": True, "binaryDir": "${sourceDir}/build"}, {"name": "release", "inherits": ["base"]}]})
    keep("presets")
    expect(lambda: place.run("plan", "ab", CASE, "--build", "build", "--base-build", "base", "--tier", "exact", "--exact-replicates", "1",
                             "--shards", "1", "--out", "plan"), 0)
    place.write("plan/shards/01.0.json", document("shard_work", shard=1, attempt=0, control_case="",
                                                  shares=[{"case_name": CASE, "pairs": [], "exact": True}]))
    keep("shared")
    prepare_told(place, expect)
    keep("told")


def prepare_told(place, expect):
    """A plan with every file of plain text, and an engine whose node says its last word (word.txt) at once."""
    expect(lambda: place.run(*PLAN), 0)
    place.write(f"plan/decided/{CASE}", "3\n")
    place.write(f"plan/lost/{CASE}/000", "no attempt is left\n")
    place.write("word.txt", "unfit: another CPU\n")
    place.write("out/ab-unfinished.txt", "7\n")
    place.write("engine", ENGINE).chmod(0o755)


def trace():
    """Three steps: a call of the host, a launch and its kernel in each."""
    events = []
    for step in range(3):
        begin = 1000.0 * step
        events += [
            {"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{step}", "pid": 1, "tid": 1, "ts": begin, "dur": 900.0},
            {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": begin + 100, "dur": 300.0, "args": {"External id": step}},
            {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": begin + 150, "dur": 10.0,
             "args": {"correlation": step}},
            {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": begin + 200, "dur": 400.0,
             "args": {"correlation": step, "stream": 7, "device": 0}}]
    return {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "GPU"}], "traceEvents": events}


def trace_with_shapes():
    """The same calls on a GPU that an emulated one stands for, with what record_shapes adds, and kernels of a library."""
    document = trace()
    document.update(cuda_runtime_version=12040, cuda_driver_version=12090, deviceProperties=[{"id": 0, "name": "NVIDIA H100 80GB HBM3"}])
    operands = {"Input type": ["float", "float", "Scalar"], "Input Dims": [[8, 64], [64, 4], []], "Input Strides": [[64, 1], [1, 64], []],
                "Concrete Inputs": ["", "", "0.10000000000000001"]}
    for event in document["traceEvents"]:
        if event["cat"] == "cpu_op":
            event["args"].update(operands)
        if event["cat"] == "kernel":
            event["name"] = "ampere_sgemm_64x64_nn"
        if event.get("args", {}).get("correlation") == 0:
            event["args"]["correlation"] = 9  # 0 is none
    return document
