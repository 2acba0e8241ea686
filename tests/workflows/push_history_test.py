"""push_history.sh creates the branch of a history, adds to it, and keeps what another writer pushed."""

import os
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"]) / "ci" / "workflows" / "push_history.sh"
BRANCH = "stepgate-history"


class PushHistory(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="stepgate-push-")
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        self.remote = self.folder / "remote.git"
        subprocess.run(["git", "init", "--quiet", "--bare", self.remote], check=True)

    def push(self, name, text="{}"):
        file = self.folder / f"from-{name}" / "h200" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        done = subprocess.run([SCRIPT, file.parent.parent, self.remote, BRANCH], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def git(self, *words):
        return subprocess.run(["git", "-C", self.remote, *words], capture_output=True, text=True, check=True).stdout.split()

    def test_sessions_of_two_pushes_are_all_there(self):
        self.push("a.json")
        self.push("b.json")
        self.assertEqual(self.git("ls-tree", "-r", "--name-only", BRANCH), ["h200/a.json", "h200/b.json"])
        self.assertEqual(len(self.git("rev-list", BRANCH)), 2)

    def test_a_stored_file_stays_as_it_is(self):
        self.push("a.json")
        self.assertIn("nothing new", self.push("a.json", '{"other": 1}'))
        self.assertEqual(self.git("show", f"{BRANCH}:h200/a.json"), ["{}"])

    def test_another_writer_that_was_first_loses_nothing(self):
        """The remote refuses the first push, and has a new commit of another writer by then."""
        self.push("a.json")
        other = self.folder / "other"
        subprocess.run(["git", "clone", "--quiet", "--branch", BRANCH, self.remote, other], check=True)
        (other / "other.json").write_text("{}")
        subprocess.run("git add --all && git -c user.name=o -c user.email=o@localhost commit --quiet -m other && "
                       "git push --quiet origin HEAD:refs/heads/other", shell=True, cwd=other, check=True)
        hook = self.remote / "hooks" / "pre-receive"
        hook.write_text("#!/bin/sh\nrm \"$0\"\nunset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY\n"
                        f"git update-ref refs/heads/{BRANCH} refs/heads/other\nexit 1\n")
        hook.chmod(0o755)
        self.push("b.json")
        self.assertEqual(self.git("ls-tree", "-r", "--name-only", BRANCH), ["h200/a.json", "h200/b.json", "other.json"])


if __name__ == "__main__":
    unittest.main()
