"""Races that were planted in a program of LibTorch are found with both lines; with what orders them, nothing is found.

The device is as fast as the host, immediate, or 40 times slower: what is found does not depend on it.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from emulated_program import FOLDER, SKIPPED, environment_of, skip_without_emulation

SOURCES = sorted((pathlib.Path(__file__).resolve().parent / "hazards").glob("*_races.cpp"))
PROGRAM = pathlib.Path(os.environ["STEPGATE_TEST_HAZARD_RACES"])
PATIENCE_S = 300


def marked_lines():
    """{race: [place of the earlier access, place of the later one]}: "memory_races.cpp:12"."""
    marks, race = {}, ""
    for source in SOURCES:
        for number, line in enumerate(source.read_text().splitlines(), 1):
            if found := re.match(r"void (\w+)\(bool is_ordered\)", line):
                race = found[1]
            if found := re.search(r"; +// (earlier|later)$", line):
                marks.setdefault(race, {})[found[1]] = f"{source.name}:{number}"
    return {race: [lines["earlier"], lines["later"]] for race, lines in marks.items()}


def run(way, machine):
    """The hazards, and the totals of the last line."""
    with tempfile.TemporaryDirectory(prefix="stepgate-hazards-") as folder:
        path = pathlib.Path(folder) / "hazards"
        environment = environment_of(folder, f"{machine} hazards={path}")
        done = subprocess.run([PROGRAM, way], env=environment, cwd=folder, capture_output=True, text=True, timeout=PATIENCE_S)
        if done.returncode != 0:
            raise AssertionError(f"{way} ended with status {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        lines = [json.loads(line) for line in path.read_text().splitlines()]
    if not lines or not lines[-1].get("end"):
        raise AssertionError("the file of hazards has no end")
    return lines[:-1], lines[-1]


def line_of(access):
    """The innermost place in the program's own sources."""
    offsets = access["place"]["offsets"]
    if not offsets:
        return None
    printed = subprocess.run(["addr2line", "-i", "-e", PROGRAM, *offsets], capture_output=True, text=True, check=True).stdout
    lines = re.findall(r"(\w+_races\.cpp:\d+)", printed)
    return lines[0] if lines else None


class Hazards(unittest.TestCase):
    def check_planted(self, machine):
        hazards, totals = run("planted", machine)
        races = {tuple(lines): race for race, lines in marked_lines().items()}
        found = sorted(races.get((line_of(one["earlier"]), line_of(one["later"])), json.dumps(one)) for one in hazards)
        self.assertEqual(found, sorted(races.values()))
        self.assertEqual(totals["unknown_kernels"], 0)
        self.assertEqual(totals["forgotten"], 0)
        for hazard in hazards:
            self.assertTrue(hazard["remedy"])
            for access in (hazard["earlier"], hazard["later"]):
                self.assertTrue(access["operator"].startswith("aten::"), access)
        return {race: hazard for hazard in hazards
                if (race := races.get((line_of(hazard["earlier"]), line_of(hazard["later"]))))}

    def test_each_planted_race_is_found_with_both_lines(self):
        self.assertGreaterEqual(len(marked_lines()), 20)
        hazards = self.check_planted("h100")
        self.assertIn("record_stream", hazards["record_stream_missing"]["remedy"])
        self.assertTrue(hazards["record_stream_missing"]["reused"])
        self.assertTrue(hazards["graph_input_overwritten"]["earlier"]["in_graph"])
        self.assertTrue(hazards["gradients_of_a_backward_used_early"]["earlier"]["for_forward"])
        self.assertTrue(hazards["pinned_batch_filled_again"]["page_locked"])

    def test_no_lucky_schedule_is_needed(self):
        for machine in ("h100 scale=0", "h100 scale=40", "h100 mode=values"):
            with self.subTest(machine=machine):
                self.check_planted(machine)

    def test_what_is_ordered_is_not_found(self):
        for machine in ("h100", "h100 scale=40"):
            with self.subTest(machine=machine):
                hazards, totals = run("ordered", machine)
                self.assertEqual(hazards, [])
                self.assertGreater(totals["accesses"], 60)

    def test_a_child_that_was_forked_has_memory_of_its_own(self):
        hazards, totals = run("forked", "h100")
        self.assertEqual(hazards, [])
        self.assertGreater(totals["accesses"], 0)


if __name__ == "__main__":
    skip_without_emulation()
    if not PROGRAM.exists() or not (FOLDER / "libstepgate_emulated_values.so").exists():
        print(f"no {PROGRAM}: cmake --build --target emulated_values_tests")
        sys.exit(SKIPPED)
    unittest.main(verbosity=2)
