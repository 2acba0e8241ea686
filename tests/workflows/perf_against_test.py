"""ci/perf --against REF builds the merge base once, says before what it will take, and hands that build to the gate."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
# Stands for ci/build: notes which checkout was built with which targets, and leaves a launcher that notes its arguments.
BUILD = """#!/usr/bin/env bash
. "$(dirname "$0")/paths.sh"
echo "build $stepgate_root $*" >>"$LOG"
mkdir -p "$stepgate_build/bin"
printf '#!/bin/sh\\necho "stepgate base=${STEPGATE_BASE_BUILD:-none} $*" >>"$LOG"\\n' >"$stepgate_build/bin/stepgate"
chmod +x "$stepgate_build/bin/stepgate"
echo built >"$stepgate_build/stepgate-manifest.json"
"""
CTEST = '#!/bin/sh\necho "ctest base=${STEPGATE_BASE_BUILD:-none} $*" >>"$LOG"\n'


class Against(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="stepgate-against-")).resolve()
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.root, self.log = self.folder / "tree", self.folder / "log"
        for name in ("perf", "paths.sh"):
            self.write(self.root / "ci" / name, (SOURCE / "ci" / name).read_text())
        self.write(self.root / "ci" / "setup", "#!/bin/sh\n")
        self.write(self.root / "ci" / "build", BUILD)
        self.write(self.root / ".gitignore", "/build/\n")
        self.write(self.folder / "bin" / "ctest", CTEST)
        self.git("init", "-q", "-b", "main")
        self.commit("first")
        self.base = self.git("rev-parse", "HEAD")
        self.git("checkout", "-q", "-b", "change")

    def write(self, path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def git(self, *words):
        return subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=self.root, check=True,
                              capture_output=True, text=True).stdout.strip()

    def commit(self, text):
        (self.root / "file").write_text(text)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", text)

    def perf(self, *words, expect=0, without=(), more=()):
        self.log.write_text("")
        environment = {k: v for k, v in os.environ.items() if not k.startswith("STEPGATE_")}
        environment.update(PATH=f"{self.folder / 'bin'}:{os.environ['PATH']}", LOG=str(self.log),
                           STEPGATE_CACHE=str(self.folder / "cache"), **dict(more))
        for name in without:
            environment.pop(name, None)
        done = subprocess.run([self.root / "ci" / "perf", *words], capture_output=True, text=True, env=environment)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def steps(self, program):
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [line for line in lines if line.startswith(program + " ")]

    def test_the_base_is_built_apart_and_given_to_the_timed_half(self):
        self.commit("second")
        said = self.perf("--against", "main", "-R", "char_lm")
        place = self.folder / "cache" / "base" / self.base
        self.assertEqual(self.steps("build"), [f"build {place} ", f"build {self.root} stepgate_cases"])
        self.assertEqual((place / "file").read_text(), "first")
        halves = self.steps("ctest")
        self.assertEqual(len(halves), 2)
        for half in halves:
            self.assertIn(f"base={place}/build/release ", half)
            self.assertTrue(half.endswith(" -R char_lm"), half)
        # The limits of the tree are compared by the report, which also sees a case that is gone.
        reports = [line for line in self.steps("stepgate") if " report " in line]
        self.assertTrue(reports)
        for line in reports:
            self.assertIn(f"base={place}/build/release ", line)
        self.assertRegex(said, r"(?s)about \d+ min.*first.*ctest -L perf")

    def test_emulated_builds_the_emulated_gpu_and_runs_its_cases_alone(self):
        self.commit("second")
        said = self.perf("--emulated", "-R", "char_lm")
        self.assertEqual(self.steps("build"), [f"build {self.root} stepgate_cases emulated_gpu"])
        self.assertEqual([line.split(" --no-tests=error ")[1] for line in self.steps("ctest")], ["-L perf -L emulated -R char_lm"])
        [report] = self.steps("stepgate")
        self.assertIn("--runner-class emulated-h100 --out ", report)
        self.assertTrue(report.endswith("/stepgate-out-emulated-h100"), report)
        self.assertIn("emulated H100", said)
        self.perf()
        self.assertNotIn("emulated", self.log.read_text(), "the gate builds and runs nothing of it")
        self.assertIn("give one of them", self.perf("--emulated", "--against", "main", expect=1))

    def test_help_and_mistakes_build_nothing(self):
        said = self.perf("--help")
        self.assertIn("ci/perf [--short] [--against REF]", said)
        self.assertNotIn("#", said)
        self.assertIn("unknown option --agianst", self.perf("--agianst", "main", expect=1))
        self.assertEqual(self.steps("build"), [])

    def test_without_a_home_it_says_what_to_set(self):
        said = self.perf("--help", expect=1, without=("HOME", "XDG_CACHE_HOME", "STEPGATE_CACHE"))
        self.assertIn("set STEPGATE_CACHE", said)

    def test_a_second_run_uses_the_same_worktree(self):
        self.commit("second")
        self.perf("--against", "main")
        said = self.perf("--against", "main")
        self.assertEqual(self.git("worktree", "list").count("/cache/base/"), 1)
        self.assertIn("built before", said)

    def test_without_it_a_base_that_was_not_built_stays_so_and_the_command_is_printed_last(self):
        self.commit("second")
        said = self.perf("--short")
        self.assertEqual(len(self.steps("build")), 1)
        self.assertTrue(all("base=none" in half for half in self.steps("ctest")))
        self.assertIn("ci/perf --against main (", said.splitlines()[-1])
        self.assertFalse((self.folder / "cache" / "base").exists())

    def test_without_it_a_base_that_was_built_before_is_compared_with(self):
        self.commit("second")
        self.perf("--against", "main")
        said = self.perf("--short")
        place = self.folder / "cache" / "base" / self.base
        self.assertEqual(self.steps("build"), [f"build {self.root} stepgate_cases"], "the base is not built again")
        self.assertTrue(all(f"base={place}/build/release " in half for half in self.steps("ctest")))
        self.assertIn("comparing with it, as ci/perf --against main", said)
        self.assertIn("built before", said)
        manifest = place / "build" / "release" / "stepgate-manifest.json"
        manifest.write_text('{"cases": [\n {"name": "a/b/c", "program": "bin/perftests"}\n]}')
        self.assertIn("ci/perf --against main (", self.perf("--short").splitlines()[-1], "its build was interrupted")
        self.assertTrue(all("base=none" in half for half in self.steps("ctest")))

    def test_a_base_in_the_cache_that_somebody_changed_is_built_anew(self):
        self.commit("second")
        self.perf("--against", "main")
        place = self.folder / "cache" / "base" / self.base
        launcher = place / "build" / "release" / "bin" / "stepgate"
        elsewhere = ["git", "-C", place, "checkout", "-q", "--detach", "change"]
        changes = [("its files", lambda: (place / "file").write_text("edited")),
                   ("its files", lambda: (place / "new.cpp").write_text("the build takes it")),
                   ("its commit", lambda: subprocess.run(elsewhere, check=True)),
                   ("its programs", lambda: launcher.write_text(launcher.read_text() + "# edited\n"))]
        for said, change in changes:
            with self.subTest(said):
                change()
                without = self.perf("--short")
                self.assertTrue(all("base=none" in half for half in self.steps("ctest")))
                self.assertIn("not as it was built", without)
                again = self.perf("--against", "main")
                self.assertIn(f"not as it was built ({said}", again)
                self.assertNotIn("built before", again)
                self.assertEqual((place / "file").read_text(), "first")
                self.assertFalse((place / "new.cpp").exists())
                self.assertNotIn("edited", launcher.read_text())
        self.assertIn("built before", self.perf("--against", "main"))

    def test_a_base_build_that_was_interrupted_goes_on(self):
        self.commit("second")
        self.perf("--against", "main")
        place = self.folder / "cache" / "base" / self.base
        object_file = place / "build" / "release" / "object.o"
        object_file.write_text("")
        (self.folder / "cache" / "base" / f"{self.base}.built").unlink()
        self.assertIn("ci/perf --against main (", self.perf("--short").splitlines()[-1])
        self.perf("--against", "main")
        self.assertTrue(object_file.exists())
        self.assertIn("comparing with it", self.perf("--short"))

    def test_a_base_build_that_the_user_named_is_taken(self):
        self.commit("second")
        self.perf("--against", "main")
        said = self.perf(more={"STEPGATE_BASE_BUILD": "/elsewhere"})
        self.assertTrue(all("base=/elsewhere " in half for half in self.steps("ctest")))
        self.assertNotIn("--against", said)

    def test_where_nothing_differs_from_the_branch_nothing_is_said_of_a_base(self):
        self.assertNotIn("base", self.perf())
        self.git("checkout", "-q", "main")
        self.assertNotIn("base", self.perf())
        self.commit("on main")
        self.assertNotIn("base", self.perf())

    def test_the_base_itself_is_not_compared_with_itself(self):
        said = self.perf("--against", "main")
        self.assertIn("nothing to compare", said)
        self.assertTrue(all("base=none" in half for half in self.steps("ctest")))
        (self.root / "build").mkdir(exist_ok=True)
        (self.root / "build" / "ignored.cpp").write_text("")
        self.assertIn("nothing to compare", self.perf("--against", "main"))
        (self.root / "new.cpp").write_text("the build takes it")
        self.perf("--against", "main")
        self.assertTrue(all("base=none" not in half for half in self.steps("ctest")))
        (self.root / "new.cpp").unlink()
        (self.root / "file").write_text("changed and not committed")
        self.perf("--against", "main")
        self.assertTrue(all("base=none" not in half for half in self.steps("ctest")))

    def test_unknown_references_are_refused_before_anything_is_built(self):
        self.assertIn("no_such_branch", self.perf("--against", "no_such_branch", expect=1))
        self.assertIn("--against needs", self.perf("--against", expect=1))
        self.assertEqual(self.log.read_text(), "")


if __name__ == "__main__":
    unittest.main()
