"""The common part of the guard's tests: a simulated machine, and the checks of its state afterwards."""

import collections
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from guarded_machine import (TOO_POOR, Machine, enter_namespace, kill, processes_named, quiet_environment, take_own_lock,
                             wait_until)

WATCHDOG = "stepgate-guard"
# System calls that change the machine, the journal or the other process. A kill at a read would test nothing new.
CALLS = "write,pwrite64,fsync,unlink,unlinkat,mkdir,rmdir,kill,sendto"


def strace(*words):
    return ["strace", "-qq", "-o", "/dev/null", *words]


def killed_at(step):
    """strace counts each kind of call separately: the n-th write is another step than the n-th fsync."""
    call, number = step
    return strace("-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={number}")


class GuardTest(unittest.TestCase):
    def setUp(self):
        self.machine = Machine()
        self.addCleanup(self.machine.close)

    def assert_restored(self, when):
        self.assertEqual(self.machine.tree(), self.machine.original, when)
        if self.machine.daemon is not None:
            # R: it was woken just now and has not slept again.
            self.assertIn(self.machine.daemon_state(), ("S", "R"), f"{when}: the daemon must go on")

    def wait_for_watchdog(self):
        self.assertTrue(wait_until(lambda: not processes_named(WATCHDOG)), "the watchdog must end")

    def assert_second_recovery_is_none(self, when):
        again = self.machine.recover()
        self.assertEqual(again.returncode, 0, again.stdout + again.stderr)
        self.assertIn("nothing to restore", again.stdout, when)
        self.assert_restored(f"{when}, after another recovery")

    def steps_of(self, words):
        """All of CALLS that a whole run makes in its main thread, as (call, n) for the n-th use of the call."""
        log = self.machine.folder / "calls"
        done = subprocess.run(["strace", "-qq", "-e", f"trace={CALLS}", "-o", log, *words], capture_output=True, text=True,
                              env=quiet_environment())
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        counts = collections.Counter(line.partition("(")[0] for line in log.read_text().splitlines() if "(" in line)
        return [(call, number) for call in CALLS.split(",") for number in range(1, counts[call] + 1)]


def leave_tuned(test):
    test.machine.write_manifest(seconds=5)
    run = test.machine.start()
    test.assertTrue(wait_until(lambda: test.machine.tree()["cpu/intel_pstate/no_turbo"] == "1"))
    time.sleep(0.05)  # time to write the remaining knobs
    for pid in processes_named(WATCHDOG):
        kill(pid)
    kill(run.pid)
    run.communicate(timeout=60)




def main():
    if shutil.which("strace") is None or shutil.which("setpriv") is None:
        print("SKIPPED: strace or setpriv is missing: apt-get install strace util-linux")
        return TOO_POOR
    if not enter_namespace():
        print("SKIPPED: a simulated machine needs root or user namespaces")
        return TOO_POOR
    with tempfile.TemporaryDirectory(prefix="stepgate-guard-lock-", ignore_cleanup_errors=True) as folder:
        take_own_lock(pathlib.Path(folder))
        unittest.main(module="__main__", verbosity=2)
    return 0


def run_here():
    sys.exit(main())
