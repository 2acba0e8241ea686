"""ci/build_seconds runs the compiler as it is, and adds up what it used."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
PROGRAM = SOURCE / "ci" / "build_seconds"
LOG = """\
4.00 0.50 9.00 300 harness/json/CMakeFiles/stepgate_json.dir/a.cpp.o
30.00 5.00 40.00 1900 perftests/CMakeFiles/stepgate_workloads.dir/cmake_pch.hxx.gch
2.00 0.25 3.00 200 harness/json/CMakeFiles/stepgate_json.dir/b c.cpp.o
0.50 0.25 1.00 90 bin/stepgate
9.00 9.00 9.00 99 CMakeFiles/cmTC_1a2b.dir/try.cpp.o
"""


class BuildSeconds(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.log = self.folder / "log"

    def run_program(self, *words, expect=0):
        done = subprocess.run([sys.executable, PROGRAM, *map(str, words)], capture_output=True, text=True)
        self.assertEqual(done.returncode, expect, done.stderr)
        return done

    def launch(self, *command, **more):
        return self.run_program("--log", self.log, "--", *command, **more)

    def test_a_step_is_run_and_logged(self):
        done = self.launch(sys.executable, "-c", "import sys; print(sys.argv[1:])", "-O1", "-o", "x/y.dir/z 1.o")
        self.assertEqual(done.stdout.strip(), "['-O1', '-o', 'x/y.dir/z 1.o']")
        user, system, wall, memory, output = self.log.read_text().rstrip("\n").split(maxsplit=4)
        self.assertEqual(output, "x/y.dir/z 1.o")
        self.assertGreater(float(user) + float(system), 0)
        self.assertGreater(int(memory), 0)

    def test_the_status_of_the_compiler_is_kept(self):
        self.launch("sh", "-c", "exit 3", expect=3)
        self.launch("sh", "-c", "kill -TERM $$", expect=128 + 15)

    def test_the_table_adds_up_targets(self):
        self.log.write_text(LOG)
        rows = [line.split() for line in self.run_program("--table", self.log).stdout.splitlines()]
        self.assertEqual(rows[1], ["stepgate_workloads", "1", "30.0", "5.0", "35.0", "1900", "0", "0"])
        self.assertEqual(rows[2], ["stepgate_json", "2", "6.0", "0.8", "4.5", "300", "0", "0"])
        self.assertEqual(rows[3], ["stepgate", "1", "0.5", "0.2", "0.8", "90", "0", "0"])
        self.assertEqual(rows[4], ["all", "4", "36.5", "6.0", "35.0", "1900", "0", "0"])

    def test_files_of_a_unity_build_are_counted_one_by_one(self):
        for name in ("a.cpp", "b.cpp"):
            (self.folder / name).write_text("int a;\nint b;\n")
        build = self.folder / "build"
        unity = build / "x/CMakeFiles/x.dir/Unity/unity_0_cxx.cxx"
        unity.parent.mkdir(parents=True)
        (build / "generated.cpp").write_text("int c;\n")
        names = (self.folder / "a.cpp", self.folder / "b.cpp", build / "generated.cpp")
        unity.write_text("/* generated */\n" + "".join(f'#include "{name}"\n' for name in names))
        log = build / "seconds.log"
        log.write_text("1.00 0.00 1.00 9 x/CMakeFiles/x.dir/Unity/unity_0_cxx.cxx.o\n"
                       "1.00 0.00 1.00 9 harness/cli/CMakeFiles/y.dir/main.cpp.o\n")
        rows = {row[0]: row for row in (line.split() for line in self.run_program("--table", log).stdout.splitlines()[:4])}
        self.assertEqual(rows["x"][-2:], ["2", "4"])
        main = len((SOURCE / "harness/cli/main.cpp").read_text().splitlines())
        self.assertEqual(rows["y"][-2:], ["1", str(main)])
        self.assertEqual(rows["all"][-2:], ["3", str(4 + main)])

    def test_a_folder_with_other_files_is_left_alone(self):
        (self.folder / "mine").write_text("kept")
        self.assertIn("--folder", self.run_program("--folder", self.folder, expect=1).stderr)
        self.assertEqual((self.folder / "mine").read_text(), "kept")


if __name__ == "__main__":
    unittest.main()
