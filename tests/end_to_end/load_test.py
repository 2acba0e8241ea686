"""A suite of 2 000 cases: check and report stay within seconds."""

import json
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"]) / "tests/attack"))
from workplace import CASE, Workplace  # noqa: E402

CASES = 2000
CHECK_SECONDS = 10
REPORT_SECONDS = 5


class Load(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="stepgate-load-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.place = Workplace(cls.folder.name)
        cls.place.lay_out()
        for step, status in ((cls.place.gate, 5), (cls.place.accept, 0), (cls.place.gate, 0)):
            outcome = step()
            if outcome.status != status:
                raise RuntimeError(outcome.text)
        cls.multiply()

    @classmethod
    def multiply(cls):
        """The one case under 2 000 names, each with its manifest entry, baseline and measurement."""
        baseline = cls.place.baseline.read_text()
        measurement = (cls.place.out / CASE / "exact/measurement.json").read_text()
        manifest_file = cls.place.folder / "build/stepgate-manifest.json"
        manifest = json.loads(manifest_file.read_text())
        one = next(entry for entry in manifest["cases"] if entry["name"] == CASE)
        names = [f"toys/word_model/n{number:04}" for number in range(CASES)]
        manifest["cases"] = [{**one, "name": name} for name in names]
        manifest_file.write_text(json.dumps(manifest))
        for name in names:
            cls.place.write(f"baselines/portable/{name}.json", baseline.replace(CASE, name))
            cls.place.write(f"out/{name}/exact/measurement.json", measurement.replace(CASE, name))

    def test_check_and_report_take_seconds(self):
        checked = self.place.run("check", "--build", "build", limit_s=120)
        self.assertEqual(checked.status, 0, checked.text[-2000:])
        metrics = json.loads((self.place.out / "toys/word_model/n0000/exact/verdict.json").read_text())["outcomes"][0]["metrics"]
        reported = self.place.run("report", "--build", "build", limit_s=120)
        self.assertEqual(reported.status, 0, reported.text[-2000:])
        size = (self.place.out / "verdict.json").stat().st_size
        again = self.place.run("report", "--build", "build", limit_s=120)
        print(f"{CASES} cases x {len(metrics)} metrics: check {checked.seconds:.1f} s, report {reported.seconds:.1f} s and "
              f"{again.seconds:.1f} s beside a verdict.json of {size / 1e6:.0f} MB; {checked.peak_kib // 1024} and "
              f"{again.peak_kib // 1024} MiB")
        self.assertLess(checked.seconds, CHECK_SECONDS)
        self.assertLess(max(reported.seconds, again.seconds), REPORT_SECONDS)


if __name__ == "__main__":
    unittest.main()
