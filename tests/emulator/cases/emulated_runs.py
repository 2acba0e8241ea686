"""Runs a case of perftests on an emulated GPU, exact group, in counts mode."""
import dataclasses
import json
import os
import pathlib
import subprocess
import time

LOADER = "emulated_gpu/libstepgate_emulated_loader.so"
COMPLETE = "emulated_gpu/complete"
LONGEST_S = 600  # of one process; the slowest case took 12 s


class Refused(Exception):
    """The comparison cannot be made: what is missing and what to do."""


@dataclasses.dataclass
class Run:
    """What one process left. `failure` is "" where it ended well, else its last words."""
    seconds: float
    record: dict
    stretches: list
    failure: str = ""


def escaped(path):
    return str(path).replace("%", "%25").replace(" ", "%20")


def data_folder():
    home = os.environ.get("XDG_CACHE_HOME") or f"{os.environ.get('HOME', '')}/.cache"
    return pathlib.Path(os.environ.get("STEPGATE_CACHE") or f"{home}/stepgate") / "data/scikit-learn-1.9.1"


def check_build(build):
    for name, target in ((COMPLETE, "emulated_gpu"), ("bin/perftests", "perftests")):
        if not (build / name).is_file():
            raise Refused(f"{build / name} is missing: cmake --build {build} --target {target}")


def cases_of(build):
    """The cases for a GPU, as the program lists them."""
    done = subprocess.run([build / "bin/perftests", "--list", "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        raise Refused(f"perftests --list --json ended with {done.returncode}: {done.stderr.strip()}")
    return [case for case in json.loads(done.stdout)["cases"] if case["device"] == "cuda"]


def machine_text(model, case, log):
    """The record of several ranks is one of them all, and each would write a log of its own, so these have none."""
    text = model if case["ranks"] == 1 else f"{model}:{case['ranks']}"
    return text if log is None else f"{text} log={escaped(log)}"


def stretches_in(path):
    """The log's lines: one object for each stretch that ends with a mark."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.is_file() else []


def last_words(done):
    lines = [line for line in (done.stderr + done.stdout).splitlines() if line.strip()]
    return f"status {done.returncode}: {lines[-1].strip()}" if lines else f"status {done.returncode}"


def run_case(checkout, model, case, folder, cpus=None):
    """`checkout`: its folders `build` and `data`. `cpus`: those that the process may use, all by default."""
    working = folder / "work"  # the record says what the program leaves in it
    working.mkdir(parents=True, exist_ok=True)
    record, log = folder / "record.json", folder / "log.jsonl"
    environment = dict(os.environ, LD_AUDIT=str(checkout.build / LOADER),
                       STEPGATE_EMULATED_GPU=machine_text(model, case, log if case["ranks"] == 1 else None))
    words = [checkout.build / "bin/perftests", f"--stepgate_case={case['name']}", "--stepgate_group=exact",
             "--stepgate_emulated", f"--stepgate_record={record}", f"--stepgate_data={checkout.data}"]
    pin = None if cpus is None else lambda: os.sched_setaffinity(0, cpus)
    begin = time.monotonic()
    try:
        done = subprocess.run(words, env=environment, cwd=working, capture_output=True, text=True, timeout=LONGEST_S,
                              preexec_fn=pin)
    except subprocess.TimeoutExpired:
        return Run(LONGEST_S, {}, [], f"not done in {LONGEST_S} s")
    seconds = time.monotonic() - begin
    if done.returncode != 0 or not record.is_file():
        return Run(seconds, {}, [], last_words(done))
    return Run(seconds, json.loads(record.read_text()), stretches_in(log))
