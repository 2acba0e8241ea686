"""ci/check_headers on a small build with one probe."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])


class CheckHeaders(unittest.TestCase):
    def run_check(self, headers):
        """Of a build whose probe includes these headers in their order."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        build = pathlib.Path(folder.name)
        for name, text in headers.items():
            (build / name).write_text(text)
        probe = build / "stepgate_judge_headers.cpp"
        probe.write_text("".join(f'#include "{name}"\n' for name in headers) * 2)
        command = f"c++ -I{build} -std=c++20 -Werror -o probe.o -c {probe}"
        (build / "compile_commands.json").write_text(json.dumps(
            [{"directory": str(build), "command": command, "file": str(probe)},
             {"directory": str(build), "command": "c++ -c other.cpp -o other.o", "file": "other.cpp"}]))
        return subprocess.run([sys.executable, SOURCE / "ci" / "check_headers", "--build", build], capture_output=True,
                              text=True)

    def test_a_header_that_lives_on_another_ones_includes_is_named(self):
        done = self.run_check({"a.h": "#pragma once\nstruct Reply {};\n", "b.h": "#pragma once\nReply reply();\n"})
        self.assertEqual(done.returncode, 1)
        self.assertIn("b.h does not compile alone: ", done.stderr)
        self.assertIn("Reply", done.stderr)
        self.assertNotIn("a.h does", done.stderr)
        self.assertIn("1 of 2 headers compile alone", done.stdout)

    def test_headers_that_include_what_they_name_pass(self):
        done = self.run_check({"a.h": "#pragma once\nstruct Reply {};\n",
                               "b.h": '#pragma once\n#include "a.h"\nReply reply();\n'})
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_build_without_probes_is_no_success(self):
        with tempfile.TemporaryDirectory() as build:
            (pathlib.Path(build) / "compile_commands.json").write_text("[]")
            done = subprocess.run([sys.executable, SOURCE / "ci" / "check_headers", "--build", build], capture_output=True,
                                  text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("STEPGATE_BUILD_TESTS=ON", done.stderr)


if __name__ == "__main__":
    unittest.main()
