"""ci/bottlenecks refuses what is wrong with a row, and judges a profile by what the mended build wins."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
PROGRAM = SOURCE / "ci/bottlenecks"
EXPERIMENT_TABLE = SOURCE / "harness/core/study/experiment.h"
sys.path.insert(0, str(SOURCE / "tests/zoo"))

from bottleneck_rows import EXPERIMENTS, KINDS, is_provable  # noqa: E402
PATCH = ("diff --git a/perftests/a.cpp b/perftests/a.cpp\n--- a/perftests/a.cpp\n+++ b/perftests/a.cpp\n"
         "@@ -1 +1 @@\n-old();\n+slow();\n")


def run(*words):
    return subprocess.run([sys.executable, PROGRAM, *map(str, words)], capture_output=True, text=True)


def verdict(kind, proof="proven", interval=(0.10, 0.20)):
    return {"kind": kind, "proof": proof, "worth": 0.15, "says": "", **({"interval": interval} if interval else {})}


def outcome(change, status="improved", reason="faster", of_case=None):
    """Of pairs in which the mended build changed the step by so much."""
    metric = {"metric": "step_time_ns", "status": status, "reason": reason, "change": change,
              "interval": {"lower": change - 0.01, "upper": change + 0.01}}
    return {"status": of_case or status, "metrics": [metric]}


class Bottlenecks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("perftests/a.cpp", "old();\n")
        self.write("tests/zoo/bottlenecks/slow.patch", PATCH)
        self.row = {"name": "slow", "case": "a/b/c", "kind": "logging", "planted": "slow.patch", "says": "it logs"}

    def write(self, name, text):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)

    def write_rows(self, *rows, unpatched={}):
        self.write("tests/zoo/bottlenecks.json", json.dumps({"unpatched": unpatched, "bottlenecks": rows}))

    def judge(self, *verdicts, change=-0.16, words=(), unpatched={}, page={}, pairs=None, **fields):
        self.write_rows({**self.row, **fields}, unpatched=unpatched)
        profile = {"bottlenecks": verdicts, "experiments": [], **page}
        self.write("kept/pages/slow.json", json.dumps({"profile": profile, "outcome": pairs or outcome(change)}))
        return run("--root", self.root, "--judge", self.root / "kept", *words)

    def assert_says(self, done, status, words):
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertIn(words, done.stdout + done.stderr)

    def test_those_of_this_repository_apply(self):
        done = run("--apply-only")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_patch_that_does_not_apply_is_told(self):
        self.write("perftests/a.cpp", "new();\n")
        self.write_rows(self.row)
        self.assert_says(run("--root", self.root, "--apply-only"), 1, "slow.patch does not apply")

    def test_a_gain_is_the_share_of_the_step_that_falls_away(self):
        done = self.judge(verdict("logging"))
        self.assert_says(done, 0, "logging proven [10.0, 20.0]; the mended build wins 16.0 % [15.0, 17.0]")
        self.assertIn("interval holds the gain 1; of the mended build as it is 1", done.stdout)
        self.assertIn("interval no wider than half of it 0", done.stdout)

    def test_an_interval_that_is_narrow_or_misses_the_gain_is_counted(self):
        done = self.judge(verdict("logging", interval=(0.13, 0.20)))
        self.assertIn("holds the gain 1; of the mended build as it is 1; interval no wider than half of it 1", done.stdout)
        done = self.judge(verdict("logging", interval=(0.18, 0.20)))
        self.assertIn("missed", done.stdout)
        self.assertIn("holds the gain 0; of the mended build as it is 0; interval no wider than half of it 1", done.stdout)

    def test_what_the_mended_build_still_spends_in_the_boundary_counts_too(self):
        pairs = outcome(-0.16)
        pairs["metrics"][0].update(baseline=1000, current=840)
        pairs["metrics"].append({"metric": "logging_ns", "current": 30})
        done = self.judge(verdict("logging", interval=(0.18, 0.20)), pairs=pairs)
        self.assertIn("the mended build wins 16.0 % [15.0, 17.0], with nothing left 19.0 %", done.stdout)
        self.assertIn("interval holds the gain 1; of the mended build as it is 0", done.stdout)
        page = {"call_costs": [{"at": {"file": "a.cpp", "line": 5}, "effect": 0.19, "gain": [0.18, 0.20],
                                "proof": "proven"}]}
        done = self.judge(pairs=pairs, page=page, calls_of=["a.cpp:5"])
        self.assertIn("interval holds the gain 0; of the mended build as it is 0", done.stdout)

    def test_a_slower_mend_is_held_by_no_gain(self):
        self.assertIn("holds the gain 0", self.judge(verdict("logging"), change=0.16).stdout)

    def test_an_effect_out_of_range_is_told(self):
        done = self.judge(verdict("logging"), change=-0.02)
        self.assertIn("wins 2.0 % [1.0, 3.0], outside of 5 to 60 %", done.stdout)

    def test_a_kind_that_is_not_proven_counts_as_such(self):
        self.assert_says(self.judge(verdict("logging", "undecided", None)), 1, "right kind proven 0")
        self.assert_says(self.judge(), 1, "logging absent")

    def test_only_a_proven_kind_has_an_interval(self):
        done = self.judge(verdict("logging", "likely"))
        self.assert_says(done, 1, "logging likely; the mended build wins")
        self.assertIn("right kind proven 0; interval holds the gain 0", done.stdout)

    def test_half_of_what_can_be_proven_must_be(self):
        self.judge(verdict("logging"))
        kept = json.loads((self.root / "kept/pages/slow.json").read_text())
        for name, proof in (("second", "undecided"), ("third", "undecided")):
            document = {**kept, "profile": {**kept["profile"], "bottlenecks": [verdict("logging", proof, None)]}}
            self.write(f"kept/pages/{name}.json", json.dumps(document))
        rows = [{**self.row, "name": name} for name in ("slow", "second", "third")]
        self.write_rows(*rows[:2])
        again = ("--root", self.root, "--judge", self.root / "kept")
        self.assert_says(run(*again), 0, "provable 2; of these proven 1")
        self.write_rows(*rows)
        self.assert_says(run(*again), 1, "FAILED: only 1 of 3 provable kinds are proven")
        for kind in ("compute", "bandwidth", "operators"):
            self.assert_says(self.judge(kind=kind), 0, "provable 0; of these proven 0")
        self.assert_says(self.judge(kind="compute", experiment="doubled-threads"), 1, "only 0 of 1")
        self.assert_says(self.judge(case="foreign/forecast/loop"), 0, "provable 0")

    def test_what_this_repository_plants_can_mostly_be_proven(self):
        rows = json.loads((SOURCE / "tests/zoo/bottlenecks.json").read_text())["bottlenecks"]
        self.assertGreater(2 * sum(map(is_provable, rows)), len(rows))

    def test_kinds_and_experiments_are_those_of_a_profile(self):
        table = EXPERIMENT_TABLE.read_text()
        kinds = re.search(r"enum class Bottleneck \{([^}]*)\}", table)[1]
        self.assertEqual(KINDS, tuple(re.findall(r"\w+", kinds)))
        rows = re.findall(r'ExperimentRow\{Experiment::\w+,\s*"([\w-]+)",\s*Bottleneck::(\w+),\s*Effect::\w+,'
                          r"\s*Arrangement::(\w+)", table)
        self.assertEqual(len(rows), table.count("ExperimentRow{"))
        self.assertEqual(EXPERIMENTS, {name: kind for name, kind, way in rows if way not in ("later", "replay")})

    def test_another_proven_kind_is_wrong_unless_it_limits_the_step_too(self):
        both = (verdict("logging"), verdict("launch"))
        self.assert_says(self.judge(*both), 1, "launch is proven and is wrong")
        self.assert_says(self.judge(*both, also={"launch": "600 small calls"}), 0, "wrong kinds proven 0")
        self.assert_says(self.judge(*both, unpatched={"a/b/c": {"launch": "small calls"}}), 0, "wrong kinds proven 0")
        self.assert_says(self.judge(*both, unpatched={"a/b/d": {"launch": "small calls"}}), 1, "wrong kinds proven 1")

    def test_a_row_may_name_the_experiment_of_its_mend(self):
        fused = {"experiment": "optimizer-fused", "proof": "proven", "effect": 0.15, "interval": [0.12, 0.18]}
        threads = {"experiment": "doubled-threads", "proof": "proven", "effect": 0.85, "interval": [0.8, 0.9]}
        page = {"experiments": [fused, threads]}
        for kind, experiment, words in (("optimizer", "optimizer-fused", "optimizer proven [11.0, 19.0]"),
                                        ("compute", "doubled-threads", "compute proven [9.0, 21.0]"),
                                        ("logging", "logging-off", "logging absent")):
            self.assertIn(words, self.judge(page=page, kind=kind, experiment=experiment).stdout)

    def test_a_row_may_name_places_whose_calls_cost_what_the_mend_wins(self):
        def cost(function, line, interval, proof="proven", gain=None):
            at = {"function": function, "file": "perftests/a.cpp", "line": line}
            return {"at": at, "effect": sum(interval) / 2, "interval": interval, "gain": gain or interval, "proof": proof}

        costs = [cost("mask", 0, [0.05, 0.07]), cost("mask", 9, [0.13, 0.17]), cost("loss", 12, [0.10, 0.12]),
                 cost("loss", 13, [0.03, 0.05]), cost("log", 20, [-0.01, 0.02], "undecided"),
                 cost("gelu", 30, [0.26, 0.34], gain=[0.19, 0.34]), cost("gram", 31, [0.17, 0.25], gain=[0.17, 0.27]),
                 {"at": {"function": "far", "line": 0}, "absent": "no call of it ran", "proof": "undecided"}]
        for places, says in ((["mask"], "proven [13.0, 17.0]"), (["a.cpp:12", "a.cpp:13"], "proven [13.0, 17.0]"),
                             (["a.cpp:9", "log"], "proven [13.0, 17.0]"), (["log"], "undecided; the"),
                             (["gelu"], "proven [19.0, 34.0]"), (["gram"], "proven [17.0, 27.0]"),
                             (["far"], "absent; the"), (["b.cpp:9"], "absent; the")):
            done = self.judge(verdict("logging"), page={"call_costs": costs}, calls_of=places)
            self.assertIn(f"logging {says}", done.stdout, places)

    def test_a_row_of_any_kind_that_names_places_can_be_proven(self):
        row = {**self.row, "kind": "operators", "case": "foreign/forecast/loop"}
        self.assertFalse(is_provable(row))
        self.assertTrue(is_provable({**row, "calls_of": ["mask"]}))

    def test_what_was_not_measured_fails(self):
        self.assert_says(self.judge(page={"stopped": "not steady"}), 1, "the profile stopped: not steady")
        self.judge(verdict("logging"))
        path = self.root / "kept/pages/slow.json"
        path.write_text(path.read_text().replace('"change"', '"other"'))
        done = run("--root", self.root, "--judge", self.root / "kept")
        self.assert_says(done, 1, "the pairs gave no change of step_time_ns: improved")
        path.unlink()
        self.assert_says(run("--root", self.root, "--judge", self.root / "kept"), 1, "is not there")

    def test_pairs_that_decided_nothing_measured_nothing(self):
        for reason in ("control-moved", "not-steady", "too-few-clean-pairs"):
            done = self.judge(verdict("logging"), pairs=outcome(-0.16, "inconclusive", reason))
            self.assert_says(done, 1, f"the pairs decided nothing: step_time_ns is inconclusive ({reason})")
            self.assertIn("interval holds the gain 0", done.stdout)
            self.assertIn("the mended build wins not measured", done.stdout)
            self.assertIn("not measured 1", done.stdout)
        done = self.judge(verdict("logging"), pairs=outcome(-0.16, of_case="failed"))
        self.assert_says(done, 1, "the pairs gave no change of step_time_ns: failed")
        # Another metric is open, and the step time is decided.
        self.assert_says(self.judge(verdict("logging"), pairs=outcome(-0.16, of_case="inconclusive")), 0, "not measured 0")

    def test_parts_hold_each_row_once(self):
        rows = [{**self.row, "name": f"slow_{number}"} for number in range(5)]
        self.write_rows(*rows)
        parts = [run("--root", self.root, "--list", "--from", part, "--of", 2).stdout.split() for part in (1, 2)]
        self.assertEqual([len(part) for part in parts], [3, 2])
        self.assertEqual(sorted(parts[0] + parts[1]), [row["name"] for row in rows])
        self.assert_says(run("--root", self.root, "--list", "--from", 3, "--of", 2), 1, "there is no part 3 of 2")

    def test_results_and_table_keep_other_rows(self):
        results, page = self.root / "results.json", self.root / "page.md"
        results.write_text("{}")
        self.judge(verdict("logging"), words=("--results", results, "--page", page))
        stored = json.loads(results.read_text())
        results.write_text(json.dumps({**stored, "other": stored["slow"]}))
        page.write_text(page.read_text() + "\nafter\n")
        self.judge(verdict("logging"), words=("--results", results, "--page", page))
        text = page.read_text()
        self.assertEqual((text.count("| `slow` |"), text.count("| `other` |")), (1, 1))
        self.assertTrue(text.endswith("\nafter\n"))
        self.assertIn("| `slow` | `a/b/c` | logging | proven | [10.0, 20.0] % | 16.0 % [15.0, 17.0] | 16.0 % | yes | no | none |",
                      text)

    def test_a_wrong_row_is_refused(self):
        for fields, words in (({"color": "red"}, "there is no field color"), ({"kind": "disk"}, "disk is none of"),
                              ({"also": {"logging": "it"}}, "other kinds than the planted one"),
                              ({"also": {"launch": ""}}, "each with its reason"),
                              ({"experiment": "logging-of"}, "logging-of is none of synthetic-batch"),
                              ({"experiment": "cuda-graph", "kind": "launch"}, "cuda-graph is none of"),
                              ({"experiment": "optimizer-fused"}, "optimizer-fused shows optimizer, not logging"),
                              ({"name": "Slow!"}, "lower case"), ({"planted": "gone.patch"}, "differ: gone.patch")):
            self.assert_says(self.judge(**fields), 1, words)
        self.write_rows(self.row, self.row)
        self.assert_says(run("--root", self.root, "--list"), 1, "the name stands twice")
        self.write_rows({key: value for key, value in self.row.items() if key != "says"})
        self.assert_says(run("--root", self.root, "--list"), 1, "says is missing")
        self.write_rows(self.row)
        self.assert_says(run("--root", self.root, "other"), 1, "there is no row other")


if __name__ == "__main__":
    unittest.main()
