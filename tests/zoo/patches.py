"""Patches of the workloads: applied to a copy of the tree and taken back, and the lines that they add."""
import os
import re
import subprocess

from fault_rows import ENDINGS, FOLDER, Refused


def patch_of(root, name):
    """Faults that only an emulated GPU sees have a folder of their own."""
    emulated = root / FOLDER / "emulated" / f"{name}.patch"
    return emulated if emulated.is_file() else root / FOLDER / "patches" / f"{name}.patch"


def git_apply(tree, patch, *options):
    """The error text of git apply, "" where it went well. The copy lies in no repository, so paths count from it."""
    outside = {**os.environ, "GIT_CEILING_DIRECTORIES": str(tree.parent)}
    done = subprocess.run(["git", "apply", *options, str(patch)], cwd=tree, env=outside, capture_output=True, text=True)
    return done.stderr if done.returncode else ""


class Applied:
    """Patches inside the copy, one over the other, taken back at the end in reverse order."""

    def __init__(self, tree, patches):
        self.tree, self.patches, self.applied = tree, patches, []

    def __enter__(self):
        for patch in self.patches:
            if error := git_apply(self.tree, patch):
                self.take_back()
                raise Refused(f"{patch.name} does not apply:\n{error}  Make the same change in the file as it is now, "
                              f"and write it with: git diff perftests > {patch}")
            self.applied.append(patch)
        return self

    def __exit__(self, *_):
        self.take_back()

    def take_back(self):
        while self.applied:
            patch = self.applied.pop()
            if error := git_apply(self.tree, patch, "-R"):
                raise Refused(f"{patch.name} cannot be taken back:\n{error}")


def changed_files(patch):
    """From the root, as a patch names them: it never adds or removes a file."""
    return [line[len("+++ b/"):] for line in patch.read_text().splitlines() if line.startswith("+++ b/")]


def added_lines(patch):
    """{file: [(number in the patched file, text)]} of the lines that a patch adds."""
    added, name, number = {}, "", 0
    for line in patch.read_text().splitlines():
        if line.startswith("+++ b/"):
            name = line[len("+++ b/"):]
        elif begin := re.match(r"@@ -\S+ \+(\d+)", line):
            number = int(begin[1])
        elif line.startswith("+"):
            added.setdefault(name, []).append((number, line[1:]))
            number += 1
        elif line.startswith(" "):
            number += 1
    return added


def marked_places(patch, marker):
    """(file, lines): the added statement that holds the marker, from its first to its last line."""
    for name, lines in added_lines(patch).items():
        for index, (number, text) in enumerate(lines):
            if marker not in text:
                continue
            last = index
            while not lines[last][1].rstrip().endswith((";", "{", "}")) and last + 1 < len(lines):
                last += 1
            return name, range(number, lines[last][0] + 1)
    raise Refused(f"{patch.name} adds no line with '{marker}'")


def require_in_place(tree, patch, marker):
    """With the patch applied: git applies a patch whose numbers are old, and then causes would stand at other lines."""
    name, lines = marked_places(patch, marker)
    if marker not in (tree / name).read_text().splitlines()[lines[0] - 1]:
        raise Refused(f"{patch.name} applies, but not at its own line numbers: apply it, and write it with: "
                      f"git diff perftests > {patch}")


def check_patches(root, faults, tree):
    """Each patch applies to the files of `tree`, and each marked line is its patch's own, at its number."""
    for row in faults:
        for ending in ENDINGS:
            patch = patch_of(root, row["name"] + ending)
            with Applied(tree, [patch]):
                if "line" in row and not ending:
                    require_in_place(tree, patch, row["line"])


def files_of(root, faults):
    return sorted({name for row in faults for ending in ENDINGS
                   for name in changed_files(patch_of(root, row["name"] + ending))})

