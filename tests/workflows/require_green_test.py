"""The required job is green only for a complete verdict of the right commit in which nothing is worse."""

import copy
import collections
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import tracemalloc
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
SCRIPT = SOURCE / "ci" / "workflows" / "require_green.py"
HOSTILE = [one["text"] for one in json.loads((SOURCE / "tests" / "attack" / "hostile_texts.json").read_text())["texts"]]
COMMIT = "4be1c0ffee12" + "0" * 28


def loaded(script):
    spec = importlib.util.spec_from_file_location("require_green", script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


require_green = loaded(SCRIPT)


def outcome(case, status, detail=""):
    return {"case": case, "group": "exact", "status": status, "detail": detail, "metrics": []}


def with_counts(document):
    """The counts of its outcomes, where the test sets no others than those of GREEN."""
    if document is GREEN or not isinstance(document, dict) or document.get("outcomes_by_status") != GREEN["outcomes_by_status"]:
        return document
    try:
        counts = dict(collections.Counter(one["status"] for one in document["outcomes"]))
    except (KeyError, TypeError):
        return document
    return {**document, "outcomes_by_status": counts}


GREEN = {"schema": {"name": "stepgate.verdict", "major": 1, "minor": 1}, "exit_status": 0, "status": "improved",
         "commit": COMMIT, "expected_cases": ["a/b", "a/d"], "missing_cases": [],
         "outcomes_by_status": {"improved": 1, "pass": 1},
         "outcomes": [outcome("a/d", "improved"), outcome("a/b", "pass")]}


class RequireGreen(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def answer_on(self, file, *words, commit=COMMIT):
        done = subprocess.run([sys.executable, str(SCRIPT), str(file), "--commit", commit, *words], capture_output=True,
                              text=True, timeout=30)
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.stdout.count("\n"), 1)
        return done

    def written(self, text, inside="results"):
        file = self.folder / inside / "verdict.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        if text is not None:
            file.write_text(text if isinstance(text, str) else json.dumps(with_counts(text)))
        return file

    def answer(self, text, commit=COMMIT, inside="results", words=()):
        return self.answer_on(self.written(text, inside), *words, commit=commit)

    def status(self, text, commit=COMMIT):
        return self.answer(text, commit).returncode

    def test_loosened_limits_need_the_consent_that_the_workflow_knows_of(self):
        def with_limits(allowed_by="", needs=True, lacks=None):
            change = {"subject": "policy", "move": "loosened", "suite": "a", "place": "a", "needs_consent": needs}
            lacks = needs and not allowed_by if lacks is None else lacks
            limits = {"base_commit": "", "allowed_by": allowed_by, "lacks_consent": lacks, "changes": [change], "unread": []}
            return {**GREEN, "limits": limits}
        jane = ("--allow-loosening", "jane")
        self.assertEqual(self.answer(with_limits(needs=False)).returncode, 0)
        self.assertEqual(self.answer(with_limits("jane"), words=jane).returncode, 0)
        for document, words, said in ((with_limits(), (), "without consent: a"), (with_limits(lacks=False), (), "without consent"),
                                      (with_limits(), jane, "without consent"),
                                      (with_limits("jane"), (), "the workflow names nobody"),
                                      (with_limits("joe"), jane, "'joe' allows"),
                                      (with_limits(needs=False, lacks=True), (), "without consent"),
                                      ({**GREEN, "limits": {}}, jane, "damaged")):
            done = self.answer(document, words=words)
            self.assertEqual((done.returncode, said in done.stdout), (1, True), done.stdout)

    def test_a_green_case_with_a_red_metric_or_other_counts_is_red(self):
        def with_metric(status, gating):
            bad = {**outcome("a/d", "improved"), "metrics": [{"metric": "operators", "status": status, "gating": gating}]}
            return {**GREEN, "outcomes": [bad, outcome("a/b", "pass")]}
        self.red(with_metric("regressed", True), "its metric operators is regressed")
        self.red(with_metric("inconclusive", True), "its metric operators is inconclusive")
        self.assertEqual(self.status(with_metric("regressed", False)), 0)
        self.red({**GREEN, "outcomes_by_status": {"improved": 1, "pass": 1, "regressed": 1}}, "outcomes_by_status")
        self.assertEqual(self.status({**GREEN, "outcomes_by_status": {"improved": 1, "pass": 1, "regressed": 0}}), 0)

    def red(self, text, *parts, may_skip=()):
        """In this process, because a process of its own takes 50 ms."""
        problem = require_green.problem_of_file(self.written(text), COMMIT, may_skip)
        self.assertIsNotNone(problem, text)
        for part in parts:
            self.assertIn(part, problem)

    def changed(self, **values):
        return {**copy.deepcopy(GREEN), **values}

    def with_skipped(self, *cases):
        """The green document after these cases were skipped, as stepgate writes it."""
        document = self.changed(exit_status=77, status="skipped")
        document["outcomes"] = [outcome(case, "skipped", "no GPU") for case in cases] + document["outcomes"]
        document["expected_cases"] += cases
        return document

    def test_green(self):
        self.assertEqual(self.status(GREEN), 0)
        self.assertEqual(self.status(self.changed(outcomes=[outcome("a/b", "pass"), outcome("a/d", "pass")],
                                                  status="pass")), 0)
        self.assertEqual(self.status(self.changed(expected_cases=[])), 0, "a comparison of two builds expects nothing")
        newer = self.changed(added_by_a_newer_minor_version={"a": [1.5, None, True]})
        newer["schema"]["minor"] = 9
        self.assertEqual(self.status(newer), 0)

    def test_a_skipped_case_is_red_unless_the_workflow_names_it(self):
        document = self.with_skipped("a/c", "a/e")
        self.red(document, "a/c (exact): skipped: no GPU", "--may-skip")
        self.red(document, "a/e", may_skip=["a/c"])
        for words, status in (([], 1), (["--may-skip", "a/c"], 1), (["--may-skip", "a/*,a,*"], 1),  # names, no patterns
                              (["--may-skip", "a/c, a/e"], 0)):
            self.assertEqual(self.answer(document, words=words).returncode, status, words)
        self.assertEqual(self.answer(GREEN, words=["--may-skip", ""]).returncode, 0)

    def test_28_skipped_cases_beside_one_that_passed(self):
        document = self.with_skipped(*(f"a/s{number}" for number in range(28)))
        self.red(document, "a/s0 (exact): skipped")
        self.red({**document, "exit_status": 0, "status": "improved"}, "a/s0 (exact): skipped")

    def test_nothing_but_allowed_skips_is_not_green(self):
        document = self.with_skipped("a/c")
        document.update(outcomes=document["outcomes"][:1], expected_cases=["a/c"])
        self.red(document, "nothing was measured", may_skip=["a/c"])

    def test_every_key_is_there_with_its_type(self):
        self.red({key: value for key, value in GREEN.items() if key != "missing_cases"}, 'no "missing_cases"')
        for key in GREEN:
            self.red({name: value for name, value in GREEN.items() if name != key}, f'it has no "{key}"')
            for value in (None, False, True, 0.0, {}, [0], "0", 3):
                if type(value) is not type(GREEN[key]) or value == [0]:
                    self.red(self.changed(**{key: value}), "damaged: ")
        for key in ("case", "group", "status", "detail"):
            document = self.changed()
            del document["outcomes"][1][key]
            self.red(document, f'outcome 1 has no "{key}"')
            self.red(self.changed(outcomes=[{**outcome("a/b", "pass"), key: ["pass"]}]), f'"{key}" of outcome 0')

    def test_false_is_no_exit_status(self):
        self.red(self.changed(exit_status=False), '"exit_status" of it is not of type int')
        self.red(json.dumps(GREEN).replace('"exit_status": 0', '"exit_status": 0.0'), '"exit_status" of it')

    def test_a_schema_that_this_script_does_not_know(self):
        for change in ({"name": "stepgate.measurement"}, {"major": 2}, {"major": 0}, {"major": True}, {"major": 1.0},
                       {"minor": -1}, {"minor": "1"}):
            self.red(self.changed(schema={**GREEN["schema"], **change}), "schema")
        for key in GREEN["schema"]:
            self.red(self.changed(schema={name: value for name, value in GREEN["schema"].items() if name != key}), key)

    def test_a_key_that_stands_twice(self):
        whole = json.dumps(GREEN)
        self.assertEqual(self.status(whole), 0)
        for hidden in ('"missing_cases": ["a/e"], "missing_cases": []', '"missing_cases": [], "missing_cases": []'):
            self.red(whole.replace('"missing_cases": []', hidden), "stands twice")
        self.red(whole.replace('"status": "pass"', '"status": "failed", "status": "pass"'), "stands twice")

    def test_a_number_that_is_not_finite(self):
        for number in ("NaN", "Infinity", "-Infinity", "1e999"):
            self.red(json.dumps(self.changed(seconds=0)).replace('"seconds": 0', f'"seconds": {number}'), "not a finite")

    def test_an_expected_case_without_an_outcome(self):
        self.red(self.changed(expected_cases=["a/b", "a/d", "a/e"]), "expected but not measured: a/e")

    def test_a_symbolic_link_is_no_verdict(self):
        (self.folder / "elsewhere.json").write_text(json.dumps(GREEN))
        (self.folder / "results").mkdir()
        link = self.folder / "results" / "verdict.json"
        link.symlink_to(self.folder / "elsewhere.json")
        done = self.answer_on(link)
        self.assertEqual(done.returncode, 1)
        self.assertIn("symbolic link", done.stdout)

    def test_a_link_that_leads_out_of_a_checkout(self):
        (self.folder / "clone" / ".git").mkdir(parents=True)
        (self.folder / "outside").mkdir()
        (self.folder / "outside" / "verdict.json").write_text(json.dumps(GREEN))
        (self.folder / "clone" / "results").symlink_to(self.folder / "outside")
        (self.folder / "through").symlink_to(self.folder / "clone" / "results")
        self.assertEqual(self.answer_on(self.folder / "outside" / "verdict.json").returncode, 0)
        for folder in ("clone/results", "through", "outside/../clone/results"):
            done = self.answer_on(self.folder / folder / "verdict.json")
            self.assertEqual(done.returncode, 1, folder)
            self.assertIn("lies in the checkout", done.stdout)

    def test_a_folder_behind_a_link_is_as_good_as_any(self):
        (self.folder / "real").mkdir()
        (self.folder / "link").symlink_to(self.folder / "real")
        self.assertEqual(self.answer(GREEN, inside="link/results").returncode, 0)

    def test_a_file_larger_than_any_verdict(self):
        file = self.folder / "verdict.json"
        with open(file, "wb") as out:
            out.write(json.dumps(GREEN).encode())
            out.truncate(require_green.LARGEST_BYTES + 1)
        done = self.answer_on(file)
        self.assertEqual(done.returncode, 1)
        self.assertIn("larger than", done.stdout)

    def test_a_suite_of_thousands_of_cases_is_read(self):
        """70 MB: 1 500 red cases with their findings, or 3 000 green ones, each with 50 metrics."""
        padding = {"code": "none", "message": "x" * 70_000_000}
        document = self.changed()
        document["outcomes"][1]["findings"] = [padding]
        self.assertIsNone(require_green.problem_of_file(self.written(document), COMMIT, ()))
        document["outcomes"][1]["status"] = "regressed"
        self.red(document, "a/b (exact): regressed")

    def test_what_is_not_read_of_a_metric_takes_no_memory(self):
        metrics = [{"metric": f"m{number}", "status": "pass", "gating": True, "values": [0.5 + number] * 9, "note": f"n{number}"}
                   for number in range(2000)]
        text = json.dumps(metrics)
        tracemalloc.start()
        self.addCleanup(tracemalloc.stop)
        read = require_green.parsed(text)
        kept, _ = tracemalloc.get_traced_memory()
        self.assertEqual(read[7], {"metric": "m7", "status": "pass", "gating": True})
        self.assertLess(kept, 2000 * 400)
        self.assertEqual(require_green.parsed('{"pass": 2, "something new": 1}'), {"pass": 2, "something new": 1})

    def test_every_other_status_of_a_case(self):
        for status in ("regressed", "failed", "inconclusive", "no-baseline", "something new"):
            document = self.changed()
            document["outcomes"][1]["status"] = status  # even if somebody edited exit_status to 0
            self.assertEqual(self.status(document), 1, status)

    def test_nothing_measured(self):
        self.red(self.changed(outcomes=[], expected_cases=[]), "nothing was measured")
        self.red(self.changed(missing_cases=["a/e"]), "expected but not measured: a/e")

    def test_contradicting_status_and_exit_status(self):
        for values in ({"exit_status": 77}, {"exit_status": 1}, {"status": "regressed"}, {"status": "pass"},
                       {"status": "skipped", "exit_status": 77}):
            self.red(self.changed(**values), "the outcomes add up to improved")
        skipped = self.with_skipped("a/c")
        self.red({**skipped, "exit_status": 0}, "add up to skipped", may_skip=["a/c"])
        self.red({**skipped, "status": "improved"}, "add up to skipped", may_skip=["a/c"])

    def test_another_commit(self):
        self.assertEqual(self.status(GREEN, "5" * 40), 1)
        for commit in ("", COMMIT + "-dirty", "4", COMMIT[:12], COMMIT[:39], COMMIT.upper()):
            self.assertEqual(self.status(self.changed(commit=commit)), 1, commit)

    def test_a_short_commit_is_never_enough(self):
        for commit in ("", COMMIT[:7], COMMIT[:12], COMMIT[:39], COMMIT + "0"):
            done = self.answer(self.changed(commit=commit), commit)
            self.assertEqual(done.returncode, 1, commit)
            self.assertIn("not the full id", done.stdout)
        self.assertEqual(self.status(self.changed(commit=COMMIT + "0" * 24), COMMIT + "0" * 24), 0)

    def test_a_file_of_the_checkout_is_never_green(self):
        for mark in (".git", "clone/.git"):
            (self.folder / mark).mkdir(parents=True)
            done = self.answer(GREEN, inside="clone/results")
            self.assertEqual(done.returncode, 1)
            self.assertIn("lies in the checkout", done.stdout)
        elsewhere = tempfile.TemporaryDirectory()
        self.addCleanup(elsewhere.cleanup)
        link = pathlib.Path(elsewhere.name) / "results"
        link.symlink_to(self.folder / "clone" / "results")
        self.folder = pathlib.Path(elsewhere.name)
        self.assertIn("lies in the checkout", self.answer(GREEN).stdout)

    def test_files_that_are_not_a_verdict(self):
        whole = json.dumps(GREEN)
        for text in (None, "", whole[:-20], "[]", "null", '{"outcomes": 3}', whole.replace("stepgate.verdict", "x"),
                     whole.replace('"major": 1', '"major": 2'), "[" * 100_000 + "]" * 100_000,
                     whole.replace('"a/b"', '"' + "x" * 1_000_000 + '"').replace('"pass"', '"failed"')):
            done = self.answer(text)
            self.assertEqual(done.returncode, 1, text)
            self.assertLess(len(done.stdout), 2100)

    def test_a_pipe_in_place_of_the_file(self):
        (self.folder / "results").mkdir()
        os.mkfifo(self.folder / "results" / "verdict.json")
        done = self.answer_on(self.folder / "results" / "verdict.json")
        self.assertEqual(done.returncode, 1)
        self.assertIn("is not a file", done.stdout)

    def test_hostile_names_stay_in_one_line_that_is_no_command(self):
        for text in HOSTILE:
            for outcome in ({"case": text}, {"detail": text}, {"status": text or "x"}):
                document = self.changed()
                document["outcomes"][0].update(status="regressed")
                document["outcomes"][0].update(outcome)
                done = self.answer(document)
                self.assertEqual(done.returncode, 1)
                self.assertNotRegex(done.stdout, r"^\s*::|##\w*\[|[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]")


if __name__ == "__main__":
    unittest.main()
