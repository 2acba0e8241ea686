"""Runs a case of the perftest program on the emulated GPU, as the launcher starts it."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

BUILD = pathlib.Path(os.environ["STEPGATE_TEST_BUILD"])
FOLDER = BUILD / "emulated_gpu"
PROGRAM = BUILD / "bin" / "perftests"
SKIPPED = 77


def skip_without_emulation():
    if (FOLDER / "complete").exists():
        return
    print(f"no {FOLDER}: cmake --build {BUILD} --target emulated_gpu")
    sys.exit(SKIPPED)


def run_case(case, group, *arguments, machine="h100"):
    """The process that ended, and its record; None where it wrote none."""
    with tempfile.TemporaryDirectory(prefix="stepgate-emulated-") as folder:
        record = pathlib.Path(folder) / "record.json"
        command = [str(PROGRAM), f"--stepgate_case={case}", f"--stepgate_group={group}", f"--stepgate_record={record}",
                   f"--stepgate_data={os.environ['STEPGATE_TEST_DATA_DIR']}", "--stepgate_emulated",
                   *(argument.replace("FOLDER", folder) for argument in arguments)]
        environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": folder, "TMPDIR": folder,
                       "STEPGATE_EMULATED_GPU": machine, "LD_AUDIT": str(FOLDER / "libstepgate_emulated_loader.so")}
        done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=300)
        return done, json.loads(record.read_text()) if record.exists() else None


def record_of(case, group, *arguments, machine="h100"):
    done, record = run_case(case, group, *arguments, machine=machine)
    if done.returncode != 0 or record is None:
        raise AssertionError(f"{case} ended with status {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return record
