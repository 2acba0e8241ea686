"""A comparison over nodes with a scripted perftest: in parts, by another engine, on parts of this machine, and on a
cluster of virtual Slurm nodes.

The program writes the record of one real process with a time that depends on the number of its pair, so each engine has
to find the same verdict. Without Slurm's packages its class is skipped (77) with a message.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from virtual_cluster import VirtualCluster, missing_programs

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
STEPGATE = pathlib.Path(os.environ["STEPGATE_TEST_BUILD"]) / "bin" / "stepgate"
CASE = "language/char_lm/tiny"
SKIPPED = 77

NOISE_BY_PAIR = """
pair=$(echo "$record" | sed 's#.*/0*\\([0-9][0-9]*\\)/[a-z]*/.*#\\1#')
sed -i "s/114126630/$((114126630 + pair * 7919 % 1000 * 1000))/" "$record"
"""

TIME_BY_ROUND_AND_SETTING = """
at=$(echo "$record" | sed 's#.*/r0*\\([0-9][0-9]*\\)-s0*\\([0-9][0-9]*\\)/.*#\\1 \\2#')
sed -i "s/114126630/$((114126630 + ${at#* } * 20000000 + ${at% *} * 1000000))/" "$record"
"""

ENGINE = """#!/bin/sh
# The protocol of exec: each job is a process; its state is whether it lives.
verb=$1; shift
case $verb in
submit)
  plan=$1 shards=$2 attempt=$3; shift 3
  for shard in $(echo "$shards" | tr , ' '); do
    STEPGATE_RUN_LOCK=$plan/lock.$shard {stepgate} shard run "$plan" "$shard" --attempt "$attempt" "$@" \\
      >"$plan/engine.$shard" 2>&1 </dev/null &
    echo $!
  done ;;
poll) for id in "$@"; do kill -0 "$id" 2>/dev/null && echo "$id running here"; done; true ;;
cancel) for id in "$@"; do kill "$id" 2>/dev/null; done; true ;;
esac
"""


PLACE = {"utc", "unix_s", "affinity", "affinity_reason", "program", "command", "evidence", "knobs"}


def without(names, value):
    if isinstance(value, dict):
        return {key: without(names, each) for key, each in value.items() if key not in names}
    return [without(names, each) for each in value] if isinstance(value, list) else value


class Place:
    """Two builds of the scripted program, and room for results."""

    def __init__(self, times=NOISE_BY_PAIR):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="stepgate-nodes-"))
        shutil.copytree(SOURCE / "tests/end_to_end/interrupted_ab", self.folder / "head")
        shutil.rmtree(self.folder / "head/out")
        shutil.move(self.folder / "head/base", self.folder / "base")
        policy = self.folder / "head/policies/language/policy.json"
        limits = {key: 1 for key in ("steal_fraction", "runqueue_wait_fraction", "foreign_busy_fraction")}
        policy.write_text(json.dumps({**json.loads(policy.read_text()), "taint_limits": limits}))
        for side in ("head", "base"):
            train = self.folder / side / "bin/train"
            train.write_text(train.read_text() + times)
            train.chmod(0o755)
            (self.folder / side / "stepgate-manifest.json").write_text(json.dumps(
                {"schema": {"name": "stepgate.manifest", "major": 1, "minor": 0}, "build_type": "Release",
                 "policy_root": str(self.folder / "head/policies"), "baseline_root": str(self.folder / "baselines"),
                 "cases": [{"name": CASE, "suite": "language", "program": str(train), "device": "cpu",
                            "timeout_s": 120}]}))
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("STEPGATE_") and k != "CI"}

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def words(self, command, out):
        return [str(STEPGATE), *command.split(), CASE, "--build", str(self.folder / "head"), "--base-build",
                str(self.folder / "base"), "--out", str(self.folder / out), "--tier", "timed", "--pairs", "8",
                "--order-seed", "5", "--interleave", "processes",
                "--steps", "e2e=40,window=10,phase=10,loader=20,h2d=2,logging=40,synthetic=20"]

    def call(self, words, environment=None, patience_s=300):
        return subprocess.run(words, env=environment or self.environment, capture_output=True, text=True,
                              timeout=patience_s, cwd=self.folder, stdin=subprocess.DEVNULL)

    def step_times(self, out):
        verdict = json.loads((self.folder / out / CASE / "ab/verdict.json").read_text())
        return [(metric["metric"], metric["status"], metric.get("change"), metric.get("interval"))
                for metric in verdict["outcomes"][0]["metrics"] if metric["metric"].startswith("step_time")]

    def results(self, out):
        """Every file below ab/ of the results: a pair with its place in the order, and the verdict on all metrics. What the
        place saw is left out: clock, CPUs, evidence, knobs, paths. So are the pages written from these files."""
        folder = self.folder / out / CASE / "ab"
        found = {str(file.relative_to(folder)): None for file in folder.rglob("*") if file.is_file()}
        for name in found:
            if pathlib.PurePath(name).name in ("measurement.json", "ab.json"):
                document = json.loads((folder / name).read_text())
                found[name] = json.dumps(without(PLACE, document))
            elif name == "verdict.json":
                found[name] = json.dumps(json.loads((folder / name).read_text())["outcomes"][0]["metrics"])
        return found


class WithPlace(unittest.TestCase):
    def setUp(self):
        self.place = Place()
        self.addCleanup(self.place.close)

    def alone(self):
        done = self.place.call(self.place.words("ab", "alone"))
        self.assertIn(done.returncode, (0, 4), done.stderr + done.stdout)
        return self.place.step_times("alone")

    def over(self, nodes, *more, **options):
        done = self.place.call([*self.place.words("ab", "out"), "--nodes", nodes, *more], **options)
        self.assertIn(done.returncode, (0, 4), done.stderr + done.stdout)
        return done


    def assert_same_results(self, nodes, **options):
        """Over `nodes` as in the folder out, which is written anew: the same files, with the same values."""
        expected = self.place.results("out")
        shutil.rmtree(self.place.folder / "out")
        self.over(nodes, **options)
        found = self.place.results("out")
        self.assertEqual(found.keys(), expected.keys())
        self.assertEqual([name for name in found if found[name] != expected[name]], [])
        self.assertEqual(sum(name.endswith("measurement.json") for name in found), 16, "two for each of 8 pairs")


class Parts(WithPlace):
    def test_plan_shards_and_merge_give_the_verdict_of_one_machine(self):
        planned = self.place.call([*self.place.words("plan ab", "plan"), "--shards", "2"])
        self.assertEqual(planned.returncode, 0, planned.stderr)
        for word in ("1.5", "1x", "0", "99999999999999999999"):
            done = self.place.call([str(STEPGATE), "shard", "run", "plan", word])
            self.assertEqual((done.returncode, "from 1" in done.stderr), (2, True), f"{word}: {done.stderr}")
        for shard in ("2", "1"):
            done = self.place.call([str(STEPGATE), "shard", "run", "plan", shard])
            self.assertEqual(done.returncode, 0, done.stderr)
        merged = self.place.call([str(STEPGATE), "merge", "plan", "--out", "merged", "--html", "merged.html"])
        self.assertIn(merged.returncode, (0, 4), merged.stderr)
        self.assertEqual(self.place.step_times("merged"), self.alone())
        page = (self.place.folder / "merged.html").read_text()
        self.assertIn(CASE, page)
        self.assertIn("<svg", page, "no interval against the margins of the plan's policy")
        self.assertNotIn("baseline.", page)

    def test_misuse(self):
        for words in (["shard", "run", "nowhere", "1"], ["merge", "nowhere"], ["plan"], ["ab", "--nodes", "moon:2"]):
            done = self.place.call([str(STEPGATE), *words])
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("next: ", done.stderr)

    def test_no_explain_is_refused_over_nodes(self):
        done = self.place.call([*self.place.words("ab", "out"), "--nodes", "local:1", "--no-explain"])
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("leave out --no-explain", done.stderr)


class Sweeps(unittest.TestCase):
    """A sweep whose times depend on the round and the setting alone."""

    def setUp(self):
        self.place = Place(TIME_BY_ROUND_AND_SETTING)
        self.addCleanup(self.place.close)

    def sweep(self, out, *more):
        done = self.place.call([str(STEPGATE), "sweep", *self.options(out), *more])
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        return self.result(out)

    def options(self, out):
        return [CASE, "--vary", "width=64,32,16", "--replicates", "4", "--metric", "step_time_ns", "--build", "head",
                "--out", out]

    def result(self, out):
        document = json.loads((self.place.folder / out / "sweep" / CASE / "sweep.json").read_text())
        return without({"utc", "seconds", "cpus"}, document)

    def test_parts_of_this_machine_and_shards_give_the_sweep_of_one_machine(self):
        alone = self.sweep("alone")
        self.assertEqual([rank["setting"] for rank in alone["ranks"]], [0, 1, 2])
        nodes = min(2, os.cpu_count())
        over = self.sweep("out", "--nodes", f"local:{nodes}")
        self.assertEqual(len(set(over.pop("places"))), nodes)
        self.assertEqual(over, alone)
        planned = self.place.call([str(STEPGATE), "plan", "sweep", *self.options("plan"), "--shards", "2"])
        self.assertEqual(planned.returncode, 0, planned.stderr)
        for shard in ("2", "1"):
            done = self.place.call([str(STEPGATE), "shard", "run", "plan", shard])
            self.assertEqual((done.returncode, done.stdout), (0, f"shard {shard}: 2 rounds handed back\n"), done.stderr)
        refused = self.place.call([str(STEPGATE), "merge", "plan", "--junit", "junit.xml"])
        self.assertEqual(refused.returncode, 2, refused.stdout)
        merged = self.place.call([str(STEPGATE), "merge", "plan", "--out", "merged", "--html", "sweep.html"])
        self.assertEqual(merged.returncode, 0, merged.stderr)
        self.assertIn("each round ran on one node", merged.stdout)
        self.assertIn("<svg", (self.place.folder / "sweep.html").read_text())
        of_shards = self.result("merged")
        of_shards.pop("places")
        self.assertEqual(of_shards, alone)

    def test_misuse(self):
        for more, next_step in ((["--law", "saved_bytes", "--nodes", "local:1"], "leave out --nodes"),
                                (["--shards", "2"], "add --nodes")):
            done = self.place.call([str(STEPGATE), "sweep", *self.options("out"), *more])
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(next_step, done.stderr)


class AnotherEngine(WithPlace):
    def test_a_program_that_starts_the_shards(self):
        engine = self.place.folder / "engine"
        engine.write_text(ENGINE.format(stepgate=STEPGATE))
        engine.chmod(0o755)
        self.over(f"exec:{engine}", "--shards", "2")
        self.assertEqual(self.place.step_times("out"), self.alone())


class LocalNodes(WithPlace):
    def test_parts_of_this_machine(self):
        self.over("local:1")
        self.assertEqual(self.place.step_times("out"), self.alone())
        if os.cpu_count() > 1:
            self.assert_same_results("local:2")


@unittest.skipIf(missing_programs(), f"Slurm is not installed ({', '.join(missing_programs())}): "
                                     "apt-get install slurmctld slurmd slurm-client")
class SlurmNodes(WithPlace):
    def setUp(self):
        super().setUp()
        self.cluster = VirtualCluster(self.place.folder / "cluster", 4)
        self.addCleanup(self.cluster.stop)
        self.cluster.start()
        # Virtual nodes share this machine, so each has a run lock of its own.
        wrapper = self.place.folder / "stepgate"
        wrapper.write_text(f"#!/bin/sh\nSTEPGATE_RUN_LOCK={self.place.folder}/lock.$SLURMD_NODENAME\n"
                           f"export STEPGATE_RUN_LOCK\nexec {STEPGATE} \"$@\"\n")
        wrapper.chmod(0o755)
        self.environment = {**self.cluster.environment, **self.place.environment, "SLURM_CONF": str(self.cluster.file),
                            "PATH": self.cluster.environment["PATH"], "STEPGATE_COMMAND": str(wrapper)}

    def test_four_nodes_give_the_verdict_of_one_machine(self):
        self.over("local:1")
        self.assert_same_results("slurm:4", environment=self.environment)
        self.assertEqual(self.place.step_times("out"), self.alone())


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    for _, reason in result.skipped:
        print(f"SKIPPED: {reason}")
    sys.exit(1 if not result.wasSuccessful() else SKIPPED if result.skipped else 0)
