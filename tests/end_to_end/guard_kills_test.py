"""Kills launcher, watchdog or both at every step of the journal: after recovery the machine always equals the original.

strace kills the real programs at their n-th system call, for every n. The programs contain no code for the test.
"""

import subprocess
import time

from guard_case import WATCHDOG, GuardTest, killed_at, leave_tuned, run_here
from guarded_machine import kill, processes_named, wait_until


# The system calls of restoring before the journal is removed. After that, a kill at the last fsync loses nothing.
RESTORING = ("write", "kill", "unlink")


class KillMatrix(GuardTest):
    """Launcher, watchdog or both are killed at every step of the journal."""

    def setUp(self):
        super().setUp()
        self.machine.start_daemon()
        self.steps = self.steps_of(self.machine.command())
        self.assertGreater(len(self.steps), 30, "strace must have traced the run")

    def test_launcher_killed_at_every_step(self):
        for number in self.steps:
            run = self.machine.start(prefix=killed_at(number))
            run.communicate(timeout=60)
            self.wait_for_watchdog()
            self.assert_restored(f"launcher killed at step {number}")
            self.machine.recover()  # the journal was written, but no watchdog knew of it yet
            self.assert_second_recovery_is_none(f"launcher killed at step {number}")

    def test_watchdog_killed_at_every_step(self):
        """If the watchdog dies before the launcher, the launcher restores. If it dies while it restores, recovery continues."""
        run = self.machine.start()
        self.assertTrue(wait_until(lambda: processes_named(WATCHDOG)))
        for pid in processes_named(WATCHDOG):
            kill(pid)
        run.communicate(timeout=60)
        self.assert_restored("watchdog killed at the start")
        self.machine.write_manifest(seconds=5)
        for call in RESTORING:
            number = 1
            while not self.restored_by_watchdog((call, number)):
                number += 1
            self.assertGreater(number, 1, f"the watchdog must have been killed at a {call}")

    def restored_by_watchdog(self, step):
        """True if the process reached its end."""
        run = self.machine.start()
        self.assertTrue(wait_until(lambda: self.machine.tree()["cpu/intel_pstate/no_turbo"] == "1"))
        self.assertTrue(wait_until(lambda: processes_named(WATCHDOG)))
        words = [word for word in killed_at(step) if word != "-qq"]
        tracer = subprocess.Popen([*words, "-p", str(processes_named(WATCHDOG)[0])], stderr=subprocess.PIPE, text=True)
        self.assertIn("attached", tracer.stderr.readline())
        kill(run.pid)
        run.communicate(timeout=60)
        tracer.communicate(timeout=60)  # also closes its end of the pipe
        self.wait_for_watchdog()
        whole = not self.machine.journal().exists()
        self.assertEqual(self.machine.recover().returncode, 0)
        self.assert_second_recovery_is_none(f"watchdog killed at {step} of its restoring")
        return whole

    def test_both_killed_at_every_step(self):
        for number in self.steps:
            run = self.machine.start(prefix=killed_at(number))
            while run.poll() is None:
                for pid in processes_named(WATCHDOG):
                    kill(pid)
                time.sleep(0.0005)
            run.communicate(timeout=60)
            self.wait_for_watchdog()
            done = self.machine.recover()
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assert_restored(f"both killed at step {number}")
            self.assert_second_recovery_is_none(f"both killed at step {number}")

    def test_recovery_killed_at_every_step(self):
        for call in RESTORING:
            number = 1
            while True:
                self.leave_behind()
                dead = self.machine.recover(prefix=killed_at((call, number)))
                if dead.returncode == 0:
                    break
                self.assertEqual(self.machine.recover().returncode, 0)
                self.assert_second_recovery_is_none(f"recovery killed at {call} {number}")
                number += 1
            self.assert_restored("recovery that was not killed")
            self.assertGreater(number, 1, f"it must have been killed at a {call}")

    def leave_behind(self):
        """Leaves a tuned machine whose launcher and watchdog are dead."""
        leave_tuned(self)


if __name__ == "__main__":
    run_here()
