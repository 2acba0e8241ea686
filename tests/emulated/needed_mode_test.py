"""stepgate finds which planted programs follow numbers of their GPU, and is never green for them in counts mode."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from emulated_program import BUILD, FOLDER, skip_without_emulation

STEPGATE = BUILD / "bin" / "stepgate"
PLANTED = BUILD / "bin" / "depends_on_values"
# Case -> what stepgate must say of it. The counterpart prints its loss and branches on nothing.
FOLLOWS = {"planted/branch/tiny": "aten::_local_scalar_dense at tests/emulated/depends_on_values.cpp:",
           "planted/early_stop/tiny": "aten::_local_scalar_dense at tests/emulated/depends_on_values.cpp:",
           "planted/scaler/tiny": "aten::_local_scalar_dense",
           "planted/norm_loop/tiny": "aten::_local_scalar_dense at tests/emulated/depends_on_values.cpp:",
           "planted/sized/tiny": "aten::nonzero"}
PRINTS = "planted/printed/tiny"
COUNTS_ARE_ENOUGH, NEEDS_VALUES, NO_BASELINE = 0, 4, 5


class NeededMode(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="stepgate-modes-")
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        (self.folder / "policies").mkdir()
        (self.folder / "baselines").mkdir()
        (self.folder / "emulated_gpu").symlink_to(FOLDER)
        cases = [{"name": name, "suite": "planted", "program": str(PLANTED), "device": "cuda", "timeout_s": 120, "cpus": 1, "gpus": 1}
                 for name in (*FOLLOWS, PRINTS)]
        manifest = {"schema": {"name": "stepgate.manifest", "major": 1, "minor": 2}, "build_type": "Release",
                    "policy_root": "policies", "baseline_root": "baselines", "cases": cases}
        (self.folder / "stepgate-manifest.json").write_text(json.dumps(manifest))

    def run_stepgate(self, *words):
        environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": str(self.folder), "TMPDIR": str(self.folder)}
        return subprocess.run([str(STEPGATE), *words, "--build", str(self.folder)], env=environment, cwd=self.folder,
                              capture_output=True, text=True, timeout=500)

    def test_doctor_names_what_each_follows(self):
        done = self.run_stepgate("doctor", *FOLLOWS, PRINTS, "--device", "emulated:h100", "--json")
        self.assertEqual(done.returncode, NEEDS_VALUES, done.stderr[-3000:])
        answers = {each["case"]: each for each in json.loads(done.stdout)["cases"]}
        print(json.dumps(answers, indent=1))
        for case, text in FOLLOWS.items():
            with self.subTest(case=case):
                self.assertEqual(answers[case]["mode"], "values", answers[case])
                self.assertIn(text, answers[case]["reason"])
        self.assertEqual(answers[PRINTS], {"case": PRINTS, "mode": "counts", "reason": ""})

    def test_doctor_has_a_line_for_a_person(self):
        done = self.run_stepgate("doctor", PRINTS, "--device", "emulated:h100")
        self.assertEqual(done.returncode, COUNTS_ARE_ENOUGH, done.stderr[-3000:])
        self.assertIn(f"{PRINTS}: counts are enough", done.stdout)

    def test_a_gate_is_not_green(self):
        done = self.run_stepgate("gate", "planted/branch/tiny", "--device", "emulated:h100", "--quiet")
        self.assertEqual(done.returncode, NEEDS_VALUES, done.stdout[-3000:] + done.stderr[-3000:])
        self.assertIn('"needs-values"', next(self.folder.glob("**/verdict.json")).read_text())
        self.assertFalse(list(self.folder.glob("**/pending/**/*.json")), "counts of one way of several are no baseline")
        counted = self.run_stepgate("gate", PRINTS, "--device", "emulated:h100", "--quiet")
        self.assertEqual(counted.returncode, NO_BASELINE, counted.stdout[-3000:] + counted.stderr[-3000:])

    def test_values_have_a_class_and_a_key_of_their_own(self):
        if not (FOLDER / "libstepgate_emulated_values.so").exists():
            self.skipTest("the target emulated_gpu_values is not built")
        done = self.run_stepgate("gate", "planted/branch/tiny", "--device", "emulated:h100:values", "--quiet")
        self.assertEqual(done.returncode, NO_BASELINE, done.stdout[-3000:] + done.stderr[-3000:])
        pending = [file for file in self.folder.glob("**/pending/**/*.json") if "emulated-h100-values" in str(file)]
        self.assertEqual(len(pending), 1, "its baselines lie below the class of the mode")
        self.assertIn("emulated H100, model 1, values", pending[0].read_text())


if __name__ == "__main__":
    skip_without_emulation()
    unittest.main(verbosity=2)
