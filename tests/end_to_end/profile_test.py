"""`stepgate profile` on a real case: page, files, what it names; and its refusals."""

import gzip
import json
import re
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree

from gate_runner import BUILD, CASE, STEPGATE, Workplace
from two_builds import Builds

STEPS = ["--steps", "e2e=20,window=5,phase=5,synthetic=10,loader=10,h2d=3,logging=20"]


class Profile(unittest.TestCase):
    def setUp(self):
        self.place = Workplace(program=BUILD / "bin" / "perftests")
        self.addCleanup(self.place.close)
        self.folder = self.place.out / "profile" / CASE

    def profile(self, *words, **options):
        return self.place.run("profile", CASE, *words, *STEPS, **options)

    def document(self):
        return json.loads((self.folder / "profile.json").read_text())

    def test_answers_all_four_phases(self):
        done = self.profile("--replicates", "2", "--rows", "5", "--schedule", "active=2,repeat=2", expect=0)
        for part in ("1 baseline", "2 kind", "3 component", "4 operator", "checklist"):
            self.assertIn(part, done.stdout)
        self.assertRegex(done.stdout, r"aten::.* (char_lm|transformer)\.cpp:\d+", "times decide which lines come first")
        self.assertLessEqual(max(len(line) for line in done.stdout.splitlines()), 120)
        document = self.document()
        self.assertAlmostEqual(sum(part["ns"] for part in document["account"]), document["step"]["mean_ns"],
                               delta=0.01 * document["step"]["mean_ns"])
        self.assertGreater(document["flops"], 1e6)
        names = {row["site"]["name"] for row in document["operators"]}
        self.assertIn("aten::mm", names | {name.replace("addmm", "mm") for name in names})
        xml.etree.ElementTree.parse(self.folder / "roofline.svg")
        self.assertIn(";aten::", (self.folder / "stacks.folded").read_text())
        for name, steps in (("trace.json.gz", {"ProfilerStep#5", "ProfilerStep#6"}),
                            ("trace-2.json.gz", {"ProfilerStep#9", "ProfilerStep#10"})):
            trace = json.loads(gzip.decompress((self.folder / name).read_bytes()))
            found = {event["name"] for event in trace["traceEvents"] if event.get("name", "").startswith("ProfilerStep#")}
            self.assertEqual(found, steps)
        self.check_repeated_calls(document)
        self.assertEqual(sorted(document["files"]), sorted(p.name for p in self.folder.iterdir() if p.is_file()
                                                           and p.name != "cases.json"))

    def check_repeated_calls(self, document):
        """What ran twice is the same on a busy machine; what it cost is not."""
        [replicate, *_] = json.loads((self.folder / "repeats/measurement.json").read_text())["replicates"]
        found = replicate["record"]["profile"]
        calls = found["repeated_calls"]
        self.assertEqual({cost["name"] for cost in document["call_costs"]}, set(calls))
        self.assertGreater(max(calls.values()), 10, calls)
        ran = {place for place, number in calls.items() if number}
        self.assertEqual({block["variant"] for block in found["repeats"]}, {"unchanged", "passed"} | ran)

    def test_a_check_refuses_its_processes(self):
        self.profile("--prove", "off", "--replicates", "1", "--schedule", "none", "--json", "--param", "batch_size=4",
                     expect=0)
        self.assertEqual(self.document()["params"], {"batch_size": "4"})
        self.assertFalse((self.folder / "roofline.svg").exists(), "nobody measured the peaks")
        stored = self.folder / "profile" / "measurement.json"
        done = self.place.run("check", str(stored), expect=2)
        self.assertIn("profiled", done.stderr)

    def test_misuse(self):
        for words, part in ((["--schedule", "active=500"], "from 1 to 20"), (["--phase", "all"], "baseline"),
                            (["--sort", "name"], "self"), (["--checklist", "--json"], "--json")):
            self.assertIn(part, self.profile(*words, expect=2).stderr)
        self.assertFalse(self.folder.exists())

    def test_a_plain_benchmark_is_refused(self):
        self.place.manifest["cases"][0]["benchmark"] = "BM_add"
        self.place.write_manifest()
        self.assertIn("plain Google Benchmark program", self.profile(expect=2).stderr)

    def test_two_builds_are_compared_line_by_line(self):
        builds = Builds("stray_item")
        self.addCleanup(builds.close)
        done = builds.head.run("profile", CASE, "--base-build", str(builds.base), "--order-seed", "5", expect=0)
        self.assertIn(f"difference  {CASE}", done.stdout)
        self.assertRegex(done.stdout, r"new .* aten::item ")
        document = json.loads((builds.head.out / "profile" / CASE / "difference" / "difference.json").read_text())
        self.assertIn(("aten::item", "new"), {(row["operator"], row["work"]) for row in document["rows"]})
        words = ["profile", CASE, "--base-build", str(builds.base), "--phase", "kind"]
        self.assertIn("--phase", builds.head.run(*words, expect=2).stderr)

    def test_an_interruption_keeps_the_results(self):
        words = [str(STEPGATE), "profile", CASE, *STEPS, "--build", str(self.place.folder), "--out",
                 str(self.place.out)]
        running = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 300
        while not (self.folder / "baseline/measurement.json").exists() and time.monotonic() < deadline:
            time.sleep(0.1)
        running.send_signal(signal.SIGINT)
        output, errors = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 130, errors)
        self.assertTrue(self.document()["interrupted"])
        self.assertIn("1 baseline", output)
        self.assertIn("stopped by a signal", output)


class PublishedJob(unittest.TestCase):
    """Case study S0 (docs/case_studies.md): both factors are repeated to full size, multiplied and summed."""

    def test_the_products_that_are_written_out_are_one_finding_with_their_lines(self):
        case = "tabular/field_transformer/tiny"
        place = Workplace(program=BUILD / "bin" / "perftests", case=case)
        self.addCleanup(place.close)
        place.run("profile", case, "--param", "model=naive", "--prove", "off", "--replicates", "1", "--schedule", "none",
                  *STEPS, expect=0)
        page = json.loads((place.out / "profile" / case / "profile.json").read_text())
        found = [advice for advice in page["advice"] if advice["text"].startswith("expanded, multiplied and summed")]
        self.assertEqual(len(found), 1, page["advice"])
        self.assertEqual(len(re.findall(r"field_network\.cpp:\d+", found[0]["evidence"])), 2, found[0]["evidence"])
        self.assertGreater(found[0]["worth"], 0.3)
        self.assertFalse([advice for advice in page["advice"] if advice["text"].startswith("repeat() where")])


if __name__ == "__main__":
    unittest.main()
