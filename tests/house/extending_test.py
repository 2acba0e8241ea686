"""The worked patches of docs/design/extending.md apply, and ci/check_extending refuses what is wrong with one."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])


def check(root):
    return subprocess.run([sys.executable, SOURCE / "ci/check_extending", "--apply-only", "--root", root],
                          capture_output=True, text=True)


def changed(name, before, after):
    """A patch that changes the one line of a file."""
    return f"diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-{before}\n+{after}\n"


class Extending(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name in ("harness/a.cpp", "harness/b.cpp", "tests/a_test.cpp"):
            self.write(name, "old\n")
        self.patch = changed("harness/a.cpp", "old", "new") + changed("tests/a_test.cpp", "old", "new")

    def write(self, name, text):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)

    def check(self, patches, rows=None):
        """Patches are {name: text}; rows of the page are (name, code files, goal)."""
        lines = [f"| {name} | {files} | {goal} | [{name}.patch](extending/{name}.patch) |"
                 for name, files, goal in rows or [(name, 1, 1) for name in patches]]
        self.write("docs/design/extending.md", "\n".join(lines) + "\n")
        for name, text in patches.items():
            self.write(f"docs/design/extending/{name}.patch", text)
        return check(self.root)

    def refusal(self, patches, rows=None):
        done = self.check(patches, rows)
        self.assertEqual(done.returncode, 1, done.stdout)
        return done.stdout + done.stderr

    def test_the_patches_of_the_project_apply_and_keep_their_goals(self):
        done = check(SOURCE)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def test_a_good_patch_passes_and_leaves_the_tree_alone(self):
        done = self.check({"kind": self.patch})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("1 code files, goal 1: ok", done.stdout)
        self.assertEqual((self.root / "harness/a.cpp").read_text(), "old\n")

    def test_more_files_than_the_goal_are_refused_with_their_names(self):
        wide = self.patch + changed("harness/b.cpp", "old", "new")
        self.assertIn("more than the goal: harness/a.cpp, harness/b.cpp", self.refusal({"kind": wide}, [("kind", 2, 1)]))

    def test_the_page_must_state_the_right_number(self):
        self.assertIn("the page says 2", self.refusal({"kind": self.patch}, [("kind", 2, 2)]))

    def test_a_patch_without_a_test_is_refused(self):
        self.assertIn("no test", self.refusal({"kind": changed("harness/a.cpp", "old", "new")}))

    def test_a_patch_that_does_not_apply_is_named(self):
        self.assertIn("kind.patch does not apply", self.refusal({"kind": self.patch.replace("-old", "-other")}))

    def test_two_patches_of_the_same_lines_are_refused(self):
        self.assertIn("second.patch applies alone, and not after",
                      self.refusal({"first": self.patch, "second": self.patch.replace("+new", "+newer")}))

    def test_each_patch_has_a_row(self):
        message = self.refusal({"kind": self.patch, "unnamed": self.patch}, [("kind", 1, 1)])
        self.assertIn("differ: unnamed.patch", message)


if __name__ == "__main__":
    unittest.main()
