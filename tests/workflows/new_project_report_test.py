"""The workflow that `stepgate init` writes reports what the suite judged, and what each emulated GPU did. Its step is run here, with a
script in place of the launcher."""

import os
import pathlib
import re
import subprocess
import tempfile
import textwrap
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
WORKFLOW = SOURCE / "templates" / "project" / "both" / ".github" / "workflows" / "perf.yml"
# Fails for the class in $RED, and says how it was called.
LAUNCHER = '#!/bin/sh\necho "$*" >>calls\nfor word; do [ "$word" != "$RED" ] || exit 1; done\n'


def step():
    found = re.search(r"^      - name: annotations and summary\n.*?^        env:\n          STEPGATE: \S+ # IMAGE\n"
                      r"        run: \|\n((?: {10}.*\n)+)", WORKFLOW.read_text(), re.M | re.S)
    if not found:
        raise AssertionError("the workflow has no step that reports with $STEPGATE")
    return textwrap.dedent(found.group(1))


class NewProjectReport(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="stepgate-report-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "launcher").write_text(LAUNCHER)
        (self.folder / "launcher").chmod(0o755)

    def run_step(self, *folders, red=""):
        """The exit status, and each call of the launcher."""
        for name in folders:
            (self.folder / "build" / name).mkdir(parents=True)
        variables = {**os.environ, "STEPGATE": str(self.folder / "launcher"), "RED": red}
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step()], cwd=self.folder, env=variables)
        return done.returncode, (self.folder / "calls").read_text().splitlines()

    def test_the_suite_alone(self):
        self.assertEqual(self.run_step("stepgate-out"), (0, ["report --github"]))

    def test_each_emulated_gpu_too(self):
        status, calls = self.run_step("stepgate-out", "stepgate-out-emulated-h100", "stepgate-out-emulated-t4-values")
        self.assertEqual(calls, ["report --github", "report --github --runner-class emulated-h100",
                                 "report --github --runner-class emulated-t4-values"])
        self.assertEqual(status, 0)

    def test_a_red_of_one_is_red_and_the_others_are_reported_all_the_same(self):
        for red in ("emulated-h100", "emulated-t4", "--github"):
            with self.subTest(red):
                self.setUp()
                status, calls = self.run_step("stepgate-out-emulated-h100", "stepgate-out-emulated-t4", red=red)
                self.assertEqual((status, len(calls)), (1, 3))


if __name__ == "__main__":
    unittest.main()
