"""A history of results: sessions are added, a change is found, acknowledged, drawn and exported. Sessions are generated."""

import csv
import datetime
import json
import os
import pathlib
import random
import shlex
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

STEPGATE = str(pathlib.Path(os.environ["STEPGATE_TEST_BUILD"]) / "bin" / "stepgate")
GOOGLE_BENCHMARK = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"]) / "tests/golden/google_benchmark/chain.json"
MEASUREMENT = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"]) / "tests/golden/old_results/measurement.json"
CASE = "language/char_lm/tiny"
SERIES = f"{CASE}:step_time_ns@h200"
SLOWER_FROM = 20
KEY = "00000000000000aa"


def session(number, step_time_ns):
    utc = datetime.datetime(2026, 10, 1, 3, 0, 0) + datetime.timedelta(days=number)
    return {"schema": {"name": "stepgate.history_session", "major": 1, "minor": 0}, "class": "h200",
            "utc": utc.strftime("%Y-%m-%dT%H:%M:%SZ"), "commit": f"{number:012x}", "commit_number": number,
            "run": f"{number:016x}", "keys": {KEY: {"device": "cuda", "driver": "580.1"}},
            "cases": {CASE: {"timed": {"key": KEY, "values": {"step_time_ns": [step_time_ns, 8, 0.01]}}}}}


class History(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="stepgate-history-")
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def stepgate(self, *words, status=0):
        return self.command("history", *words, status=status)

    def command(self, *words, status=0):
        done = subprocess.run([STEPGATE, *words], cwd=self.folder, capture_output=True, text=True, timeout=60,
                              env={k: v for k, v in os.environ.items() if not k.startswith("STEPGATE_")})
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def write_sessions(self, factor, sessions=40):
        draw = random.Random(4)
        for number in range(sessions):
            step_ns = 9.16e6 * (1 + draw.gauss(0, 0.005)) * (factor if number >= SLOWER_FROM else 1)
            document = session(number, step_ns)
            file = self.folder / f"history/h200/2026/{number:03}.json"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(document))

    def test_an_unchanged_series_is_quiet(self):
        self.write_sessions(1.0)
        self.assertRegex(self.stepgate("check"), "(?i)no .*change")
        self.assertNotIn("after", self.stepgate("show", CASE))

    def test_a_slower_step_alerts_until_somebody_acknowledges_it(self):
        self.write_sessions(1.05)
        text = self.stepgate("check", status=1)
        self.assertIn(SERIES, text)
        self.assertRegex(text, r"\+[45]\.\d %")
        self.assertIn(f"{SLOWER_FROM:012x}"[:7], text)
        self.assertIn("history ack", text)
        refused = self.stepgate("ack", SERIES, f"{3:012x}", "--reason", "wrong commit", status=2)
        self.assertIn("has no change for the worse at commit", refused)
        self.stepgate("ack", SERIES, f"{SLOWER_FROM:012x}", "--reason", "larger vocabulary")
        self.assertIn("acknowledged: larger vocabulary", " ".join(self.stepgate("show", CASE).split()))
        self.stepgate("check")

    def write(self, number, document):
        file = self.folder / f"history/h200/2026/{number:03}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(document))

    def test_steps_of_less_than_a_percent_ask_for_attention(self):
        draw = random.Random(11)
        for number in range(100):
            self.write(number, session(number, 9.16e6 * 1.008 ** (number // 25) * (1 + draw.gauss(0, 0.01))))
        self.assertIn(SERIES, self.stepgate("check", status=1))

    def test_a_renamed_case_keeps_its_history(self):
        self.write_sessions(1.05)
        for number in range(30, 40):
            document = session(number, 9.62e6)
            document["cases"] = {"language/char_lm/small": document["cases"].pop(CASE)}
            self.write(number, document)
        rename = {"from": CASE, "to": "language/char_lm/small", "commit": f"{30:012x}"}
        (self.folder / "history/renames.json").write_text(json.dumps(
            {"schema": {"name": "stepgate.history_renames", "major": 1, "minor": 0}, "renames": [rename]}))
        text = self.stepgate("show")
        self.assertIn("points     40", text)
        self.assertNotIn(CASE, text)

    def test_since_says_which_epochs_it_hides(self):
        self.write_sessions(1.05, sessions=60)
        for number in range(40, 60):
            text = json.dumps(session(number, 9.16e6)).replace(KEY, "00000000000000bb").replace("580.1", "590.2")
            self.write(number, json.loads(text))
        self.assertIn("new key", self.stepgate("show"))
        self.assertNotIn("hides", self.stepgate("show", "--since", "2026-10-05"))
        hidden = " ".join(self.stepgate("show", "--since", "2026-11-15").split())
        self.assertIn("--since 2026-11-15 hides 1 epoch of 1 series, 1 of them with an alert", hidden)

    def test_no_text_of_a_measurement_leads_out_of_the_folder_or_spoils_it(self):
        self.write_sessions(1.0, sessions=12)
        outside = self.folder / "outside"
        for key, value in (("utc", str(outside)), ("utc", "2026-13-45T99:99:99Z"), ("utc", "2026-11-22T07:03:33Z/../../x"),
                           ("runner_class", "../../outside"), ("commit", "../../outside"), ("case", "../../outside")):
            measured = {**json.loads(MEASUREMENT.read_text()), "commit": "4be1c0ffee12", key: value}
            (self.folder / "measurement.json").write_text(json.dumps(measured))
            done = subprocess.run([STEPGATE, "history", "add", "measurement.json", "--to", "history"], cwd=self.folder,
                                  capture_output=True, text=True, timeout=60)
            self.assertIn(done.returncode, (2, 3), f"{key}: {value}: {done.stdout}")
            self.assertEqual(list(self.folder.glob("outside*")), [])
            self.stepgate("show")

    def test_hostile_texts_are_inert(self):
        name = "a/\x1b[31m<script>alert(1)</script>\u202e" + "x" * 300
        for number in range(12):
            document = session(number, 9.16e6 if number < 6 else 10e6)
            document["commit"] = "\x1b]0;t\x07<b>" + f"{number:012x}"
            document["cases"] = {name: document["cases"].pop(CASE)}
            self.write(number, document)
        for words, status in ((["show"], 0), (["check"], 1)):
            text = self.stepgate(*words, status=status)
            for bad in "\x1b\x07\u202e":
                self.assertNotIn(bad, text)
        self.stepgate("plot", "--svg", "history.svg")
        svg = xml.etree.ElementTree.parse(self.folder / "history.svg")
        self.assertNotIn("script", {element.tag.split("}")[-1] for element in svg.iter()})

    def test_it_is_drawn_and_exported(self):
        self.write_sessions(1.05)
        self.stepgate("plot", CASE, "--svg", "history.svg")
        self.assertEqual(xml.etree.ElementTree.parse(self.folder / "history.svg").getroot().tag.split("}")[1], "svg")
        self.stepgate("export", CASE, "--csv", "history.csv")
        with open(self.folder / "history.csv", newline="") as file:
            rows = list(csv.reader(file))
        self.assertEqual(len(rows), 41)

    def test_results_are_added_once(self):
        added = self.stepgate("add", str(MEASUREMENT), "--to", "history")
        self.assertIn("added: history/", added)
        self.assertIn("already there: ", self.stepgate("add", str(MEASUREMENT), "--to", "history"))
        self.assertEqual(len(list(self.folder.rglob("*.json"))), 1)
        self.assertIn("points     1", self.stepgate("show"))

    def test_files_of_google_benchmark_are_imported(self):
        document = json.loads(GOOGLE_BENCHMARK.read_text())
        rows = [row for row in document["benchmarks"] if row["name"].startswith("BM_Chain")]
        for row in rows:
            row["name"] = row["name"].replace("BM_Chain/20000", "BM_Chain<'a', it>:2")
        times_ns = [row["real_time"] for row in rows]
        draw = random.Random(4)
        for day in range(1, 29):
            factor = (1 + draw.gauss(0, 0.003)) * (1.05 if day > 14 else 1)
            document["context"]["date"] = f"2026-11-{day:02}T07:57:14+00:00"
            for row, time_ns in zip(rows, times_ns):
                row["real_time"] = time_ns * factor
            (self.folder / "bench.json").write_text(json.dumps(document))
            self.stepgate("import", "bench.json", "--to", "history", "--commit", f"{day:012x}")
        text = self.stepgate("check", status=1)
        series = "plain_benchmark/BM_Chain<'a', it>:2/min_time:0.100/real_time:step_time_ns@local"
        self.assertIn(series, text)
        [accept] = [line for line in text.splitlines() if "history ack" in line]
        words = shlex.split(accept[accept.index("history ack"):])
        self.assertEqual(words[2], series)
        self.assertIn("says nothing", self.stepgate("ack", *words[2:], status=2), "the printed dots are no reason")
        self.stepgate("ack", *["a longer chain" if word == "..." else word for word in words[2:]])
        self.stepgate("check")
        shown = " ".join(self.stepgate("show").split())
        self.assertIn("imported from google-benchmark", shown)
        self.assertIn("6.94449e+08", self.stepgate("show", "--metric", "items_per_second"))
        self.assertNotIn("6.94449e+08", shown)

    def test_an_import_says_what_it_leaves_out_and_refuses(self):
        (self.folder / "bench.json").write_text(GOOGLE_BENCHMARK.read_text())
        said = " ".join(self.stepgate("import", "bench.json", "--to", "history", "--commit", "4be1c0f").split())
        self.assertIn("left out, because it ended with an error: plain_benchmark/BM_GivesUp", said)
        self.assertIn("built for debugging", said)
        self.assertIn("history import needs files", self.stepgate("import", status=2))
        self.assertIn("the files name no commit", self.stepgate("import", "bench.json", status=2))
        self.assertIn("absent.json", self.stepgate("import", "absent.json", "--commit", "4be1c0f", status=2))

    def test_files_of_other_tools_and_versions_are_imported_or_named(self):
        old = json.loads(GOOGLE_BENCHMARK.read_text())
        old["context"]["date"] = "2019-10-04 13:41:08"
        old["benchmarks"].append({"name": "BM_Chain_BigO", "run_name": "BM_Chain", "run_type": "aggregate", "aggregate_name": "BigO",
                                  "cpu_coefficient": 1.5, "real_coefficient": 1.5, "big_o": "N", "time_unit": "ns"})
        (self.folder / "old.json").write_text(json.dumps(old))
        said = " ".join(self.stepgate("import", "old.json", "--to", "history", "--commit", "4be1c0f").split())
        self.assertIn("names no zone, and is read as UTC", said)
        self.assertNotIn("only aggregates", said)
        states = [{"name": "Device=0", "is_skipped": False, "summaries": [
            {"tag": "nv/cold/time/gpu/mean", "data": [{"name": "value", "type": "float64", "value": "1.5e-05"}]}]}]
        (self.folder / "nvbench.json").write_text(json.dumps({"devices": [{"id": 0, "name": "H100"}], "benchmarks": [
            {"name": "copy", "states": states}]}))
        said = self.stepgate("import", "nvbench.json", "--to", "nvbench", "--commit", "4be1c0f")
        self.assertIn("names no time", said)
        self.assertIn("copy/Device=0", self.stepgate("show", "--history", "nvbench"))
        (self.folder / "hyperfine.json").write_text(json.dumps({"results": [{"command": "ls", "times": [0.1]}]}))
        self.assertIn("pyperf command", self.stepgate("import", "hyperfine.json", "--commit", "4be1c0f", status=2))

    def write_measurements(self):
        """Twelve sessions of one measurement, and head.json: the same with an operator more per step."""
        document = json.loads(MEASUREMENT.read_text())
        for day in range(1, 13):
            document.update(utc=f"2026-10-{day:02}T03:00:00Z", unix_s=1790823600 + 86400 * day, commit=f"{day:012x}")
            (self.folder / "base.json").write_text(json.dumps(document))
            self.stepgate("add", "base.json", "--to", "kept")
        per_step = document["replicates"][0]["record"]["counts"]["per_step"]
        per_step["operators_per_step"] = [count + 1 for count in per_step["operators_per_step"]]
        (self.folder / "head.json").write_text(json.dumps(document))

    def test_the_report_page_draws_it_beside_what_did_not_pass(self):
        self.write_measurements()
        compare = ["compare", "base.json", "head.json", "--html", "page.html"]
        self.command(*compare, status=1)
        self.assertNotIn("istory", (self.folder / "page.html").read_text())
        self.command(*compare, "--history", "kept", status=1)
        page = (self.folder / "page.html").read_text()
        self.assertIn("History of the operators", page)
        self.assertIn("12 points, 2026-10-01 to 2026-10-12: level 533; newest 533; this run 534.", page)

    def test_one_failing_export_does_not_take_the_others_along(self):
        self.write_measurements()
        text = self.command("compare", "base.json", "head.json", "--export", "pyperf=times.json", "--export", "csv=run.csv",
                            "--export", "openmetrics=run.txt", "--junit", "junit.xml", status=3)
        self.assertFalse((self.folder / "times.json").exists())
        self.assertTrue((self.folder / "run.csv").exists())
        self.assertTrue((self.folder / "run.txt").exists())
        self.assertTrue((self.folder / "junit.xml").exists())
        self.assertIn("exit status 3: a file that was asked for was not written. The verdicts alone: status 1.", text)

    def test_a_page_with_a_folder_that_is_no_history_is_refused_before_anything_else(self):
        self.write_measurements()
        compare = ["compare", "base.json", "head.json"]
        for folder, words in ((".", "base.json: schema.name"), ("nowhere", "there is no history folder 'nowhere'")):
            self.assertIn(words, self.command(*compare, "--html", "page.html", "--history", folder, status=2))
            self.assertFalse((self.folder / "page.html").exists())
        self.assertIn("add --html FILE", self.command(*compare, "--history", "kept", status=2))

    def test_misuse(self):
        self.assertIn("there is no history folder 'history'", self.stepgate("show", status=2))
        self.write_sessions(1.0, sessions=3)
        self.assertIn(f"did you mean '{CASE}'?", self.stepgate("show", "language/char_lm/tyny", status=2))
        self.assertIn("history add needs results", self.stepgate("add", status=2))
        for number in range(3):
            torn = self.folder / f"history/h200/2026/{number:03}.json"
            torn.write_text(torn.read_text()[:200])
        self.assertIn("000.json", self.stepgate("check", status=2), "nothing can be read")

    def test_an_unreadable_session_is_left_out_and_not_green_while_it_is_the_newest(self):
        self.write_sessions(1.0)
        torn = self.folder / "history/h200/2026/12/20261201T030000Z-abc-r.json"
        torn.parent.mkdir(parents=True)
        torn.write_text("{")
        text = " ".join(self.stepgate("check", status=4).split())
        self.assertIn("20261201T030000Z-abc-r.json", text)
        self.assertIn("the newest session cannot be read", text)
        self.assertIn("points     40", self.stepgate("show"))
        self.stepgate("check", "--allow-unjudged")
        torn.rename(torn.with_name("20261001T030000Z-abc-r.json"))
        self.assertIn("20261001T030000Z-abc-r.json", self.stepgate("check"))

    def test_a_ramp_is_red_until_somebody_accepts_it(self):
        draw = random.Random(5)
        for number in range(60):
            self.write(number, session(number, 9.16e6 * 1.01 ** number * (1 + draw.gauss(0, 0.005))))
        self.assertIn("drift", self.stepgate("check", status=1))
        for _ in range(5):
            done = subprocess.run([STEPGATE, "history", "check"], cwd=self.folder, capture_output=True, text=True, timeout=60)
            for line in done.stdout.splitlines():
                if "history ack" in line:
                    words = shlex.split(line[line.index("history ack"):])
                    subprocess.run([STEPGATE, *["a larger model" if word == "..." else word for word in words]],
                                   cwd=self.folder, capture_output=True, timeout=60)
        self.stepgate("check")

    def test_a_benchmark_that_is_gone_is_not_green_until_somebody_says_so(self):
        self.write_sessions(1.0)
        for number in range(25, 40):
            document = session(number, 1e6)
            document["cases"] = {"other/case": document["cases"].pop(CASE)}
            self.write(number, document)
        text = self.stepgate("check", status=4)
        self.assertIn("stale", text)
        [accept] = [line for line in text.splitlines() if "history ack" in line]
        words = shlex.split(accept[accept.index("history ack"):])
        self.stepgate(*["removed" if word == "..." else word for word in words[1:]])
        self.assertIn("acknowledged as gone", self.stepgate("show", CASE))
        self.stepgate("check")

    def test_a_class_that_is_measured_no_more_is_not_green_until_somebody_says_so(self):
        self.write_sessions(1.0)
        draw = random.Random(6)
        for number in range(25):
            document = {**session(number, 8e6 * (1 + draw.gauss(0, 0.005))), "class": "a100"}
            file = self.folder / f"history/a100/2026/{number:03}.json"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(document))
        text = self.stepgate("check", status=4)
        self.assertIn("the newest 15 commits", " ".join(text.split()))
        [accept] = [line for line in text.splitlines() if "history ack" in line]
        words = shlex.split(accept[accept.index("history ack"):])
        self.assertEqual(words[2:4], ["@a100", f"{24:012x}"])
        self.assertIn("the last commit of @a100 is", self.stepgate("ack", "@a100", f"{3:012x}", "--reason", "r", status=2))
        self.assertIn("@none is no class", self.stepgate("ack", "@none", f"{3:012x}", "--reason", "r", status=2))
        self.stepgate(*["moved to h200" if word == "..." else word for word in words[1:]])
        self.stepgate("check")

    def git(self, *words, folder="project"):
        return subprocess.run(["git", "-C", folder, "-c", "user.name=n", "-c", "user.email=e@x", *words], cwd=self.folder,
                              capture_output=True, text=True, check=True, timeout=60).stdout.strip()

    def test_a_session_stores_where_its_commit_stands_and_a_shallow_clone_says_that_it_cannot(self):
        subprocess.run(["git", "init", "--quiet", "project"], cwd=self.folder, check=True, timeout=60)
        for message in ("first", "second"):
            self.git("commit", "--quiet", "--allow-empty", "-m", message)
        commit = self.git("rev-parse", "HEAD")
        measured = {**json.loads(MEASUREMENT.read_text()), "commit": commit}
        subprocess.run(["git", "clone", "--quiet", "--depth", "1", f"file://{self.folder}/project", "shallow"],
                       cwd=self.folder, check=True, capture_output=True, timeout=60)
        stored = {}
        for folder in ("project", "shallow"):
            (self.folder / folder / "measurement.json").write_text(json.dumps(measured))
            done = subprocess.run([STEPGATE, "history", "add", "measurement.json", "--to", "kept", "--sequence", "9"],
                                  cwd=self.folder / folder, capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual("shallow clone" in done.stderr, folder == "shallow", done.stderr)
            [file] = (self.folder / folder / "kept").rglob("*.json")
            stored[folder] = json.loads(file.read_text())
        self.assertEqual(stored["project"]["first_parent_number"], 2)
        self.assertEqual(stored["project"]["parents"], [self.git("rev-parse", "HEAD^")])
        self.assertEqual(stored["project"]["sequence"], 9)
        self.assertNotIn("first_parent_number", stored["shallow"])
        self.assertNotIn("commit_number", stored["shallow"])
        self.assertEqual(stored["shallow"]["sequence"], 9)


if __name__ == "__main__":
    unittest.main()
