"""A run that waits for another one, or for a program: it says at once for whom, also without a terminal, and a signal
ends it at once."""

import fcntl
import itertools
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"]) / "tests" / "attack"))
import private_root  # noqa: E402
from workplace import CASE, STEPGATE, Workplace  # noqa: E402

PATIENCE_S = 60  # far more than a busy machine needs, and a tenth of the wait that a run would have
ON_THIS_MACHINE = ("--build", "build", "--quiet")
RUN_LOCK = os.fsdecode(private_root.RUN_LOCK)  # of a machine of its own: main()
SKIPPED = 77
NUMBERS = itertools.count()
COMMANDS = {
    "gate": ("gate", CASE, "--tier", "exact"),
    "run": ("run", CASE),
    "ab": ("ab", CASE, "--base-build", "base"),
    "ab over nodes": ("ab", CASE, "--base-build", "base", "--nodes", "local:1"),
    "sweep": ("sweep", CASE, "--vary", "batch_size=8,16"),
    "sweep over nodes": ("sweep", CASE, "--vary", "batch_size=8,16", "--nodes", "local:1"),
    "profile": ("profile", CASE),
    "ablate": ("ablate", CASE),
}


def holder():
    """What the holder wrote: this process, which the tests fork."""
    return f"pid: {os.getpid()}\nsince: 2026-11-25T20:16:18Z\ncommand: stepgate gate (3 cases)\n"


def told():
    return f"waiting for another run on this machine: pid {os.getpid()}, since 2026-11-25T20:16:18Z, `stepgate gate (3 cases)`"


class Waiting(unittest.TestCase):
    def setUp(self):
        folder = ROOT / f"place-{next(NUMBERS)}"
        folder.mkdir()
        self.place = Workplace(folder)
        self.place.lay_out()
        self.lock = self.hold(RUN_LOCK, holder())

    def hold(self, name, text):
        """Another run, which holds the lock of that name."""
        file = (self.place.folder / name).open("w")
        self.addCleanup(file.close)
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(text)
        file.flush()
        return file

    def start(self, *words):
        variables = {"PATH": os.environ["PATH"], "HOME": str(self.place.folder), "TMPDIR": str(self.place.folder / "tmp"),
                     "STEPGATE_OUT": str(self.place.out), "STEPGATE_STATE_DIR": str(self.place.folder / "state")}
        self.stderr = self.place.folder / "tmp/stderr"
        with self.stderr.open("w") as stderr:
            running = subprocess.Popen([str(STEPGATE), *words], cwd=self.place.folder, env=variables,
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=stderr,
                                       start_new_session=True)
        self.addCleanup(running.wait)
        self.addCleanup(running.kill)
        return running

    def said(self):
        # Opened again: a position that is shared with the writer would move where it writes.
        return self.stderr.read_text()

    def says(self, running, text):
        deadline = time.monotonic() + PATIENCE_S
        while text not in self.said():
            self.assertIsNone(running.poll(), f"it has ended: {self.said()}")
            self.assertLess(time.monotonic(), deadline, f"not said: {text!r}, but {self.said()!r}")
            time.sleep(0.01)

    def ends(self, running, status):
        try:
            self.assertEqual(running.wait(PATIENCE_S), status, self.said())
        except subprocess.TimeoutExpired:
            self.fail(f"it waits on: {self.said()!r}")

    def test_each_command_says_for_whom_and_ends_on_a_signal(self):
        for name, words in COMMANDS.items():
            for number in (signal.SIGINT, signal.SIGTERM):
                with self.subTest(command=name, signal=number):
                    running = self.start(*words, *ON_THIS_MACHINE)
                    self.says(running, told())
                    running.send_signal(number)
                    self.ends(running, 128 + number)
                    self.assertIn(f"stopped by signal {int(number)}", self.said())

    def test_a_run_that_was_stopped_has_changed_no_file(self):
        before = self.files()
        for name, words in COMMANDS.items():
            with self.subTest(command=name):
                running = self.start(*words, *ON_THIS_MACHINE)
                self.says(running, told())
                running.send_signal(signal.SIGTERM)
                self.ends(running, 128 + signal.SIGTERM)
                self.assertEqual(self.files(), before)

    def files(self):
        """Every file with its content, without what this test itself writes."""
        return {str(file): file.read_bytes() for file in sorted(self.place.folder.rglob("*"))
                if file.is_file() and file.name != "stderr"}

    def test_it_goes_on_as_soon_as_the_other_run_ends(self):
        running = self.start(*COMMANDS["gate"], *ON_THIS_MACHINE)
        self.says(running, told())
        self.lock.close()
        self.ends(running, 5)
        self.assertTrue((self.place.out / CASE / "exact/verdict.json").exists())

    def test_nodes_of_this_machine_do_not_wait_for_the_command_that_started_them(self):
        self.lock.close()
        for name in ("ab over nodes", "sweep over nodes"):
            with self.subTest(command=name):
                halves = ("--tier", "exact") if name.startswith("ab") else ("--replicates", "3")
                running = self.start(*COMMANDS[name], *halves, *ON_THIS_MACHINE, "--wait-lock", "1")
                running.wait(PATIENCE_S)
                self.assertNotIn("another run", self.said())

    def test_without_patience_it_names_the_holder_and_waits_for_nobody(self):
        running = self.start(*COMMANDS["gate"], *ON_THIS_MACHINE, "--wait-lock", "0")
        self.ends(running, 3)
        self.assertIn(f"another run measures on this host: pid {os.getpid()}, since 2026-11-25T20:16:18Z", self.said())
        self.assertNotIn("waiting for", self.said())

    def test_a_program_that_does_not_list_its_cases_is_left_on_a_signal(self):
        self.lock.close()
        program = self.place.folder / "build/bin/train"
        program.write_text(program.read_text().replace("--list) cat", "--list) touch listing; sleep 300; cat"))
        running = self.start(*COMMANDS["sweep"], *ON_THIS_MACHINE)
        self.appears("listing")
        running.send_signal(signal.SIGTERM)
        self.ends(running, 128 + signal.SIGTERM)

    def test_a_check_of_the_device_ends_on_a_signal(self):
        self.place.write("check", "#!/bin/sh\ntouch checking; exec sleep 300\n").chmod(0o755)
        running = self.start("doctor", "--device", "--device-check", "./check")
        self.appears("checking")
        running.send_signal(signal.SIGTERM)
        self.ends(running, 128 + signal.SIGTERM)
        self.assertIn("stopped by signal 15 while check device ran", self.said())

    def appears(self, name):
        deadline = time.monotonic() + PATIENCE_S
        while not list(self.place.folder.rglob(name)):
            self.assertLess(time.monotonic(), deadline, self.said())
            time.sleep(0.01)

    def test_recover_waits_for_the_guard_of_another_run(self):
        self.place.write("state/guard.journal", "")
        self.hold("state/guard.lock", holder())
        running = self.start("recover")
        self.says(running, f"waiting for the guard of another run: pid {os.getpid()}")
        running.send_signal(signal.SIGINT)
        self.ends(running, 128 + signal.SIGINT)


def main():
    """Runs the tests where the lock of the machine is another one, so that no run outside waits for them."""
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        ROOT.rmdir()
        sys.exit(os.waitstatus_to_exitcode(status) & 0xff)
    if not private_root.enter(ROOT):
        print("SKIPPED: a private root needs root or user namespaces")
        sys.exit(SKIPPED)
    unittest.main()


if __name__ == "__main__":
    ROOT = pathlib.Path(tempfile.mkdtemp(prefix="stepgate-waiting-"))
    main()
