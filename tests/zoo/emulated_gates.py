"""The gate of one GPU case on an emulated GPU, and the machine's own log of it."""
import json
import os
import shutil
import subprocess

from fault_rows import Refused
from gates import Gate, run_stepgate, write_project
from machine_log import MachineLog, hazards_in

MODEL = "h100"
RUNNER_CLASS = f"emulated-{MODEL}"
LOADER = "emulated_gpu/libstepgate_emulated_loader.so"
LONGEST_S = 600  # of one process; the slowest case took 12 s


class EmulatedGate(Gate):
    def __init__(self, folder, build_folder, case):
        super().__init__(folder, build_folder, case)
        self.build_folder, self.mended = build_folder, folder / case / "mended"
        self.base_log = MachineLog()
        row = json.loads((self.head / "stepgate-manifest.json").read_text())["cases"][0]
        self.gpus = row.get("gpus", 1)
        self.data = row.get("data_root", "")
        for project in (self.head, self.base):
            self.link(project)

    def link(self, project):
        """The launcher looks for the emulated GPU in the build folder that it is given."""
        (project / "emulated_gpu").symlink_to(self.build_folder / "emulated_gpu")

    def gate(self, project, expect, hazards=False):
        device = f"emulated:{MODEL}" if self.gpus == 1 else f"emulated:{MODEL}:{self.gpus}"
        words = ["gate", self.case, "--tier", "exact", "--device", device, "--build", str(project)]
        printed = run_stepgate(self.stepgate, words + ["--hazards"] * hazards, project, expect)
        outcomes = json.loads((project / "out" / self.case / "exact/verdict.json").read_text())["outcomes"]
        if not outcomes:
            raise Refused(f"no verdict: {printed}")
        return outcomes[0]

    def measure(self, *expect, hazards=False):
        self.take_program(self.head)
        return self.gate(self.head, expect, hazards)

    def accept(self, project, reason):
        words = ["baseline", "accept", self.case, "--runner-class", RUNNER_CLASS, "--reason", reason, "--local",
                 "--build", str(project)]
        run_stepgate(self.stepgate, words, project, expect=(0,))

    def accept_as_base(self):
        self.take_program(self.base)
        self.measure(0, 5)
        self.accept(self.head, "the unpatched build")
        self.base_log = self.log_of("base")

    def measure_reverted(self, hazards):
        """The unpatched program again: the line of the fault is gone."""
        shutil.copy2(self.base / "bin/perftests", self.head / "bin/perftests")
        return self.gate(self.head, (0, 1, 4), hazards)

    def measure_mended(self):
        """The unpatched program against values of the faulty one, which was measured last: what its mend changes."""
        shutil.rmtree(self.mended, ignore_errors=True)
        write_project(self.mended, self.build_folder, self.case)
        self.link(self.mended)
        shutil.copytree(self.head / "out", self.mended / "out")
        self.accept(self.mended, "the faulty build")
        shutil.copy2(self.base / "bin/perftests", self.mended / "bin/perftests")
        return self.gate(self.mended, (0, 1, 4))

    def log_of(self, name):
        """Of what was built last: one process writes its log, another one looks for hazards. Ranks would write one file,
        so they have none."""
        if self.gpus != 1:
            return MachineLog()
        folder = self.head.parent / "logs" / name
        shutil.rmtree(folder, ignore_errors=True)
        log, hazards = self.run_with(folder / "log", "log"), self.run_with(folder / "hazards", "hazards")
        return MachineLog([json.loads(line) for line in log.read_text().splitlines()], hazards_in(hazards))

    def run_with(self, folder, setting):
        """The file that the machine writes."""
        (folder / "work").mkdir(parents=True)
        file = folder / f"{setting}.jsonl"
        words = [str(self.built), f"--stepgate_case={self.case}", "--stepgate_group=exact", "--stepgate_emulated",
                 f"--stepgate_record={folder / 'record.json'}", f"--stepgate_data={self.data}"]
        machine = f"{MODEL} {setting}={str(file).replace('%', '%25').replace(' ', '%20')}"
        done = subprocess.run(words, cwd=folder / "work", capture_output=True, text=True, timeout=LONGEST_S,
                              env={**os.environ, "LD_AUDIT": str(self.build_folder / LOADER),
                                   "STEPGATE_EMULATED_GPU": machine})
        if done.returncode or not file.is_file():
            raise Refused(f"{self.case} with a {setting} ends with {done.returncode}: {done.stderr[-300:]}")
        return file
