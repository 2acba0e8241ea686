"""The draws, the virtual device, the oracles and the rates of the swarm, without a launcher."""

import collections
import dataclasses
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import types
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import libtorch_draws  # noqa: E402
import oracles  # noqa: E402
import verdict_rates  # noqa: E402
from device_log import figures_of, peaks, per_step, reserved  # noqa: E402
from draws import draw, factor_of  # noqa: E402
from kept_failure import keep  # noqa: E402
from launched import Command  # noqa: E402
from machine_events import BOTH, EVENTS, Event  # noqa: E402
from planted_faults import FAULTS  # noqa: E402
from program_features import FEATURES  # noqa: E402
from step_plan import plain_plan  # noqa: E402
from verdict_rates import Answer, Judged  # noqa: E402
from virtual_gpu import VirtualGpu  # noqa: E402

MANY = range(1, 1500)


def log_of(plan):
    counts, memory = VirtualGpu(plan), VirtualGpu(plan)
    counts.run("counts", 8)
    memory.run("memory", 12)
    return counts.log + memory.log


class Draws(unittest.TestCase):
    def test_a_seed_is_one_run(self):
        for seed in (1, 2, 77):
            self.assertEqual(draw(seed), draw(seed))
        self.assertEqual(libtorch_draws.draw_with_libtorch(5), libtorch_draws.draw_with_libtorch(5))
        self.assertNotEqual(draw(1).title(), draw(2).title())

    def test_each_row_is_drawn(self):
        drawn = [draw(seed) for seed in MANY]
        self.assertEqual({event.name for one in drawn for event in one.events}, {event.name for event in EVENTS})
        self.assertEqual({row.name for one in drawn for row in one.features}, {row.name for row in FEATURES})
        self.assertEqual({one.fault.name for one in drawn if one.fault}, {fault.name for fault in FAULTS})
        with_libtorch = [libtorch_draws.draw_with_libtorch(seed) for seed in MANY]
        self.assertEqual({event.name for one in with_libtorch for event in one.events},
                         {event.name for event in libtorch_draws.EVENTS + libtorch_draws.EVENTS_OF_RANKS})
        self.assertEqual({one.machine.model for one in with_libtorch}, set(libtorch_draws.MODELS))

    def test_a_third_is_unchanged_and_has_equal_plans(self):
        unchanged = [one for one in map(draw, MANY) if one.fault is None]
        self.assertAlmostEqual(len(unchanged) / len(MANY), 1 / 3, delta=0.05)
        for one in unchanged:
            self.assertEqual(one.plans["base"], one.plans["head"])

    def test_faults_of_times_are_planted_only_where_times_are_measured(self):
        for one in map(draw, MANY):
            if one.fault and one.fault.tier == "timed":
                self.assertEqual(one.form, "pairs_all")

    def test_names_are_unique(self):
        for table in (EVENTS, FEATURES, FAULTS, libtorch_draws.EVENTS, libtorch_draws.FAULTS):
            names = collections.Counter(row.name for row in table)
            self.assertEqual([name for name, number in names.items() if number > 1], [])

    def test_processes_of_a_side_differ_and_both_sides_drift_alike(self):
        one = dataclasses.replace(draw(1), process_sd=0.01, window_sd=0)
        self.assertNotEqual(factor_of(one, "base", "timed-000", 0)(), factor_of(one, "base", "timed-001", 1)())
        still = dataclasses.replace(one, process_sd=0, machine=dataclasses.replace(one.machine, drift=0.1))
        self.assertEqual(factor_of(still, "base", "timed-002", 2)(), factor_of(still, "head", "timed-002", 2)())


class Device(unittest.TestCase):
    def test_each_fault_of_the_exact_half_moves_its_figure(self):
        import random
        base = figures_of(log_of(plain_plan()))
        for fault in FAULTS:
            if fault.tier != "exact":
                continue
            head = plain_plan()
            fault.plant(head, random.Random(1))
            self.assertNotEqual(figures_of(log_of(head)).get(fault.log_figure, 0), base.get(fault.log_figure, 0), fault.name)

    def test_each_fault_of_times_takes_longer(self):
        import random
        for fault in FAULTS:
            if fault.tier != "timed" or fault.log_figure != "step_ns":
                continue
            head = plain_plan()
            fault.plant(head, random.Random(1))
            self.assertGreater(VirtualGpu(head).run("e2e", 10), VirtualGpu(plain_plan()).run("e2e", 10) * 1.1, fault.name)

    def test_copies_on_a_stream_of_their_own_are_hidden(self):
        one_stream = plain_plan()
        one_stream.copy_overlaps = False
        hidden, seen = (VirtualGpu(plan).run("e2e", 10) for plan in (plain_plan(), one_stream))
        self.assertGreater(seen, hidden + 8 * plain_plan().at("h2d").device_ns)

    def test_the_log_adds_up(self):
        log = log_of(plain_plan())
        self.assertEqual(per_step(log, "kernels", 8), [26] * 8)
        self.assertEqual(peaks(log, 12), [5 << 20] * 12)
        self.assertEqual(reserved(log, 12), [6 << 20] * 12)


def run_of(**more):
    """A run that is right, with what a test replaces."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="stepgate-swarm-test-"))
    unittest.addModuleCleanup(shutil.rmtree, folder, True)
    (folder / "driver").write_text("GPU-0 0 0 0\n")
    drawn = dataclasses.replace(draw(1, only_events=()), form="pairs_exact", fault=None)
    verdict = {"exit_status": 0, "outcomes": [{"status": "pass", "metrics": []}]}
    values = {"drawn": drawn, "folder": folder, "commands": [Command(["stepgate", "ab"], 0, "1 pass", 0.1)], "left": [],
              "recovered": None, "stopped": None, "stopped_verdict": None,
              "answer": verdict, "measured": [], "logs": {}, **more}
    run = types.SimpleNamespace(**values)
    run.last = run.commands[-1]
    run.program = types.SimpleNamespace(logs=run.logs)
    run.said = lambda: "\n".join(command.output for command in run.commands)
    run.verdict, run.measurements, run.fault_stands_in_log = lambda: run.answer, lambda: run.measured, lambda: True
    return run


def metric(name, status="regressed", tier="exact"):
    return {"metric": name, "status": status, "tier": tier, "gating": True}


class Oracles(unittest.TestCase):
    def broken(self, run, pattern, table=oracles.SCRIPTED):
        problems = oracles.problems_of(run, table)
        self.assertTrue(any(re.search(pattern, problem) for problem in problems), problems)

    def test_a_right_run_breaks_none(self):
        self.assertEqual(oracles.problems_of(run_of(logs={("base", "exact"): [], ("head", "exact"): []})), [])

    def test_signals_hangs_and_words_of_a_crash(self):
        for status, output, pattern in ((-11, "", "ended with -11"), (None, "", "^hang"), (0, "terminate called", "terminate")):
            self.broken(run_of(commands=[Command(["stepgate", "ab"], status, output, 60)]), pattern, (oracles.ended,))

    def test_words_of_a_measured_process_are_not_those_of_the_launcher(self):
        said = "FAILED  a case\n  failure    crashed: SIGABRT\n             | terminate called after throwing\n"
        run = run_of(commands=[Command(["stepgate", "ab"], 3, said, 1)])
        self.assertEqual([problem for problem in oracles.ended(run) if problem.startswith("crash: the output")], [])

    def test_what_is_left(self):
        self.broken(run_of(left=["file /tmp/x"]), "left behind: file /tmp/x")

    def test_a_damaged_record_that_a_message_names_may_stay(self):
        said = Command(["stepgate", "ab"], 3, "bad_record:\n /a/\n b.record.json", 1)
        run = run_of(left=["file /a/b.record.json"], commands=[said])
        self.assertEqual(list(oracles.nothing_left(run)), [])

    def test_what_may_stay_of_a_run_that_was_stopped(self):
        def left(stop, what):
            run = run_of(stopped=Command(["stepgate", "ab"], -stop, "", 1, stop))
            run.left = [what.format(run.folder)]
            return list(oracles.nothing_left(run))
        self.assertEqual(left(9, "file {}/tmp/x"), [])
        self.assertEqual(len(left(9, "file {}/out/x.record.json")), 1)
        self.assertEqual(len(left(15, "file {}/tmp/x")), 1)
        self.assertEqual(len(left(9, "process 7: train")), 1)

    def test_a_green_of_a_faulty_build_that_was_stopped(self):
        fault = next(fault for fault in FAULTS if fault.tier == "exact")
        drawn = dataclasses.replace(draw(1, only_events=()), fault=fault)
        for status, problems in ((0, 1), (3, 0)):
            run = run_of(drawn=drawn, stopped_verdict={"exit_status": status, "outcomes": []},
                         commands=[Command(["stepgate", "ab"], 1, "", 1)], answer={"exit_status": 1, "outcomes": []})
            self.assertEqual(len(list(oracles.answers_agree(run))), problems)

    def test_causes_that_do_not_name_the_boundary(self):
        fault = next(fault for fault in FAULTS if fault.name == "memset")
        head = plain_plan()
        fault.plant(head, None)
        found = {"severity": "cause", "message": "memsets: backward +1"}
        outcome = {"status": "regressed", "metrics": [], "findings": [found]}
        run = run_of(drawn=dataclasses.replace(draw(1, only_events=()), fault=fault),
                     logs={("base", "exact"): log_of(plain_plan()), ("head", "exact"): log_of(head)},
                     commands=[Command(["stepgate", "ab"], 1, "", 1)], answer={"exit_status": 1, "outcomes": [outcome]})
        self.assertEqual(list(oracles.causes_name_the_boundary(run)), [])
        found["message"] = "memsets: forward +1"
        self.assertEqual(len(list(oracles.causes_name_the_boundary(run))), 1)

    def test_a_knob_that_stays(self):
        run = run_of()
        (run.folder / "driver").write_text("GPU-0 1 0 0\n")
        self.broken(run, "the driver was left with")
        self.broken(run_of(recovered=Command(["stepgate", "recover"], 0, "", 0.1)), "nothing says so")
        self.broken(run_of(recovered=Command(["stepgate", "recover"], 1, "", 0.1)), "recover ended with 1")
        run = run_of()
        (run.folder / "state").mkdir()
        (run.folder / "state" / "guard.journal").write_text("")
        self.broken(run, "the journal of the guard is still there")

    def test_status_and_verdict_disagree(self):
        self.broken(run_of(answer={"exit_status": 1, "outcomes": []}), "verdict.json says status 1")
        self.broken(run_of(answer={"exit_status": 0, "outcomes": [{"status": "regressed", "metrics": []}]}), "the case is")

    def test_a_record_and_a_log_disagree(self):
        log = log_of(plain_plan())
        each = {name: per_step(log, what, 8) for name, what in oracles.FIGURES.items()}
        each["operators_per_step"] = [18] * 8
        record = {"group": "exact", "steps": {"counts": 8, "memory": 12}, "counts": {"per_step": each, "by_boundary": {}},
                  "memory": {"peak_bytes": peaks(log, 12), "reserved_bytes": reserved(log, 12)}}
        self.assertEqual(list(oracles.exact_differs(log, record, "base")), [])
        each["kernels_per_step"] = [26] * 7 + [27]
        self.assertRegex("".join(oracles.exact_differs(log, record, "base")), "kernels_per_step")
        times = {name: {"windows": {"wall_ns": [1]}} for name in ("e2e", "loader", "synthetic")}
        self.assertRegex("".join(oracles.timed_differs({"step_ns": [2], "loader_ns": [1], "synthetic_ns": [1]}, {"timed": times},
                                                       "head")), "windows of e2e")

    def test_a_verdict_and_a_log_disagree(self):
        logs = {("base", "exact"): log_of(plain_plan()), ("head", "exact"): log_of(plain_plan())}
        shown = {"metric": "kernels_per_step", "baseline": 26, "current": 27}
        self.broken(run_of(logs=logs, answer={"exit_status": 0, "outcomes": [{"status": "pass", "metrics": [shown]}]}),
                    "current kernels_per_step 27")


class Rates(unittest.TestCase):
    def answer(self, run):
        return verdict_rates.answers_of(run)[0].answer

    def faulty(self, status, metrics, event=None, output=""):
        fault = next(fault for fault in FAULTS if fault.name == "kernel")
        drawn = dataclasses.replace(draw(1, only_events=()), form="pairs_exact", fault=fault, events=[event] if event else [])
        return run_of(drawn=drawn, commands=[Command(["stepgate", "ab"], status, output, 1)],
                      answer={"exit_status": status, "outcomes": [{"status": "", "metrics": metrics}]})

    def test_a_rate_of_thousands_of_runs(self):
        self.assertAlmostEqual(verdict_rates.at_least(2, 3, 0.5), 0.5)
        self.assertAlmostEqual(verdict_rates.at_least(0, 5000, 0.05), 1)
        self.assertLess(verdict_rates.at_least(330, 5000, 0.05), 1e-6)
        self.assertGreater(verdict_rates.at_least(250, 5000, 0.05), 0.4)

    def test_a_half_that_was_judged_is_right_whatever_the_other_is(self):
        drawn = dataclasses.replace(draw(1, only_events=()), form="pairs_all", fault=None, events=[])
        said = "judged: 1 exact of 1, 0 timed of 1\nnot judged: 1 timed (no baseline [incompatible-builds])\n"
        run = run_of(drawn=drawn, commands=[Command(["stepgate", "ab"], 5, said, 1)],
                     answer={"exit_status": 5, "outcomes": [{"status": "no-baseline", "metrics": []}]})
        self.assertEqual([one.answer for one in verdict_rates.answers_of(run)],
                         [verdict_rates.Answer.RIGHT, verdict_rates.Answer.MISSED])

    def test_red_in_its_own_metric_only(self):
        self.assertEqual(self.answer(self.faulty(1, [metric("kernels_per_step")])), Answer.RED)
        self.assertEqual(self.answer(self.faulty(1, [metric("operators_per_step")])), Answer.MISSED)
        self.assertEqual(self.answer(self.faulty(0, [metric("kernels_per_step", "pass")])), Answer.MISSED)

    def test_only_an_event_that_the_run_names_excuses(self):
        event = Event("gone", 1, BOTH, "fell off", lambda machine, random: None)
        self.assertEqual(self.answer(self.faulty(3, [], event, "the GPU fell off the bus")), Answer.NOT_JUDGED)
        self.assertEqual(self.answer(self.faulty(3, [], event, "no reason")), Answer.MISSED)
        self.assertEqual(self.answer(self.faulty(3, [])), Answer.MISSED)
        beside = dataclasses.replace(event, only_with=frozenset({"another"}))
        self.assertEqual(self.answer(self.faulty(3, [], beside, "fell off")), Answer.MISSED)

    def test_unchanged_and_red(self):
        run = run_of(answer={"exit_status": 1, "outcomes": [{"status": "", "metrics": [metric("peak_bytes", tier="bytes")]}]})
        self.assertEqual(self.answer(run), Answer.WRONG_RED)

    def test_a_fault_without_effect_counts_for_nothing(self):
        run = self.faulty(0, [])
        run.fault_stands_in_log = lambda: False
        self.assertEqual(self.answer(run), Answer.NO_EFFECT)

    def test_rates_break_where_chance_does_not_explain_them(self):
        def broken(**numbers):
            judged = [Judged(Answer[name], "timed") for name, number in numbers.items() for _ in range(number)]
            return list(verdict_rates.broken_rates(judged))
        self.assertEqual(broken(RED=93, MISSED=7), [])
        self.assertRegex("".join(broken(RED=80, MISSED=20)), "20 of 100 planted faults")
        self.assertEqual(broken(RIGHT=95, WRONG_RED=5), [])
        self.assertRegex("".join(broken(RIGHT=80, WRONG_RED=20)), "20 of 100 unchanged heads")
        self.assertRegex("".join(verdict_rates.broken_rates([Judged(Answer.WRONG_RED, "exact")])), "0% would be allowed")

    def test_the_binomial_bound(self):
        self.assertAlmostEqual(verdict_rates.at_least(1, 2, 0.5), 0.75)
        self.assertAlmostEqual(verdict_rates.at_least(0, 5, 0.05), 1)


class Words(unittest.TestCase):
    def swarm(self, *words):
        command = pathlib.Path(__file__).resolve().parent.parent.parent / "ci/swarm"
        done = subprocess.run([sys.executable, command, *words], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def test_what_would_run_nothing_is_refused(self):
        for words, said in ((("--events", "guarded,gaurded"), "there is no event gaurded"),
                            (("--emulated", "--events", "guarded"), "there is no event guarded"),
                            (("--runs", "3", "--from", "4", "--of", "4"), "none of 3 runs is in part 4 of 4")):
            status, text = self.swarm(*words)
            self.assertEqual(status, 2, text)
            self.assertIn(said, text)

    def test_the_list_is_that_of_the_runs_that_were_asked_for(self):
        self.assertIn("refused_knobs", self.swarm("--list")[1])
        status, text = self.swarm("--list", "--emulated")
        self.assertEqual(status, 0, text)
        self.assertIn("dead_rank", text)
        self.assertNotIn("refused_knobs", text)


class Kept(unittest.TestCase):
    def test_the_draw_the_output_and_the_files_are_there(self):
        run = run_of()
        with tempfile.TemporaryDirectory() as folder:
            place = keep(run, ["hang: it hung"], pathlib.Path(folder))
            self.assertEqual(place.name, "seed-1")
            self.assertIn("hang: it hung", (place / "problems.txt").read_text())
            self.assertEqual(json.loads((place / "draw.json").read_text())["seed"], 1)
            self.assertIn("1 pass", (place / "output.txt").read_text())
            self.assertTrue((place / "driver").exists())


if __name__ == "__main__":
    unittest.main()
