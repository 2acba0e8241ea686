"""`stepgate sweep` on a real case: table, files, failures as rows, refusals, and the results after an interruption."""

import json
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree

from gate_runner import BUILD, CASE, STEPGATE, Workplace

STEPS = ["--steps", "e2e=20,window=5,phase=5,synthetic=10,loader=10,h2d=3,logging=20"]


class Sweep(unittest.TestCase):
    def setUp(self):
        self.place = Workplace(program=BUILD / "bin" / "perftests")
        self.addCleanup(self.place.close)
        self.folder = self.place.out / "sweep" / CASE

    def sweep(self, *words, **options):
        return self.place.run("sweep", CASE, *words, *STEPS, **options)

    def document(self):
        return json.loads((self.folder / "sweep.json").read_text())

    def test_ranks_settings_over_interleaved_rounds(self):
        done = self.sweep("--vary", "batch_size=2,16", "--vary", "heads=2,4", "--replicates", "2", expect=0)
        self.assertIn("batch_size", done.stdout)
        self.assertIn("best", done.stdout)
        document = self.document()
        self.assertEqual(len(document["settings"]), 4)
        self.assertEqual([sorted(order) for order in document["orders"]], [[0, 1, 2, 3]] * 2)
        self.assertEqual(document["ranks"][0]["standing"], "best")
        self.assertEqual(document["cpus"]["asked"], 1, "neither is a thread or a worker")
        records = json.loads((self.folder / "runs/r000-s003/timed-00-0.record.json").read_text())
        self.assertEqual(records["params"]["batch_size"], "16")
        self.assertEqual(records["params"]["heads"], "4")
        xml.etree.ElementTree.parse(self.folder / "sweep.svg")
        self.assertIn("sweep.svg", done.stderr)

    def test_a_setting_that_fails_is_a_row(self):
        done = self.sweep("--vary", "batch_size=2,-3", "--replicates", "2", expect=0)
        self.assertIn("failed", done.stdout)
        failed = self.document()["settings"][1]
        self.assertEqual(failed["by_round"], [])
        self.assertIn("batch_size", failed["output_tail"])
        self.assertFalse((self.folder / "runs/r001-s001").exists(), "not started again")

    def test_a_parameter_that_is_not_declared_is_refused_before_anything_runs(self):
        done = self.sweep("--vary", "batch_sise=2,4", "--replicates", "1", expect=2)
        self.assertIn(f"--vary batch_sise: {CASE} does not declare it", done.stderr)
        self.assertIn("did you mean 'batch_size'?", done.stderr)
        self.assertFalse((self.folder / "runs").exists())

    def test_exit_status_3_if_nothing_was_measured(self):
        done = self.sweep("--vary", "batch_size=-2,-3", "--replicates", "1", expect=3)
        self.assertIn("not ranked", done.stdout)
        self.assertEqual({rank["standing"] for rank in self.document()["ranks"]}, {"not-ranked"})

    def test_misuse(self):
        for words, part in ((["--vary", "batch_size"], "NAME=VALUE"), ([], "--vary"),
                            (["--vary", "threads=1,2", "--threads", "2"], "contradict"),
                            (["--vary", "batch_size=2,4", "--metric", "samples_per"], "samples_per_s")):
            done = self.sweep(*words, expect=2)
            self.assertIn(part, done.stderr)

    def test_json_goes_to_stdout(self):
        done = self.sweep("--vary", "batch_size=2,4", "--replicates", "1", "--json", expect=0)
        self.assertEqual(json.loads(done.stdout), self.document())

    def test_an_interruption_keeps_the_results(self):
        words = [str(STEPGATE), "sweep", CASE, "--vary", "batch_size=2,4", "--replicates", "50", *STEPS, "--build",
                 str(self.place.folder), "--out", str(self.place.out)]
        running = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 300
        while len(list(self.folder.glob("runs/*/*.record.json"))) < 3 and time.monotonic() < deadline:
            time.sleep(0.2)
        running.send_signal(signal.SIGINT)
        output, errors = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 130, errors)
        document = self.document()
        self.assertTrue(document["interrupted"])
        self.assertGreaterEqual(sum(len(setting["by_round"]) for setting in document["settings"]), 1)
        self.assertIn("stopped by a signal", output)


if __name__ == "__main__":
    unittest.main()
