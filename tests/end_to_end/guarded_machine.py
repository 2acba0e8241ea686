"""A simulated machine: its knobs are files of the test, bound over /sys and /proc in a private mount namespace.

The files only keep what is written. tests/environment/stub_host.h models the refusals and side effects of the
kernel's files. Here the real programs run on real files, and real signals end them.
"""

import ctypes
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

MARK = "GUARD_TEST_PID"  # in the environment of everything that a test starts
BUILD = pathlib.Path(os.environ["STEPGATE_TEST_BUILD"])
STEPGATE = BUILD / "bin" / "stepgate"
CASE = "toys/quick/script"
CPU = max(os.sched_getaffinity(0))
TOO_POOR = 77  # needs root or user namespaces; without them the test is skipped with a message

RUN_LOCK = pathlib.Path("/tmp/stepgate-run.lock")  # harness/environment/guard/run_lock.h

CLONE_NEWNS = 0x00020000
CLONE_NEWUSER = 0x10000000
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
libc = ctypes.CDLL(None, use_errno=True)
bound = []

# Replaces a Google Benchmark program, because the measurement itself is not under test here.
SCRIPT = """#!/bin/sh
for word in "$@"; do case "$word" in --benchmark_out=*) out=${word#*=};; esac; done
sleep %s
cat > "$out" <<'JSON'
{"context": {"executable": "quick", "library_build_type": "release"},
 "benchmarks": [{"name": "quick", "run_type": "iteration", "iterations": 100, "real_time": 5.0, "cpu_time": 5.0,
                 "time_unit": "ms", "threads": 1, "repetition_index": 0}]}
JSON
"""


def enter_namespace():
    """False if this user may not create one."""
    flags = CLONE_NEWNS if os.geteuid() == 0 else CLONE_NEWNS | CLONE_NEWUSER
    if libc.unshare(flags) != 0:
        return False
    return libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None) == 0


def take_own_lock(folder):
    """The machine is simulated, so its runs neither wait for those of other tests nor keep them waiting."""
    own = folder / "run.lock"
    own.touch()
    RUN_LOCK.touch(exist_ok=True)
    if libc.mount(str(own).encode(), str(RUN_LOCK).encode(), None, MS_BIND, None) != 0:
        raise OSError(ctypes.get_errno(), f"no lock of its own in place of {RUN_LOCK}")


def bind(source, target):
    if libc.mount(str(source).encode(), str(target).encode(), None, MS_BIND, None) != 0:
        raise OSError(ctypes.get_errno(), f"cannot bind {source} over {target}")
    bound.append(str(target).encode())


def unbind_all():
    """Makes the real files visible again."""
    detach = 2
    while bound:
        libc.umount2(bound.pop(), detach)


class Machine:
    """Two policies of cpufreq with Intel's turbo switch, interrupts, a daemon that balances interrupts, kernel switches."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="stepgate-guard-"))
        self.cpus = self.folder / "cpu"
        self.state = self.folder / "state"
        self.out = self.folder / "out"
        self.program = STEPGATE
        self.daemon = None
        self.make_cpus()
        self.make_interrupts()
        self.make_switches()
        self.write_manifest()
        self.original = self.tree()

    def make_cpus(self):
        shutil.copytree("/sys/devices/system/cpu", self.cpus, symlinks=True, ignore_dangling_symlinks=True,
                        copy_function=copy_readable)
        for cpu in sorted(os.sched_getaffinity(0)):
            policy = self.cpus / "cpufreq" / f"policy{cpu}"
            policy.mkdir(parents=True, exist_ok=True)
            for name, text in {"affected_cpus": cpu, "related_cpus": cpu, "scaling_governor": "powersave",
                               "scaling_available_governors": "performance powersave",
                               "energy_performance_preference": "balance_performance",
                               "energy_performance_available_preferences": "performance balance_performance power",
                               "scaling_min_freq": 800000, "scaling_max_freq": 3500000, "cpuinfo_min_freq": 800000,
                               "cpuinfo_max_freq": 3500000, "base_frequency": 2800000, "scaling_driver": "intel_pstate",
                               "scaling_cur_freq": 2800000}.items():
                (policy / name).write_text(f"{text}\n")
        pstate = self.cpus / "intel_pstate"
        pstate.mkdir(exist_ok=True)
        (pstate / "no_turbo").write_text("0\n")
        (pstate / "status").write_text("active\n")
        bind(self.cpus, "/sys/devices/system/cpu")

    def make_interrupts(self):
        everywhere = f"{min(os.sched_getaffinity(0))}-{CPU}" if len(os.sched_getaffinity(0)) > 1 else f"{CPU}"
        self.irq = self.folder / "irq"
        for number in (24, 25):
            (self.irq / str(number)).mkdir(parents=True)
            (self.irq / str(number) / "smp_affinity_list").write_text(f"{everywhere}\n")
        (self.irq / "default_smp_affinity").write_text("3\n")
        bind(self.irq, "/proc/irq")

    def make_switches(self):
        self.switches = self.folder / "kernel"
        self.switches.mkdir()
        for name in ("numa_balancing", "nmi_watchdog"):
            target = pathlib.Path("/proc/sys/kernel") / name
            if target.exists():
                (self.switches / name).write_text("1\n")
                bind(self.switches / name, target)

    def start_daemon(self):
        """A process with the name that the guard looks for."""
        program = self.folder / "irqbalance"
        if not program.exists():
            shutil.copy("/bin/sleep", program)
        self.daemon = subprocess.Popen([program, "1000"])
        while self.daemon_state() is None:
            time.sleep(0.001)

    def daemon_state(self):
        try:
            stat = pathlib.Path(f"/proc/{self.daemon.pid}/stat").read_text()
        except (OSError, AttributeError):
            return None
        if not stat.split("(")[1].startswith("irqbalance"):
            return None
        return stat.rpartition(")")[2].split()[0]

    def write_manifest(self, seconds=0.05):
        program = self.folder / "quick"
        program.write_text(SCRIPT % seconds)
        program.chmod(0o755)
        (self.folder / "policies").mkdir(exist_ok=True)
        (self.folder / "stepgate-manifest.json").write_text(json.dumps({
            "schema": {"name": "stepgate.manifest", "major": 1, "minor": 0}, "build_type": "Release",
            "policy_root": str(self.folder / "policies"), "baseline_root": str(self.folder / "baselines"),
            "cases": [{"name": CASE, "suite": "toys", "program": str(program), "device": "cpu", "timeout_s": 20,
                       "benchmark": "quick"}]}))

    def tree(self):
        """The file of every knob, and the daemon's state."""
        files = {}
        for root in (self.cpus / "cpufreq", self.cpus / "intel_pstate", self.irq, self.switches):
            for file in sorted(root.rglob("*")):
                if file.is_file():
                    files[str(file.relative_to(self.folder))] = file.read_text().strip()
        return files

    def command(self, mode="host", replicates=1):
        return [str(self.program), "run", CASE, "--tier", "timed", "--replicates", str(replicates), "--guard", mode,
                "--state-dir", str(self.state), "--build", str(self.folder), "--out", str(self.out), "--quiet",
                "--wait-lock", "30"]

    def start(self, *, prefix=(), mode="host", replicates=1):
        return subprocess.Popen([*prefix, *self.command(mode, replicates)], stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, errors="replace", env=quiet_environment())

    def recover(self, *, prefix=()):
        return subprocess.run([*prefix, str(self.program), "recover", "--state-dir", str(self.state)], capture_output=True,
                              text=True, timeout=60, env=quiet_environment())

    def journal(self):
        return self.state / "guard.journal"

    def close(self):
        if self.daemon is not None:
            self.daemon.kill()
            self.daemon.wait()
        unbind_all()
        shutil.rmtree(self.folder, ignore_errors=True)


def copy_readable(source, target):
    """Ignores files of /sys that may not be read; no test needs them."""
    try:
        pathlib.Path(target).write_bytes(pathlib.Path(source).read_bytes())
    except OSError:
        pathlib.Path(target).write_bytes(b"")
    return target


def quiet_environment():
    variables = {key: value for key, value in os.environ.items() if not key.startswith("STEPGATE_") and key != "CI"}
    return {**variables, "NO_COLOR": "1", MARK: str(os.getpid())}


def processes_named(name):
    """Living processes of this test: a dead one keeps its name until it is reaped, and other tests have watchdogs too."""
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                stat = (folder / "stat").read_text()
                if f"({name})" in stat and stat.rpartition(")")[2].split()[0] != "Z" and is_of_this_test(folder):
                    found.append(int(folder.name))
            except OSError:
                pass
    return found


def is_of_this_test(folder):
    return f"{MARK}={os.getpid()}".encode() in (folder / "environ").read_bytes().split(b"\0")


def wait_until(true, seconds=60):
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.002)
    return True


def kill(pid, number=signal.SIGKILL):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass
