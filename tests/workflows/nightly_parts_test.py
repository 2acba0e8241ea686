"""ci/nightly stores the result of each part, runs what is missing, and chooses the parts that a diff can reach."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
STUB = '#!/bin/sh\necho "$(basename "$0") $*" >>"$LOG"\necho "output of $0"\n[ "$(basename "$0")" != "${FAILS:-}" ]\n'


class NightlyParts(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="stepgate-nightly-")).resolve()
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.root, self.log = self.folder / "tree", self.folder / "log"
        for name in ("nightly", "paths.sh", "count_tests.sh"):
            self.write(f"ci/{name}", (SOURCE / "ci" / name).read_text())
        for name in ("setup", "build", "lab", "lab_trend", "mutate_verdicts"):
            self.write(f"ci/{name}", STUB)
        self.write(".gitignore", "/build/\n")
        self.git("init", "-q", "-b", "main")
        self.commit()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=self.root, check=True, capture_output=True)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "x")

    def nightly(self, *words, expect=0, **more):
        self.log.write_text("")
        kept = {k: v for k, v in os.environ.items() if not k.startswith("STEPGATE_")}
        environment = {**kept, "LOG": str(self.log), "STEPGATE_CACHE": str(self.folder / "cache"), **more}
        done = subprocess.run([self.root / "ci/nightly", *words], capture_output=True, text=True, env=environment, timeout=60)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def ran(self):
        return [line for line in self.log.read_text().splitlines() if not line.startswith(("setup", "build"))]

    def test_results_are_stored_and_only_missing_ones_run_again(self):
        said = self.nightly("lab", "trend", expect=1, FAILS="lab_trend")
        self.assertTrue(said.endswith("1 passed, 1 failed\n"), said)
        self.assertEqual(self.ran(), ["lab 1000", "lab_trend 200"])
        results = self.root / "build/release/nightly"
        self.assertRegex((results / "lab.txt").read_text(), r"^passed at [0-9a-f]{40}\n1 minutes\n$|^passed at [0-9a-f]{40}\n0 minutes\n$")
        self.assertRegex((results / "trend.txt").read_text(), r"^failed at [0-9a-f]{40}\n")
        self.assertIn("output of", (results / "trend.log").read_text())
        self.nightly("--missing", "lab", "trend")
        self.assertEqual(self.ran(), ["lab_trend 200"])
        self.assertIn("0 passed, 0 failed", self.nightly("--missing", "lab", "trend"))
        self.write("other", "")
        self.commit()
        self.assertEqual(self.nightly("--missing", "--list", "lab", "trend").split(), ["lab", "trend"])

    def test_a_result_of_changed_files_counts_for_nothing_later(self):
        self.write("ci/lab", STUB + "# changed\n")
        self.nightly("lab")
        self.assertIn("-dirty", (self.root / "build/release/nightly/lab.txt").read_text())
        self.commit()
        self.assertEqual(self.nightly("--missing", "--list", "lab").split(), ["lab"])

    def test_a_new_file_is_a_change_too(self):
        """A build takes it: sources are found by their names."""
        self.write("harness/new.cpp", "")
        self.nightly("lab")
        self.assertIn("-dirty", (self.root / "build/release/nightly/lab.txt").read_text())

    def test_a_commit_during_a_part_makes_its_result_count_for_nothing(self):
        self.write("ci/lab", "#!/bin/sh\ngit -C \"${0%/*}\" -c user.name=a -c user.email=a@b commit -q --allow-empty -m later\n")
        self.commit()
        self.nightly("lab")
        self.assertIn("-dirty", (self.root / "build/release/nightly/lab.txt").read_text())

    def test_a_part_that_is_skipped_has_not_passed(self):
        self.write("tests/attack/attack.py", "import sys\nsys.exit(77)\n")
        self.commit()
        self.assertIn("0 passed, 0 failed", self.nightly("attack-2"))
        self.assertRegex((self.root / "build/release/nightly/attack-2.txt").read_text(), r"^skipped at [0-9a-f]{40}\n")
        self.assertEqual(self.nightly("--missing", "--list", "attack-2").split(), ["attack-2"])
        self.write("tests/attack/attack.py", "import sys\nprint(sys.argv)\n")
        self.assertIn("1 passed, 0 failed", self.nightly("attack-2"))
        self.write("tests/attack/attack.py", "raise SystemExit(1)\n")
        self.assertIn("0 passed, 1 failed", self.nightly("attack-2", expect=1))

    def test_a_file_that_moved_counts_where_it_was(self):
        self.write("harness/stats/x.cpp", "a\n" * 50)
        self.commit()
        self.git("checkout", "-q", "-b", "change")
        self.git("mv", "harness/stats/x.cpp", "x.txt")
        self.commit()
        self.assertIn("lint", self.nightly("--changed", "main", "--list").split())

    def test_a_name_is_all_of_its_parts(self):
        self.nightly("mutations")
        self.assertEqual(self.ran(), [f"mutate_verdicts --part {part}/4" for part in (1, 2, 3, 4)])
        self.assertIn("no part 'moon'", self.nightly("moon", expect=1))
        self.assertIn("unknown option --chnaged", self.nightly("--chnaged", expect=1))

    def test_the_parts_that_a_diff_can_reach(self):
        self.git("checkout", "-q", "-b", "change")
        for file, reached, not_reached in (("docs/zoo.md", {"tests-1"}, {"zoo-1", "lab"}),
                                           ("harness/stats/x.cpp", {"lab", "trend", "peers", "lint", "zoo-4"}, set()),
                                           ("harness/judge/history/x.cpp", {"trend", "lab"}, {"hazards"}),
                                           ("tests/figures/x.py", {"trend", "tests-1"}, {"lab"}),
                                           ("perftests/x.cpp", {"exports", "traces", "extending", "zoo-1"}, {"lab", "trend"}),
                                           ("schemas/x.json", {"attack-1", "extending"}, {"lab", "zoo-1"}),
                                           ("tests/attack/x.py", {"attack-1", "attack-4", "tests-2"}, {"lab", "headers", "flops"}),
                                           ("ci/lab_trend", {"trend", "tests-1"}, {"lab", "hazards"}),
                                           ("README.md", set(), {"tests-1", "lab"})):
            with self.subTest(file):
                kept = (self.root / file).read_text() if (self.root / file).exists() else None
                self.write(file, "changed")
                found = set(self.nightly("--changed", "main", "--list").split())
                self.assertLessEqual(reached, found)
                self.assertFalse(found & not_reached)
                (self.root / file).unlink()
                if kept is not None:
                    self.write(file, kept)
        self.assertEqual(self.nightly("--changed", "main", "--list"), "")
        self.write("ci/nightly", (self.root / "ci/nightly").read_text() + "\n")
        self.commit()
        self.assertEqual(self.nightly("--changed", "main", "--list"), self.nightly("--list"))
        self.assertIn("no commit that 'moon'", self.nightly("--changed", "moon", expect=1))

    def test_each_part_is_told_at_the_head_and_has_files_that_reach_it(self):
        text = (SOURCE / "ci/nightly").read_text()
        head = text.split("set -euo pipefail")[0]
        names = {re.sub(r"-[1-9]$", "", part) for part in self.nightly("--list").split()}
        for name in names:
            self.assertRegex(head, rf"(?m)^#     {name}(-1 \.\.\.|  )", name)
            self.assertRegex(text, rf"(?m)^    ([a-z]+ \| )?{name}( \| [a-z]+)?\) echo ", name)


if __name__ == "__main__":
    unittest.main()
