"""The memory ledger of real cases adds up to their peak; budgets; the output of `report --ledger` and `--timeline`."""

import json
import pathlib
import subprocess
import tempfile
import unittest

from gate_runner import BUILD, CASE, STEPGATE, Workplace, causes, metric

KINDS = {"parameters", "gradients", "optimizer_state", "inputs", "activations", "temporaries", "workspace", "setup"}


def record_of(out, case):
    measurement = json.loads((out / case / "exact" / "measurement.json").read_text())
    return measurement["replicates"][0]["record"]


def memory_of(out, case):
    return record_of(out, case)["memory"]


class EveryTinyCase(unittest.TestCase):
    """The cases of the build, as the suite runs them."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="stepgate-ledger-")
        cls.out = pathlib.Path(cls.folder.name)
        manifest = json.loads((BUILD / "stepgate-manifest.json").read_text())
        # Of a step compiled ahead of time nobody knows which tensors are state of the optimizer.
        cls.cases = [entry["name"] for entry in manifest["cases"]
                     if entry["name"].endswith("/tiny") and "compiled" not in entry["name"]]
        subprocess.run([str(STEPGATE), "run", *cls.cases, "--tier", "exact", "--exact-replicates", "1", "--quiet",
                        "--build", str(BUILD), "--out", str(cls.out)], check=True, capture_output=True, timeout=600)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_the_kinds_add_up_to_the_peak_of_the_allocator(self):
        self.assertIn(CASE, self.cases)
        for case in self.cases:
            with self.subTest(case=case):
                memory = memory_of(self.out, case)
                ledger = memory["ledger"]
                total = sum(ledger["bytes"].values())
                print(f"{case}: {total} of {ledger['peak_bytes']} bytes, {ledger['bytes']}")
                self.assertEqual(ledger["peak_bytes"], memory["peak_allocated_bytes"])
                self.assertLessEqual(abs(total - ledger["peak_bytes"]), ledger["peak_bytes"] / 100)
                self.assertLessEqual(set(ledger["bytes"]), KINDS)
                trains = "inference" not in record_of(self.out, case)
                for kind in ("parameters", "optimizer_state", "activations") if trains else ("parameters",):
                    self.assertGreater(ledger["bytes"][kind], 0)

    def test_the_timeline_reaches_the_peak(self):
        for case in self.cases:
            with self.subTest(case=case):
                memory = memory_of(self.out, case)
                live = highest = memory["timeline"]["base_bytes"]
                for change in memory["timeline"]["bytes"]:
                    live += change
                    highest = max(highest, live)
                self.assertEqual(highest, sum(memory["ledger"]["bytes"].values()))
                self.assertLessEqual(len(memory["timeline"]["bytes"]), 5000)

    def report(self, *words):
        return subprocess.run([str(STEPGATE), "report", *words, "--build", str(BUILD), "--out", str(self.out)],
                              capture_output=True, text=True, timeout=60)

    def test_the_ledger_as_a_table(self):
        done = self.report("--ledger", CASE)
        self.assertEqual(done.returncode, 0, done.stderr)
        peak = memory_of(self.out, CASE)["peak_allocated_bytes"]
        self.assertIn("activations", done.stdout)
        self.assertIn(f"{peak:,}".replace(",", " ") + " B by the allocator's own count", done.stdout)

    def test_the_timeline_as_a_trace(self):
        trace = self.out / "trace.json"
        done = self.report("--timeline", str(trace), CASE)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("perfetto", done.stderr)
        events = json.loads(trace.read_text())["traceEvents"]
        counters = [event for event in events if event["ph"] == "C" and event["name"] == "live memory"]
        timeline = memory_of(self.out, CASE)["timeline"]
        self.assertEqual(len(counters), len(timeline["bytes"]) + 1)
        self.assertEqual([event["ts"] for event in counters], list(range(len(counters))))
        self.assertNotIn("other", counters[0]["args"])
        for event in counters:
            self.assertEqual(set(event["args"]), set(counters[0]["args"]))
            self.assertGreaterEqual(min(event["args"].values()), 0)
        peak = max(sum(event["args"].values()) for event in counters)
        self.assertEqual(peak, memory_of(self.out, CASE)["peak_allocated_bytes"])
        slices = [event["name"] for event in events if event["ph"] == "X"]
        self.assertEqual([name for name in slices if name in ("forward", "backward", "optimizer")],
                         ["forward", "backward", "optimizer"])

    def test_report_names_what_it_cannot_show(self):
        done = self.report("--ledger", "language/char_lm/tinny")
        self.assertEqual((done.returncode, "did you mean" in done.stderr), (2, True), done.stderr)
        with tempfile.TemporaryDirectory() as empty:
            done = subprocess.run([str(STEPGATE), "report", "--ledger", "--build", str(BUILD), "--out", empty],
                                  capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no measurement below", done.stderr)
        if len(self.cases) > 1:
            done = self.report("--timeline", "-")
            self.assertEqual(done.returncode, 2)
            self.assertIn("name one of them", done.stderr)


class Budgets(unittest.TestCase):
    def setUp(self):
        self.place = Workplace()
        self.addCleanup(self.place.close)

    def set_budgets(self, budgets):
        path = next(self.place.policies.rglob("policy.json"))
        policy = json.loads(path.read_text())
        policy["budgets"] = budgets
        path.write_text(json.dumps(policy))
        return path

    def test_over_budget_is_red_without_a_baseline(self):
        self.set_budgets({"peak_allocated_bytes": 1000})
        done = self.place.gate("exact", words=["--exact-replicates", "1"], expect=1)
        outcome = self.place.verdict("exact")
        self.assertEqual(metric(outcome, "peak_allocated_bytes")["reason"], "over-budget")
        self.assertIn("at the peak, in", causes(outcome))
        self.assertIn("budgets.peak_allocated_bytes", done.stdout)

    def test_invalid_budgets(self):
        for budgets, part in (({"peak_alocated_bytes": 1}, 'did you mean "peak_allocated_bytes"?'),
                              ({"peak_allocated_bytes": 0}, "budgets.peak_allocated_bytes: expected a number above 0"),
                              ({"samples_per_s": 5}, '"samples_per_s" is better when it grows')):
            path = self.set_budgets(budgets)
            done = self.place.gate("exact", words=["--exact-replicates", "1"], expect=2)
            self.assertIn(str(path), done.stderr)
            self.assertIn(part, done.stderr)


if __name__ == "__main__":
    unittest.main()
