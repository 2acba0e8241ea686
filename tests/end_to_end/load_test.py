"""A suite of 2 000 cases of 50 metrics each: check and report stay within seconds."""

import json
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"]) / "tests/attack"))
from workplace import CASE, Workplace  # noqa: E402

CASES = 2000
METRICS = 50
HALVES = ("exact", "timed")
CHECK_SECONDS = 10
REPORT_SECONDS = 5


class Load(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="stepgate-load-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.place = Workplace(cls.folder.name)
        cls.place.lay_out()
        cls.count_more()
        for half in HALVES:
            cls.run_step(cls.place.gate, half, statuses=(5,))
        cls.run_step(cls.place.accept, statuses=(0,))
        for half in HALVES:
            cls.run_step(cls.place.gate, half, statuses=(0, 4))  # three processes that agree are not enough for times
        cls.multiply()

    @classmethod
    def run_step(cls, step, *words, statuses):
        outcome = step(*words)
        if outcome.status not in statuses:
            raise RuntimeError(outcome.text)

    @classmethod
    def count_more(cls):
        """As many metrics in the exact half as in the timed one."""
        record = cls.place.record("exact")
        for name in ("d2h_copies_per_step", "kernels_per_step", "pageable_copies_per_step"):
            record["counts"]["per_step"][name] = [3, 3]
            del record["absent"][name]
        record["memory"]["peak_reserved_bytes"] = 1 << 20
        del record["absent"]["peak_reserved_bytes"]
        cls.place.write("build/records/exact.json", record)

    @classmethod
    def multiply(cls):
        """The one case under 2 000 names, each with its manifest entry, baselines and measurements."""
        folder = cls.place.folder
        files = [file for root in ("baselines", "out") for file in (folder / root).rglob("*.json")
                 if root == "baselines" or file.name == "measurement.json"]
        texts = {str(file.relative_to(folder)): file.read_text() for file in files}
        manifest_file = cls.place.folder / "build/stepgate-manifest.json"
        manifest = json.loads(manifest_file.read_text())
        one = next(entry for entry in manifest["cases"] if entry["name"] == CASE)
        names = [f"toys/word_model/n{number:04}" for number in range(CASES)]
        manifest["cases"] = [{**one, "name": name} for name in names]
        manifest_file.write_text(json.dumps(manifest))
        for name in names:
            for file, text in texts.items():
                cls.place.write(file.replace(CASE, name), text.replace(CASE, name))

    def test_check_and_report_take_seconds(self):
        checked = self.place.run("check", "--build", "build", limit_s=120)
        self.assertIn(checked.status, (0, 4), checked.text[-2000:])
        verdicts = [json.loads((self.place.out / f"toys/word_model/n0000/{half}/verdict.json").read_text()) for half in HALVES]
        metrics = [metric for verdict in verdicts for metric in verdict["outcomes"][0]["metrics"]]
        self.assertGreaterEqual(len(metrics), METRICS)
        reported = self.place.run("report", "--build", "build", limit_s=120)
        self.assertIn(reported.status, (0, 4), reported.text[-2000:])
        size = (self.place.out / "verdict.json").stat().st_size
        again = self.place.run("report", "--build", "build", limit_s=120)
        print(f"{CASES} cases x {len(metrics)} metrics: check {checked.seconds:.1f} s, report {reported.seconds:.1f} s and "
              f"{again.seconds:.1f} s beside a verdict.json of {size / 1e6:.0f} MB; {checked.peak_kib // 1024} and "
              f"{again.peak_kib // 1024} MiB")
        self.assertLess(checked.seconds, CHECK_SECONDS)
        self.assertLess(max(reported.seconds, again.seconds), REPORT_SECONDS)


if __name__ == "__main__":
    unittest.main()
