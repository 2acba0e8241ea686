"""push_history.sh creates the branch of a history, adds to it, and keeps what another writer pushed."""

import os
import pathlib
import shutil
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

    def write(self, folder, place, text="{}"):
        file = self.folder / folder / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def push_folder(self, folder):
        done = subprocess.run([SCRIPT, self.folder / folder, self.remote, BRANCH], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout + done.stderr

    def push(self, name, text="{}"):
        self.write(f"from-{name}", f"h200/2026/11/{name}", text)
        return self.push_folder(f"from-{name}")

    def git(self, *words):
        return subprocess.run(["git", "-C", self.remote, *words], capture_output=True, text=True, check=True).stdout.split()

    def test_sessions_of_two_pushes_are_all_there(self):
        self.push("a.json")
        self.push("b.json")
        self.assertEqual(self.git("ls-tree", "-r", "--name-only", BRANCH), ["h200/2026/11/a.json", "h200/2026/11/b.json"])
        self.assertEqual(len(self.git("rev-list", BRANCH)), 2)

    def test_a_stored_file_stays_as_it_is(self):
        self.push("a.json")
        self.assertIn("nothing new", self.push("a.json", '{"other": 1}'))
        self.assertEqual(self.git("show", f"{BRANCH}:h200/2026/11/a.json"), ["{}"])

    def test_acknowledgements_and_renames_are_files_of_a_history(self):
        for place in ("acknowledged/x.json", "renames.json", "h200-16c/2026/11/20261122T053450Z-4be1c0ffee12-00ff.json"):
            self.write("whole", place)
        self.assertEqual(self.push_folder("whole"), "")
        self.assertEqual(self.git("ls-tree", "-r", "--name-only", BRANCH),
                         ["acknowledged/x.json", "h200-16c/2026/11/20261122T053450Z-4be1c0ffee12-00ff.json", "renames.json"])

    def test_nothing_of_a_foreign_folder_is_run(self):
        """The folder is a repository itself, with a hook for every step and a configuration that names programs."""
        self.write("hostile", "h200/2026/11/a.json")
        subprocess.run(["git", "init", "--quiet", self.folder / "hostile"], check=True)
        ran = self.folder / "ran"
        for hook in ("pre-commit", "post-checkout", "post-commit", "pre-push", "reference-transaction", "post-index-change"):
            file = self.write("hostile", f".git/hooks/{hook}", f"#!/bin/sh\ntouch {ran}\n")
            file.chmod(0o755)
        with (self.folder / "hostile/.git/config").open("a") as config:
            config.write(f"[core]\n\tfsmonitor = touch {ran}\n\tsshCommand = touch {ran}\n")
        self.push_folder("hostile")
        self.assertFalse(ran.exists())
        self.assertEqual(self.git("ls-tree", "-r", "--name-only", BRANCH), ["h200/2026/11/a.json"])

    def test_links_workflows_and_foreign_names_are_left_out(self):
        secret = self.write("elsewhere", "secret", "token")
        self.write("hostile", "h200/2026/11/a.json")
        os.symlink(secret, self.folder / "hostile/h200/2026/11/link.json")
        os.symlink(self.folder / "elsewhere", self.folder / "hostile/linked")
        foreign = (".github/workflows/run.yml", ".gitlab-ci.yml", "h200/2026/11/run.sh", "h200/2026/11/.gitattributes",
                   "h200/2026/a.json", "a.json", "h200/2026/11/a b.json")
        for place in foreign:
            self.write("hostile", place)
        said = self.push_folder("hostile")
        self.assertEqual(self.git("ls-tree", "-r", "--name-only", BRANCH), ["h200/2026/11/a.json"])
        for left_out in ("link.json", "linked", "run.sh"):
            self.assertIn(left_out, said)

    def test_a_link_on_the_branch_leads_nowhere(self):
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        work = self.folder / "work"
        subprocess.run(["git", "clone", "--quiet", self.remote, work], check=True, capture_output=True)
        (work / "acknowledged").symlink_to(elsewhere)
        subprocess.run(f"git checkout --quiet -b {BRANCH} && git add --all && "
                       "git -c user.name=o -c user.email=o@localhost commit --quiet -m link && "
                       f"git push --quiet origin {BRANCH}", shell=True, cwd=work, check=True)
        self.write("whole", "acknowledged/x.json")
        done = subprocess.run([SCRIPT, self.folder / "whole", self.remote, BRANCH], capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(list(elsewhere.iterdir()), [])

    def test_another_writer_that_was_first_loses_nothing(self):
        """The remote refuses the first push, and has a new commit of another writer by then."""
        self.push("a.json")
        other = self.folder / "other"
        subprocess.run(["git", "clone", "--quiet", "--branch", BRANCH, self.remote, other], check=True)
        (other / "other.json").write_text("{}")
        subprocess.run("git add --all && git -c user.name=o -c user.email=o@localhost commit --quiet -m other && "
                       "git push --quiet origin HEAD:refs/heads/other", shell=True, cwd=other, check=True)
        self.hook(f"rm \"$0\"\ngit update-ref refs/heads/{BRANCH} refs/heads/other\nexit 1\n")
        self.push("b.json")
        self.assertEqual(self.git("ls-tree", "-r", "--name-only", BRANCH), ["h200/2026/11/a.json", "h200/2026/11/b.json", "other.json"])

    def hook(self, text):
        hook = self.remote / "hooks" / "pre-receive"
        hook.write_text("#!/bin/sh\nunset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY\n" + text)
        hook.chmod(0o755)

    def test_a_writer_that_seven_others_overtake_does_not_give_up(self):
        """The remote refuses seven pushes, and has a new commit of another writer each time."""
        self.push("a.json")
        self.hook("n=$(ls | grep -c overtaken)\n[ \"$n\" -lt 7 ] || exit 0\ntouch overtaken$n\n"
                  f"commit=$(git -c user.name=o -c user.email=o@localhost commit-tree -p {BRANCH} -m $n {BRANCH}^{{tree}})\n"
                  f"git update-ref refs/heads/{BRANCH} $commit\nexit 1\n")
        self.push("b.json")
        self.assertEqual(self.git("ls-tree", "-r", "--name-only", BRANCH), ["h200/2026/11/a.json", "h200/2026/11/b.json"])
        self.assertEqual(len(self.git("rev-list", BRANCH)), 1 + 7 + 1)

    def test_twelve_writers_at_once_lose_nothing(self):
        names = [f"{number:02}.json" for number in range(12)]
        for name in names:
            self.write(f"from-{name}", f"h200/2026/11/{name}")
        writers = [subprocess.Popen([SCRIPT, self.folder / f"from-{name}", self.remote, BRANCH], stdout=subprocess.DEVNULL,
                                    stderr=subprocess.PIPE, text=True) for name in names]
        for writer in writers:
            _, said = writer.communicate(timeout=90)
            self.assertEqual(writer.returncode, 0, said)
        self.assertEqual(self.git("ls-tree", "-r", "--name-only", BRANCH), [f"h200/2026/11/{name}" for name in names])

    def refused(self, folder, tries=2):
        words = [SCRIPT, self.folder / folder, self.remote, BRANCH]
        done = subprocess.run(words, capture_output=True, text=True, timeout=60, env={**os.environ, "STEPGATE_PUSH_TRIES": str(tries)})
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_a_repository_that_cannot_be_read_is_no_repository_without_the_branch(self):
        self.write("one", "h200/2026/11/a.json")
        (self.folder / "none").mkdir()
        shutil.rmtree(self.remote)
        for folder in ("one", "none"):
            said = self.refused(folder)
            self.assertIn("could not be read", said)
            self.assertNotIn("nothing new", said)

    def test_a_listing_that_fails_once_is_asked_again(self):
        """The first `git ls-remote` fails, as on a lost connection. It must not look like a branch that is not there yet."""
        self.push("a.json")
        shim = self.folder / "bin" / "git"
        shim.parent.mkdir()
        shim.write_text(f'#!/bin/sh\ncase "$*" in *ls-remote*) [ -e {self.folder}/asked ] || {{ touch {self.folder}/asked; exit 128; }} ;;\n'
                        f'*commit-tree*) echo "$*" >>{self.folder}/commits ;; esac\nexec {shutil.which("git")} "$@"\n')
        shim.chmod(0o755)
        self.write("two", "h200/2026/11/b.json")
        done = subprocess.run([SCRIPT, self.folder / "two", self.remote, BRANCH], capture_output=True, text=True, timeout=60,
                              env={**os.environ, "PATH": f"{shim.parent}:{os.environ['PATH']}"})
        self.assertEqual(done.returncode, 0, done.stderr)
        [commit] = (self.folder / "commits").read_text().splitlines()
        self.assertIn(" -p ", commit)
        self.assertEqual(self.git("ls-tree", "-r", "--name-only", BRANCH), ["h200/2026/11/a.json", "h200/2026/11/b.json"])

    def test_a_remote_that_takes_nothing_is_an_error_that_names_it(self):
        self.write("one", "h200/2026/11/a.json")
        self.hook("exit 1\n")
        said = self.refused("one")
        self.assertIn("may this job", said)
        self.assertIn(str(self.remote), said)


if __name__ == "__main__":
    unittest.main()
