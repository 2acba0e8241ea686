"""Runs the built stepgate on a drawn program and machine, and looks at what it leaves."""
import dataclasses
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

from device_log import figures_of
from machine_events import uuid_of
from scripted_program import CASE, MOST_PAIRS, ScriptedProgram

MARK = "STEPGATE_SWARM_RUN"      # in the environment of all that a run starts
LONGEST_S = 300                  # of one command: own choice, ten times the longest drawn one on an idle machine
# Of a timed fault. The margins of the policies say what matters: 5 % of a step, 20 % of the loader, 10 % of a first step;
# a fault hidden by other work has no effect.
LEAST_EFFECT = 1.1
SETTLED_S = 5   # what a stopped launcher started ends by itself: own choice, the watchdog needs milliseconds
PERSISTENCE = "0 0 0"            # persistence, locked core and memory clock of each GPU before a run
POLICY = {"schema": {"name": "stepgate.policy", "major": 1, "minor": 0}, "session_gap_s": 0,
          "taint_limits": {key: 1 for key in ("steal_fraction", "runqueue_wait_fraction", "foreign_busy_fraction")}}


@dataclasses.dataclass
class Command:
    words: list
    status: int          # negative: the signal; None where it was still running after LONGEST_S
    output: str
    seconds: float
    stop: int = 0        # the signal that was sent to it; 0 where it ended before


@dataclasses.dataclass
class Launched:
    """All that oracles look at."""
    drawn: object
    program: ScriptedProgram
    folder: pathlib.Path
    commands: list = dataclasses.field(default_factory=list)
    left: list = dataclasses.field(default_factory=list)      # what should not be there any more
    recovered: object = None  # the Command that followed where the driver refused the way back
    stopped: object = None    # the Command that a signal stopped; the last one then repeats it
    stopped_verdict: object = None  # verdict.json between the two

    @property
    def last(self):
        return self.commands[-1]

    def said(self):
        return "\n".join(f"{command.output}\n[ended with {command.status}]" for command in self.commands)

    def verdict(self):
        """verdict.json of the last command; None where there is none."""
        file = self.folder / "out" / CASE / ("exact" if self.drawn.form == "stored_exact" else "ab") / "verdict.json"
        return json.loads(file.read_text()) if file.exists() else None

    def fault_stands_in_log(self):
        """Whether the devices' logs of both builds differ by the planted fault."""
        fault, logs = self.drawn.fault, self.program.logs
        if fault.tier == "exact":
            base, head = (figures_of(logs[side, "exact"]).get(fault.log_figure, 0) for side in ("base", "head"))
            return base != head
        base, head = (sum(sum(logs[side, f"timed-{number:03}"][fault.log_figure]) for number in range(MOST_PAIRS))
                      for side in ("base", "head"))
        return head > base * LEAST_EFFECT

    def measurements(self):
        return [(file, json.loads(file.read_text())) for file in sorted((self.folder / "out").rglob("measurement.json"))]


def launch(drawn, templates, build, folder):
    """One run in `folder`, which is new."""
    run = Launched(drawn, ScriptedProgram(drawn, templates, folder), folder)
    (folder / "policies" / "vision").mkdir(parents=True)
    (folder / "policies" / "vision" / "policy.json").write_text(json.dumps(POLICY))
    (folder / "tmp").mkdir()
    (folder / "driver").write_text("".join(f"{uuid_of(index)} {PERSISTENCE}\n" for index in range(drawn.machine.gpus)))
    for side in ("base", "head"):
        write_manifest(run, side, run.program.path(side).parent)
    FORMS[drawn.form](run, build / "bin" / "stepgate", build)
    left = repeat_stopped(run, build) + left_by(run)
    if (folder / "state" / "guard.journal").exists():
        recover(run, build)
    run.left = left
    return run


def write_manifest(run, side, folder):
    case = {"name": CASE, "suite": "vision", "program": str(run.program.path(side)), "device": "cuda", "timeout_s": 20}
    (folder / "stepgate-manifest.json").write_text(json.dumps({
        "schema": {"name": "stepgate.manifest", "major": 1, "minor": 1}, "build_type": "Release",
        "policy_root": str(run.folder / "policies"), "baseline_root": str(run.folder / "baselines"), "cases": [case]}))


def repeat_stopped(run, build):
    """A run that was stopped goes on with the same command. Returns the processes that it left when it was stopped."""
    if run.last.status not in (-run.last.stop, 128 + run.last.stop) or not run.last.stop:
        return []
    end = time.monotonic() + SETTLED_S
    while time.monotonic() < end and processes_of(run):
        time.sleep(0.01)
    left = ended_processes(run)
    run.stopped, run.stopped_verdict = run.last, run.verdict()
    run.commands.append(command(run, run.stopped.words, environment_of(run, build)))
    return left


def recover(run, build):
    """The way that the message names, when the driver accepts changes again."""
    healthy = {name: value for name, value in run.drawn.machine.nvml.items() if name != "FAIL"}
    words = [build / "bin" / "stepgate", "recover", "--state-dir", run.folder / "state"]
    run.recovered = command(run, words, environment_of(run, build, healthy))


def environment_of(run, build, nvml=None):
    machine = run.drawn.machine
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("STEPGATE_", "CUDA_", "FAKE_NVML_", "LD_", "SLURM_", "PYTORCH_")) and name != "CI"}
    driver = {"GPUS": str(machine.gpus), "STATE": str(run.folder / "driver"),
              **(machine.nvml if nvml is None else nvml)}
    return {**kept, **machine.environment, **{f"FAKE_NVML_{name}": value for name, value in driver.items()},
            "LD_LIBRARY_PATH": str(build / "tests/environment" / machine.library), "NO_COLOR": "1",
            "TMPDIR": str(run.folder / "tmp"), MARK: str(run.folder)}


def command(run, words, environment, stop=()):
    """Ends what runs too long, and returns what happened. `stop`: Machine.stop."""
    begin = time.monotonic()
    started = subprocess.Popen([str(word) for word in words], env=environment, cwd=run.folder, text=True, errors="replace",
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    sent = 0
    try:
        if stop and is_running_after(started, stop[1]):
            sent = int(stop[0])
            started.send_signal(sent)
        output, status = started.communicate(timeout=LONGEST_S)[0], started.returncode
    except subprocess.TimeoutExpired:
        started.send_signal(signal.SIGKILL)
        for process in processes_of(run):  # they hold the other end of its output
            os.kill(int(process.name), signal.SIGKILL)
        output, status = started.communicate()[0], None
    return Command([str(word) for word in words], status, output, time.monotonic() - begin, sent)


def is_running_after(process, seconds):
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return True
    return False


def usual_words(run):
    return ["--exact-replicates", run.drawn.replicates, "--out", run.folder / "out", "--state-dir", run.folder / "state",
            *run.drawn.machine.words]


def pairs(run, stepgate, build, tier):
    more = ["--tier", tier, "--pairs", MOST_PAIRS, "--interleave", "processes", "--no-explain"]
    run.commands.append(command(run, [stepgate, "ab", CASE, "--base-build", run.folder / "base_build", "--head-build",
                                      run.folder / "head_build", *more, *usual_words(run)], environment_of(run, build),
                                run.drawn.machine.stop))


def stored_exact(run, stepgate, build):
    """The base's values become a baseline, and the head is gated against it."""
    words = [stepgate, "gate", CASE, "--tier", "exact", *usual_words(run)]
    environment = environment_of(run, build)
    run.commands.append(command(run, [*words, "--build", run.folder / "base_build"], environment))
    if run.last.status != 5:  # "no baseline": the machine lets nothing be measured
        return
    run.commands.append(command(run, [stepgate, "baseline", "accept", CASE, "--reason", "drawn", "--local", "--build",
                                      run.folder / "base_build", "--out", run.folder / "out"], environment))
    shutil.rmtree(run.folder / "out")
    run.commands.append(command(run, [*words, "--build", run.folder / "head_build"], environment, run.drawn.machine.stop))


FORMS = {
    "pairs_exact": lambda run, stepgate, build: pairs(run, stepgate, build, "exact"),
    "pairs_all": lambda run, stepgate, build: pairs(run, stepgate, build, "all"),
    "stored_exact": stored_exact,
}


def left_by(run):
    """Processes of the run, and files that a run may not keep. Processes are ended."""
    left = ended_processes(run) + [f"file {path}" for path in (run.folder / "tmp").iterdir()]
    for pattern in ("*.record.json", "*.new", "*.tmp-*"):
        left += [f"file {path}" for path in run.folder.rglob(pattern)]
    return left


def ended_processes(run):
    ended = []
    for process in processes_of(run):
        try:
            words = (process / "cmdline").read_bytes().replace(bytes(1), b" ").decode(errors="replace")
            os.kill(int(process.name), signal.SIGKILL)
            ended.append(f"process {process.name}: {words}")
        except OSError:
            pass  # it ended meanwhile
    return ended


def processes_of(run):
    return [process for process in pathlib.Path("/proc").iterdir() if process.name.isdigit() and is_of(run, process)]


def is_of(run, process):
    try:
        return f"{MARK}={run.folder}".encode() in (process / "environ").read_bytes().split(b"\0")
    except OSError:
        return False
