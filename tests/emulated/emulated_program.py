"""Runs the built programs on the emulated GPU, as the launcher starts them."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

BUILD = pathlib.Path(os.environ["STEPGATE_TEST_BUILD"])
FOLDER = BUILD / "emulated_gpu"
PROGRAM = BUILD / "bin" / "perftests"
DEVICE_CHECK = BUILD / "bin" / "stepgate_device_check"
SKIPPED = 77


def skip_without_emulation():
    if (FOLDER / "libstepgate_emulated_loader.so").exists():
        return
    print(f"no {FOLDER}: cmake --build {BUILD} --target emulated_gpu")
    sys.exit(SKIPPED)


# The pins that the launcher gives each process of group exact.
PINS = {"OMP_NUM_THREADS": "1", "ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2",
        "CUBLAS_WORKSPACE_CONFIG": ":4096:8"}


def environment_of(folder, machine, emulated=True):
    """Home and temporary files in `folder`; the loader asks the emulation for each library of CUDA."""
    own = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": folder, "TMPDIR": folder, **PINS}
    if not emulated:
        return own
    return {**own, "STEPGATE_EMULATED_GPU": machine, "LD_AUDIT": str(FOLDER / "libstepgate_emulated_loader.so")}


def run_case(case, group, *arguments, machine="h100", emulated=True):
    """The process that ended, and its record; None where it wrote none."""
    with tempfile.TemporaryDirectory(prefix="stepgate-emulated-") as folder:
        record = pathlib.Path(folder) / "record.json"
        command = [str(PROGRAM), f"--stepgate_case={case}", f"--stepgate_group={group}", f"--stepgate_record={record}",
                   f"--stepgate_data={os.environ['STEPGATE_TEST_DATA_DIR']}", *(["--stepgate_emulated"] if emulated else []),
                   *(argument.replace("FOLDER", folder) for argument in arguments)]
        environment = environment_of(folder, machine, emulated)
        done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=300)
        return done, json.loads(record.read_text()) if record.exists() else None


def record_of(case, group, *arguments, machine="h100", emulated=True):
    done, record = run_case(case, group, *arguments, machine=machine, emulated=emulated)
    if done.returncode != 0 or record is None:
        raise AssertionError(f"{case} ended with status {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return record


def figures_of(check, machine="h100 sizes=held"):
    """What one check of the self-test of a GPU measures."""
    with tempfile.TemporaryDirectory(prefix="stepgate-emulated-") as folder:
        out = pathlib.Path(folder) / "figures.json"
        done = subprocess.run([str(DEVICE_CHECK), "--check", check, "--out", str(out)], env=environment_of(folder, machine),
                              cwd=folder, capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            raise AssertionError(f"{check} ended with status {done.returncode}: {done.stdout}{done.stderr}")
        return json.loads(out.read_text())
