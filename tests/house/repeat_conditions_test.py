"""What ci/emulated_gpu repeats a run under: which conditions there are, what they set, and that no process stays."""

import os
import pathlib
import sys
import tempfile
import time
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
sys.path.insert(0, str(SOURCE / "tests/emulator/cases"))

from emulated_runs import Refused  # noqa: E402
from repeat_conditions import EVERY, Checkout, Condition, condition_of, conditions_of, copied, load  # noqa: E402

CPUS = sorted(os.sched_getaffinity(0))


class Conditions(unittest.TestCase):
    def refused(self, text):
        with self.assertRaises(Refused) as caught:
            conditions_of(text)
        return str(caught.exception)

    def test_parts_are_joined(self):
        self.assertEqual(condition_of("busy+one-core+other-path"), Condition("busy+one-core+other-path", True, 1, True))
        self.assertEqual(condition_of("idle"), Condition("idle"))

    def test_one_core_is_one_of_those_that_may_be_used(self):
        self.assertEqual(condition_of("one-core").cpus(), CPUS[:1])
        self.assertIsNone(condition_of("busy").cpus())

    @unittest.skipIf(len(CPUS) < 2, "needs two CPUs")
    def test_all_is_each_combination(self):
        every = conditions_of("all")
        self.assertEqual(len({(one.busy, one.cores, one.elsewhere) for one in every}), 8)
        self.assertEqual([one.name for one in every], list(EVERY))

    def test_what_cannot_be_is_refused(self):
        self.assertIn("no condition 'hot'", self.refused("idle,hot"))
        self.assertIn("no condition ''", self.refused(""))
        self.assertIn("names the same thing twice", self.refused("busy+idle"))
        self.assertIn("names the same thing twice", self.refused("one-core+two-cores"))
        self.assertIn("names a condition twice", self.refused("idle,idle"))

    def test_more_cores_than_there_are_is_refused(self):
        os.sched_setaffinity(0, CPUS[:1])
        self.addCleanup(os.sched_setaffinity, 0, CPUS)
        self.assertIn("two-cores needs 2 CPUs, and this process may use 1", self.refused("two-cores"))


class Load(unittest.TestCase):
    def test_each_cpu_has_a_process_that_ends_with_the_block(self):
        with load(condition_of("busy")) as burners:
            self.assertEqual(len(burners), len(CPUS))
            self.assertTrue(all(burner.poll() is None for burner in burners))
        self.assertTrue(all(burner.poll() is not None for burner in burners))

    def test_they_end_where_the_block_fails(self):
        with self.assertRaises(ValueError):
            with load(condition_of("busy")) as burners:
                raise ValueError
        self.assertTrue(all(burner.poll() is not None for burner in burners))

    def test_one_that_ended_early_is_refused(self):
        with self.assertRaisesRegex(Refused, "the machine was not busy"):
            with load(condition_of("busy")) as burners:
                burners[0].kill()
                burners[0].wait()

    def test_an_idle_condition_starts_none(self):
        with load(condition_of("one-core")) as burners:
            self.assertEqual(burners, [])

    def test_they_end_with_a_parent_that_is_killed(self):
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            with load(condition_of("busy")) as burners:
                os.write(write, " ".join(str(burner.pid) for burner in burners).encode())
                os.kill(os.getpid(), 9)
        os.close(write)  # the burners close theirs when they start
        os.waitpid(child, 0)
        left = [int(word) for word in os.read(read, 4096).split()]
        self.assertEqual(len(left), len(CPUS))
        self.assertTrue(all(self.ends(process) for process in left))

    @staticmethod
    def ends(process, seconds=20):
        """Whether it is gone, or waits for its parent, in time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                state = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
            except (FileNotFoundError, ProcessLookupError):
                return True
            if state == "Z":
                return True
            time.sleep(0.05)
        return False


class Copied(unittest.TestCase):
    def test_program_emulation_and_data_are_elsewhere_at_a_longer_path(self):
        with tempfile.TemporaryDirectory() as name:
            here = Checkout(pathlib.Path(name) / "build", pathlib.Path(name) / "data")
            for path in (here.build / "bin/perftests", here.build / "emulated_gpu/complete", here.data / "file"):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("x")
            (here.build / "bin/perftests").chmod(0o755)
            (here.build / "emulated_gpu").chmod(0o700)
            there = copied(here, pathlib.Path(name))
            self.assertGreater(len(str(there.build)), len(str(here.build)))
            self.assertTrue(os.access(there.build / "bin/perftests", os.X_OK))
            self.assertEqual((there.build / "emulated_gpu").stat().st_mode & 0o777, 0o700)
            self.assertEqual((there.data / "file").read_text(), "x")
            self.assertEqual(copied(here, pathlib.Path(name)), there)


if __name__ == "__main__":
    unittest.main()
