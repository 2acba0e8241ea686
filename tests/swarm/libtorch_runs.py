"""Runs of the swarm with LibTorch on an emulated GPU: the launcher compares two builds of faulty_char_lm."""
import json
import os
import pathlib
import sys

from launched import MARK, Launched, command, left_by
from libtorch_draws import PROGRAMS, draw_with_libtorch
from oracles import answers_agree, ended, nothing_left, problems_of
from swarm_runs import finished
from verdict_rates import answers_of

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "emulator/cases"))

from emulated_runs import data_folder, escaped, stretches_in  # noqa: E402
from log_and_record import compare, copies, kernels, memsets, syncs  # noqa: E402

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
# The machine's settings come after those of the launcher. Each process writes a log of its own.
SCRIPT = """#!/bin/sh
for argument in "$@"; do
  case $argument in --stepgate_record=*) record=${{argument#*=}} ;; esac
done
name=$(printf %s "${{record#*/out/}}" | tr / .)
export STEPGATE_EMULATED_GPU="$STEPGATE_EMULATED_GPU {log}{settings}"
export STEPGATE_TEST_FAULT={fault}
{shell}
exec '{program}' "$@"
"""


class LibtorchLaunched(Launched):
    """`program` is not used: the logs are files that the emulated machine wrote."""

    def verdict(self):
        file = self.folder / "out" / self.drawn.program.case / "ab" / "verdict.json"
        return json.loads(file.read_text()) if file.exists() else None

    def stretches(self, folder, replicate):
        """The log of one process. `folder`: that of its record."""
        name = f"{replicate['group']}-{replicate['index']:02}-{replicate['attempt']}"
        place = ".".join(folder.relative_to(self.folder / "out").parts)
        return stretches_in(self.folder / "logs" / f"{place}.{name}.jsonl")

    def fault_stands_in_log(self):
        if self.drawn.program.ranks > 1:
            return True
        first = {"group": "exact", "index": 0, "attempt": 0}
        folder = self.folder / "out" / self.drawn.program.case / "ab" / "exact"
        base, head = (work_of(self.stretches(folder / side, first)) for side in ("base", "head"))
        return not base or not head or base != head   # without a log, a miss must be explained


def work_of(stretches):
    """Kernels, copies, memsets and waits of the counted steps."""
    counted = [one for one in stretches if one["mark"].startswith("counts ") and one["mark"].split()[1].isdigit()]
    return [(kernels(one), copies(one), memsets(one), syncs(one)) for one in counted]


def records_equal_log(run):
    """Each count and byte of each record is that of the emulated machine's own log."""
    if run.drawn.program.ranks > 1:
        return
    for file in sorted((run.folder / "out").rglob("measurement.json")):
        for replicate in json.loads(file.read_text())["replicates"]:
            record = replicate.get("record")
            if record and record["group"] == "exact":
                for difference in compare(run.stretches(file.parent, replicate), record).differences:
                    yield f"log: {file.parent.name} {difference}"


ORACLES = (ended, nothing_left, answers_agree, records_equal_log)


class LibtorchRuns:
    @staticmethod
    def missing(build):
        """What is not built, and how to build it; "" where nothing is missing."""
        for name, target in (("bin/stepgate", "stepgate"), *((f"bin/{one.name}", one.name) for one in PROGRAMS),
                             ("emulated_gpu/complete", "emulated_gpu")):
            if not (build / name).is_file():
                return f"{build / name} is missing: cmake --build {build} --target {target}"
        return "" if data_folder().is_dir() else f"{data_folder()} is missing: ci/fetch_data"

    def __init__(self, options, folder):
        self.options, self.folder = options, folder

    def run(self, seed):
        drawn = draw_with_libtorch(seed, self.options.events)
        run = LibtorchLaunched(drawn, None, self.folder / f"run-{seed}")
        for name in ("logs", "tmp"):
            (run.folder / name).mkdir(parents=True)
        (run.folder / "script").write_text("".join(f"{line}\n" for line in drawn.machine.script))
        for side in ("base", "head"):
            self.write_build(run, side)
        self.measure(run)
        run.left = left_by(run)
        return finished(run, answers_of(run), problems_of(run, ORACLES), self.options.keep)

    def write_build(self, run, side):
        drawn, folder = run.drawn, run.folder / f"{side}_build"
        folder.mkdir()
        (folder / "emulated_gpu").symlink_to(self.options.build / "emulated_gpu")
        settings = [*drawn.machine.settings, *([f"script={escaped(run.folder / 'script')}"] if drawn.machine.script else [])]
        fault = drawn.fault.name if side == "head" and drawn.fault else "none"
        logs = f"log={escaped(run.folder / 'logs')}/${{name%.record.json}}.jsonl "
        program = folder / "train"
        program.write_text(SCRIPT.format(shell=drawn.machine.shell.get(side, ""), log=logs if drawn.program.ranks == 1 else "",
                                         settings=" ".join(settings), fault=fault,
                                         program=self.options.build / "bin" / drawn.program.name))
        program.chmod(0o755)
        case = {"name": drawn.program.case, "suite": "language", "program": str(program), "device": "cuda",
                "gpus": drawn.program.ranks, "timeout_s": 45, "data_root": str(data_folder())}
        (folder / "stepgate-manifest.json").write_text(json.dumps({
            "schema": {"name": "stepgate.manifest", "major": 1, "minor": 2}, "build_type": "Release",
            "policy_root": str(SOURCE / "perftests"), "baseline_root": str(run.folder / "baselines"), "cases": [case]}))

    def measure(self, run):
        machine = run.drawn.machine
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("STEPGATE_", "CUDA_", "LD_", "PYTORCH_", "SLURM_")) and name != "CI"}
        environment = {**kept, **machine.environment, "NO_COLOR": "1", "TMPDIR": str(run.folder / "tmp"),
                       MARK: str(run.folder)}
        words = [self.options.build / "bin/stepgate", "ab", run.drawn.program.case, "--base-build", run.folder / "base_build", "--head-build",
                 run.folder / "head_build", "--tier", "exact", "--exact-replicates", 1, "--device",
                 f"emulated:{machine.model}:{machine.gpus}", "--steps", run.drawn.steps, "--seed", run.drawn.training_seed,
                 "--out", run.folder / "out", "--no-explain", *machine.words]
        run.commands.append(command(run, words, environment))
