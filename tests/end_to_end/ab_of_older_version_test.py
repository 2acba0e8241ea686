"""An A/B run that an older version started, and that Ctrl-C stopped after two of four pairs, begins anew.

It does not say on which machine and under which policy it ran, and it is of another day: its pairs must not be joined with new ones.
"""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
STEPGATE = pathlib.Path(os.environ["STEPGATE_TEST_BUILD"]) / "bin" / "stepgate"
CASE = "language/char_lm/tiny"


class OlderVersion(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="stepgate-e2e-")) / "run"
        self.addCleanup(shutil.rmtree, self.folder.parent, ignore_errors=True)
        shutil.copytree(SOURCE / "tests/end_to_end/interrupted_ab", self.folder)
        for build in (self.folder, self.folder / "base"):
            (build / "bin/train").chmod(0o755)
            manifest = {"schema": {"name": "stepgate.manifest", "major": 1, "minor": 0}, "build_type": "Release",
                        "policy_root": str(self.folder / "policies"), "baseline_root": str(self.folder / "baselines"),
                        "cases": [{"name": CASE, "suite": "language", "program": str(build / "bin/train"),
                                   "device": "cpu", "timeout_s": 120}]}
            (build / "stepgate-manifest.json").write_text(json.dumps(manifest))
        self.ab = self.folder / "out" / CASE / "ab"

    def go_on(self):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("STEPGATE_") and k != "CI"}
        return subprocess.run(
            [str(STEPGATE), "ab", CASE, "--build", str(self.folder), "--base-build", str(self.folder / "base"),
             "--out", str(self.folder / "out"), "--tier", "timed", "--pairs", "4", "--order-seed", "5", "--interleave",
             "processes", "--steps", "e2e=40,window=10,phase=10,loader=20,h2d=2,logging=40,synthetic=20"],
            env=environment, capture_output=True, text=True, timeout=300, cwd=self.folder, stdin=subprocess.DEVNULL)

    def test_all_its_pairs_are_measured_anew(self):
        finished = sorted(self.ab.glob("pairs/00[01]/*/measurement.json"))
        before = {file: file.read_bytes() for file in finished}
        self.assertEqual(len(before), 4)
        done = self.go_on()
        self.assertIn(done.returncode, (0, 4), done.stderr + done.stdout)
        self.assertIn("begins anew", done.stderr)
        for pair in ("000", "001", "002", "003"):
            for side in ("base", "head"):
                file = self.ab / "pairs" / pair / side / "measurement.json"
                self.assertNotEqual(file.read_bytes(), before.get(file), file)
        plan = json.loads((self.ab / "ab.json").read_text())
        self.assertTrue(plan["complete"])
        self.assertNotEqual(plan["utc"], "2026-11-22T07:28:27Z")
        self.assertTrue(plan["machine"] and plan["policy_digest"])


if __name__ == "__main__":
    unittest.main()
