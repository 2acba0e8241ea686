"""A project of one case that needs no LibTorch: manifest, policy, baseline and results, as stepgate itself writes them.

The perftest program is a shell script that writes a stored record. `green` cases pass; `red` cases have one operator
more per step than their baseline.
"""

import contextlib
import dataclasses
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent
TRACE = HERE.parent / "diagnose/trace/oddities/plain.json"
BUILD = pathlib.Path(os.environ["STEPGATE_TEST_BUILD"])
STEPGATE = BUILD / "bin" / "stepgate"
CASE = "toys/word_model/tiny"
BENCHMARK_CASE = "toys/plain_loop/tiny"
COMMIT = "4be1c0ffee12"  # a history takes no result without one
TIME_LIMIT_S = 10
MEMORY_LIMIT_KIB = 512 * 1024

GROWTH_NOISE = [0, 900, -700, 400, -300, 800, -500, 100]  # bytes beside the growth of each step of the memory pass
PER_STEP = ["peak_bytes", "minor_faults_per_step", "resident_bytes"]  # what the memory pass reads once a step

PROGRAM = """#!/bin/sh
here=%(here)s
replicate=0
for argument in "$@"; do
  case $argument in
    --list) cat "$here/records/cases.json"; exit 0 ;;
    --stepgate_record=*) record=${argument#*=} ;;
    --stepgate_group=*) group=${argument#*=} ;;
    --stepgate_seed=*) seed=${argument#*=} ;;
    --stepgate_replicate=*) replicate=${argument#*=} ;;
    --benchmark_out=*) benchmark=${argument#*=} ;;
  esac
done
if [ -n "$benchmark" ]; then
  head -c 40000000 "$here/records/benchmark.json" >"$benchmark"
elif [ "$group" = reference ]; then
  head -c 40000000 "$here/records/reference.json" | sed "s/\\"replicate\\": 0,/\\"replicate\\": $replicate,/" >"$record"
else
  head -c 40000000 "$here/records/$group.json" |
    sed "s/\\"replicate\\": 0,/\\"replicate\\": $replicate,/; s/\\"seed\\": 20260101,/\\"seed\\": $seed,/" >"$record"
fi
"""

POLICY = {
    "schema": {"name": "stepgate.policy", "major": 1, "minor": 0},
    "margins": {"ignore": 0.01, "matter": 0.05},
    "metric_margins": {"first_step_ns": {"ignore": 0.1, "matter": 0.3}},
    "alpha": 0.05, "beta": 0.05, "exact_tolerance": {}, "bytes_tolerance": 0, "bytes_relative_tolerance": 0,
    "loss_rtol": 0.0001, "loss_atol": 0.000001, "grad_norm_rtol": 0.001, "numeric_steps": 3, "waivers": [],
    "taint_limits": {"steal_fraction": 1, "runqueue_wait_fraction": 1, "foreign_busy_fraction": 1},
    # They hold on no runner class of these runs, so that only what is read of them counts.
    "floors": [{"case": "toys/*", "metric": "samples_per_s", "at_least": 100, "runner_class": "elsewhere"}],
    "case_budgets": [{"case": "toys/*", "metric": "operators_per_step", "at_most": 1000, "runner_class": "elsewhere"}],
    "targets": [{"case": "toys/*", "metric": "step_time_ns", "value": 1000000, "runner_class": "elsewhere"}],
    "gating_rates": {"mfu_ratio": ["elsewhere/*"]},
}


@dataclasses.dataclass
class Outcome:
    """What one command did. `status` is negative where a signal ended it, None where it had to be killed."""
    words: list
    status: int
    stdout: bytes
    stderr: bytes
    seconds: float
    peak_kib: int

    @property
    def text(self):
        return (self.stderr + self.stdout).decode(errors="replace")


class Workplace:
    """One folder. Every command runs inside it, and every file that a command may write is below it."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    @property
    def out(self):
        return self.folder / "out"

    @property
    def baseline(self):
        return self.folder / "baselines/portable" / (CASE + ".json")

    def run(self, *words, environment=None, prefix=(), limit_s=TIME_LIMIT_S, out=True):
        variables = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "TMPDIR": str(self.folder / "tmp"),
                     "LANG": "C.UTF-8", "STEPGATE_COMMIT": COMMIT, "STEPGATE_STATE_DIR": str(self.folder / "state"), "NO_COLOR": "1",
                     **({"STEPGATE_OUT": str(self.out)} if out else {}), **(environment or {})}
        started = time.monotonic()
        with open(self.folder / "tmp/stdout", "w+b") as stdout, open(self.folder / "tmp/stderr", "w+b") as stderr:
            child = subprocess.Popen([*prefix, str(STEPGATE), *words], cwd=self.folder, env=variables, stdout=stdout,
                                     stderr=stderr, stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=limit_memory)
            status, usage = wait(child, started + limit_s)
            for stream in (stdout, stderr):
                stream.seek(0)
            return Outcome(list(words), status, stdout.read(1 << 24), stderr.read(1 << 24), time.monotonic() - started,
                           usage.ru_maxrss)

    def write(self, name, content):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            file.write_bytes(content)
        else:
            file.write_text(content if isinstance(content, str) else json.dumps(content, indent=1))
        return file

    def record(self, group):
        return json.loads((HERE / "records" / f"{group}.json").read_text())

    def lay_out(self):
        """Manifest, policy, programs and records."""
        for name in ("tmp", "state"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        for build in ("build", "base"):
            program = self.write(f"{build}/bin/train", PROGRAM % {"here": self.folder / build})
            program.chmod(0o755)
            for name in ("exact", "timed", "reference", "profile"):
                self.write(f"{build}/records/{name}.json", self.record(name))
            self.write(f"{build}/records/benchmark.json", benchmark_output())
            self.write(f"{build}/records/cases.json", self.list_of_cases())
            self.write(f"{build}/stepgate-manifest.json", self.manifest(program))
        self.write("policies/toys/policy.json", POLICY)
        self.write("traces/two_steps.json", TRACE.read_bytes())
        for tool, document in (("google-benchmark", benchmark_output()), ("nvbench", nvbench_output()), ("pyperf", pyperf_output())):
            self.write(f"imports/{tool}.json", document)

    def manifest(self, program):
        case = {"name": CASE, "suite": "toys", "program": str(program), "device": "cpu", "timeout_s": 5}
        plain = {**case, "name": BENCHMARK_CASE, "benchmark": "BM_train"}
        return {"schema": {"name": "stepgate.manifest", "major": 1, "minor": 0}, "build_type": "Release",
                "policy_root": str(self.folder / "policies"), "baseline_root": str(self.folder / "baselines"),
                "cases": [case, plain]}

    def list_of_cases(self):
        """What the program prints for --list --json: the sweep asks which parameters a case declares."""
        record = self.record("exact")
        return {"schema": {"name": "stepgate.cases", "major": 1, "minor": 0},
                "cases": [{"name": CASE, "device": "cpu", "dtype": "float32", "params": record["params"], "steps": record["steps"],
                           "version": "1", "ranks": 1}]}

    def add_operator(self):
        """The head build counts one operator more in each step."""
        record = self.record("exact")
        counts = record["counts"]["per_step"]
        counts["operators_per_step"] = [value + 1 for value in counts["operators_per_step"]]
        self.write("build/records/exact.json", record)

    def grow(self, bytes_per_step):
        """A step of the head build leaves so many bytes in the heap, more or less, and a descriptor open."""
        record = self.record("exact")
        memory, steps = record["memory"], len(GROWTH_NOISE)
        record["steps"]["memory"] = steps
        for name in PER_STEP:
            memory[name] = (memory[name] * steps)[:steps]
        memory["host_heap_bytes"] = [90_000_000 + bytes_per_step * step + noise for step, noise in enumerate(GROWTH_NOISE)]
        memory["descriptors"] = list(range(7, 7 + steps))
        record["losses"]["memory"] = {"last_seen": steps, "seen": steps + 1, "steps": steps + 1,
                                      "values": [3.25 - step / 8 for step in range(steps + 1)]}
        self.write("build/records/exact.json", record)

    def race(self):
        """The stored measurement of a green case has a stream hazard, as one of an emulated GPU may."""
        def access(work, name, stream):
            return {"work": work, "operator": name, "writes": stream > 0, "device": 0, "stream": stream, "in_graph": False,
                    "place": {"offsets": [f"{1000 + stream:x}"], "frames": [{"function": "train", "file": "train.cpp", "line": 7 + stream}]},
                    "for_forward": False}
        found = {"kind": "read after write", "earlier": access("kernels", "aten::add", 2), "later": access("host", "", 0), "bytes": 64,
                 "page_locked": True, "reused": False, "remedy": "wait for the event of the copy"}
        file = self.out / CASE / "exact/measurement.json"
        measurement = json.loads(file.read_text())
        measurement["hazards"] = {"accesses": 9, "kernels": 5, "unknown_kernels": 1, "hazards": 1, "forgotten": 0, "found": [found]}
        file.write_text(json.dumps(measurement, indent=2))

    @contextlib.contextmanager
    def emulated(self):
        """The stored measurement of a green case is one of an emulated GPU, until the end."""
        file = self.out / CASE / "exact/measurement.json"
        text = file.read_text()
        file.write_text(json.dumps({**json.loads(text), "runner_class": "emulated-h100"}, indent=2))
        yield
        file.write_text(text)

    def call(self):
        """The baseline knows which line calls which function, and the stored measurement has a call that is new."""
        calls = [("aten::mm", "forward", ["Net::forward", "train"]), ("aten::norm", "optimizer", ["clip", "train"])]
        baseline = json.loads(self.baseline.read_text())
        baseline["schema"]["minor"] = 6
        where = baseline["where"]
        where["operator_functions"] = {boundary: {name: {functions[0]: 2}} for name, boundary, functions in calls}
        where["functions_from"] = "lines"
        where["function_calls"] = {
            "": {"callees": ["train"], "least": [2], "most": [2]}, "Net::forward": {"callees": ["aten::mm"], "least": [2], "most": [2]},
            "clip": {"callees": ["aten::norm"], "least": [2], "most": [2]},
            "train": {"callees": ["Net::forward", "clip"], "least": [2, 2], "most": [2, 2]}}
        self.baseline.write_text(json.dumps(baseline, indent=2))
        calls.append(("aten::norm", "optimizer", ["clip", "train", "train"]))
        places = [{"offsets": [f"{1000 + place:x}"],
                   "frames": [{"function": name, "file": "train.cpp", "line": 10 * place + depth + 1}
                              for depth, name in enumerate(functions)]}
                  for place, (_, _, functions) in enumerate(calls)]
        sites = [{"boundary": boundary, "name": name, "calls": 2, "place": place}
                 for place, (name, boundary, _) in enumerate(calls)]
        file = self.out / CASE / "exact/measurement.json"
        measurement = json.loads(file.read_text())
        for replicate in measurement["replicates"]:
            counts = replicate["record"]["counts"]
            counts["observed"] = {"steps": 2, "frames_from": "lines", "places": places, "sites": sites}
            optimizer = counts["operators"]["optimizer"]
            optimizer["aten::norm"] = optimizer.get("aten::norm", 0) + 2
        file.write_text(json.dumps(measurement, indent=2))

    def answer(self):
        """The program answers requests, in both loops, and one of its modules computes in train mode."""
        record = self.record("timed")
        latencies = [4_000_000 + 1000 * (number % 7) for number in range(20)]
        tokens = {"first_ns": [1_000_000] * 20, "next_ns": [500_000] * 20, "tokens": 100}
        record["steps"].update(requests=20, open_requests=20)
        record["requests"] = {"clock": "steady_clock", "wall_ns": sum(latencies), "latency_ns": latencies, "cold": [3], "samples": 160,
                              "boundary_ns": {"data_wait": [8000] * 20, "h2d": [6000] * 20}, "tokens": tokens}
        record["open_requests"] = {"clock": "steady_clock", "rate_per_s": 100.5, "capacity_per_s": 249.0, "arrival_seed": 20260101,
                                   "generator_cpu": 1, "generator_late_ns": 900, "generator_late_total_ns": 1200,
                                   "latency_ns": latencies, "arrival_ns": [10_000_000 * number for number in range(20)],
                                   "tokens": tokens}
        record["inference"] = {"answers": 60, "graph_answers": 2, "training_modules": [{"name": "drop", "kind": "Dropout"}]}
        self.write("build/records/timed.json", record)

    def loosen(self):
        """The base has a policy, which asks for consent, and baselines of its own; the head build allows more operators."""
        shutil.copytree(self.folder / "baselines", self.folder / "base/baselines")
        self.write("base/policies/toys/policy.json", {**POLICY, "loosening": "needs_consent"})
        file = self.folder / "base/stepgate-manifest.json"
        manifest = json.loads(file.read_text())
        manifest.update(policy_root=str(self.folder / "base/policies"), baseline_root=str(self.folder / "base/baselines"))
        file.write_text(json.dumps(manifest))
        self.write("policies/toys/policy.json", {**POLICY, "exact_tolerance": {"operators_per_step": 1_000_000}})

    def edit(self):
        """The head build counts one operator more, and its program is another file."""
        self.add_operator()
        with (self.folder / "build/bin/train").open("a") as program:
            program.write("# edited\n")

    def gate(self, tier="exact", *words, **options):
        counts = ["--exact-replicates", "1"] if tier == "exact" else ["--replicates", "3"]
        return self.run("gate", CASE, "--tier", tier, "--build", "build", *counts, "--quiet", *words, **options)

    def accept(self, **options):
        return self.run("baseline", "accept", CASE, "--build", "build", "--reason", "first record", "--local", **options)

    def copy_to(self, folder):
        """A copy whose programs and manifest name the new folder."""
        folder = pathlib.Path(folder)
        shutil.copytree(self.folder, folder, symlinks=True)
        for name in ("build/bin/train", "base/bin/train", "build/stepgate-manifest.json", "base/stepgate-manifest.json"):
            file = folder / name
            file.write_text(file.read_text().replace(str(self.folder), str(folder)))
        return Workplace(folder)


def benchmark_output():
    runs = [{"name": "BM_train", "run_name": "BM_train", "run_type": "iteration", "repetitions": 3, "repetition_index": i,
             "threads": 1, "iterations": 100, "real_time": 1000 + i, "cpu_time": 999 + i, "time_unit": "ns"}
            for i in range(3)]
    return {"context": {"date": "2026-11-22T10:00:00+00:00", "host_name": "host", "executable": "train", "num_cpus": 2,
                        "mhz_per_cpu": 2000, "caches": [], "load_avg": [0.1], "library_build_type": "release"},
            "benchmarks": runs}


def nvbench_output():
    values = {"nv/cold/time/gpu/mean": "1.5e-05", "nv/cold/sample_size": "1200", "nv/cold/bw/item_rate": "2e9"}
    summaries = [{"tag": tag, "data": [{"name": "value", "type": "float64", "value": value}]} for tag, value in values.items()]
    return {"meta": {"argv": ["./copy", "--json", "o.json"]}, "devices": [{"id": 0, "name": "H100"}],
            "benchmarks": [{"name": "copy", "index": 0, "states": [
                {"name": "Device=0", "device": 0, "axis_values": None, "summaries": summaries, "is_skipped": False}]}]}


def pyperf_output():
    runs = [{"metadata": {"date": "2026-11-22 10:00:00.5", "load_avg_1min": 0.5}, "values": [2e-06 + i * 1e-08, 2.1e-06],
             "warmups": [[1, 3e-06]]} for i in range(3)]
    return {"version": "1.0", "metadata": {"cpu_count": 2, "hostname": "host", "unit": "second"},
            "benchmarks": [{"metadata": {"name": "loop", "loops": 64}, "runs": runs}]}


def wait(child, deadline):
    """Status and resource usage of the child; its whole session is killed at the deadline."""
    while True:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        if pid:
            child.returncode = os.waitstatus_to_exitcode(status)
            return child.returncode, usage
        if time.monotonic() > deadline:
            os.killpg(child.pid, signal.SIGKILL)
            _, _, usage = os.wait4(child.pid, 0)
            child.returncode = -signal.SIGKILL
            return None, usage
        time.sleep(0.001)


def limit_memory():
    """Four times what a command may take: enough to tell greed from a crash, and the machine survives."""
    resource.setrlimit(resource.RLIMIT_AS, (4 * MEMORY_LIMIT_KIB * 1024,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
