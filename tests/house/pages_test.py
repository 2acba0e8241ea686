"""Pages and comments name files that exist, and the ways of docs/README.md lead to the functions that they name."""

import os
import pathlib
import re
import subprocess
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
FOREIGN = ("torch/", "linux/", "tensorflow/", "ATen/")  # headers and sources of others
ROOTS = ("baselines/", "ci/", "docs/", "harness/", "perftests/", "schemas/", "templates/", "tests/")


def files_of_the_tree():
    listed = subprocess.run(["git", "-C", str(SOURCE), "ls-files"], capture_output=True, text=True)
    names = listed.stdout.splitlines() if listed.returncode == 0 else []
    return [name for name in names if (SOURCE / name).exists()] or [
        str(path.relative_to(SOURCE)) for root in ROOTS for path in (SOURCE / root).rglob("*") if path.is_file()]


def files_of_patches():
    """What the worked patches of docs/design/extending.md create."""
    patches = sorted((SOURCE / "docs/design/extending").glob("*.patch"))
    assert len(patches) >= 5
    return [name for patch in patches for name in re.findall(r"^\+\+\+ b/(\S+)", patch.read_text(), re.M)]


TREE = files_of_the_tree()
KNOWN = TREE + files_of_patches()
ENDS = {"/".join(parts[i:]) for parts in (name.split("/") for name in KNOWN) for i in range(len(parts))}
FOLDERS = {str(folder) for name in KNOWN for folder in pathlib.PurePath(name).parents}
PAGES = [SOURCE / name for name in TREE if name == "README.md" or re.match(r"docs/.*\.md$", name)]


def unknown_sources(text):
    """Paths such as `judge/rules/paired_rule.cpp`, also without their first folders, that are no file."""
    named = re.findall(r"(?<![\w./<>*])((?:\w+/)+\w+\.(?:h|cpp|cu))\b", text)
    return [path for path in named if path not in ENDS and not path.startswith(FOREIGN)]


class Pages(unittest.TestCase):
    def test_a_path_that_is_no_file_is_found(self):
        self.assertEqual(unknown_sources("in `judge/rules/paired_rule.cpp` and `harness/core/plan.h`"), [])
        self.assertEqual(unknown_sources("in `judge/no_such_rule.cpp`, see core/no_such_plan.h"),
                         ["judge/no_such_rule.cpp", "core/no_such_plan.h"])

    def test_source_files_that_pages_name_exist(self):
        self.assertGreater(len(PAGES), 50)
        found = [f"{page.relative_to(SOURCE)}: {path}" for page in PAGES
                 for quoted in re.findall(r"`([^`\n]+)`", page.read_text()) for path in unknown_sources(quoted)]
        self.assertEqual(found, [])

    def test_whole_paths_that_pages_name_exist(self):
        found = []
        for page in PAGES:
            for path in re.findall(r"`([\w./-]+)`", page.read_text()):
                if path.startswith(ROOTS) and path.rstrip("/") not in FOLDERS and path not in KNOWN:
                    found.append(f"{page.relative_to(SOURCE)}: {path}")
        self.assertEqual(found, [])

    def test_source_files_that_comments_name_exist(self):
        found = [f"{name}: {path}" for name in TREE if re.match(r"harness/.*\.(h|cpp|cu)$", name)
                 for comment in re.findall(r"//.*", (SOURCE / name).read_text()) for path in unknown_sources(comment)]
        self.assertEqual(found, [])


class Folders(unittest.TestCase):
    """The table "Folders inside a layer" of docs/design/layers.md has the folders of harness/layers.txt."""

    def folders_of_the_page(self):
        page = (SOURCE / "docs/design/layers.md").read_text()
        section = page[page.index("## Folders inside a layer"):].split("\n## ")[0]
        layer, found = "", set()
        for named, folders in re.findall(r"^\| (?:`(\w+)`)? ?\| ([^|]*) \|", section, re.M):
            layer = named or layer
            found |= {f"{layer}/{name}{'*' if star else ''}" for name, star in re.findall(r"`([\w/]+)`(\\\*)?", folders)}
        return found

    def test_the_page_has_the_folders_of_the_list(self):
        listed = re.findall(r"^(\w+/[\w/]+\*?):", (SOURCE / "harness/layers.txt").read_text(), re.M)
        self.assertGreater(len(listed), 50)
        self.maxDiff = None
        self.assertEqual(sorted(self.folders_of_the_page()), sorted(listed))


class Ways(unittest.TestCase):
    """The table "Where is …" of docs/README.md."""
    page = (SOURCE / "docs/README.md").read_text()
    rows = re.findall(r"^\| ((?:Where|What|How) .*\?) \| (.*) \|$", page[page.index("## Where is"):], re.M)

    def test_every_way_ends_at_a_file(self):
        self.assertGreaterEqual(len(self.rows), 10)
        for question, way in self.rows:
            named = [path for path in re.findall(r"`([\w./]+)`", way) if path.startswith(ROOTS)]
            links = re.findall(r"\]\(([\w./]+)(?:#[\w-]+)?\)", way)
            self.assertTrue(named or links, question)
            self.assertEqual([path for path in named if path not in TREE], [], question)
            self.assertEqual([link for link in links if not (SOURCE / "docs" / link).exists()], [], question)

    def test_the_named_functions_are_in_the_named_files(self):
        for question, way in self.rows:
            text = "".join((SOURCE / path).read_text() for path in re.findall(r"`(harness/[\w./]+)`", way))
            missing = [name for name in re.findall(r"`(\w+)\(\)`", way) if not re.search(rf"\b{name}\(", text)]
            self.assertEqual(missing, [], question)

    def test_the_named_headings_exist(self):
        for link, heading in re.findall(r"\]\(([\w./]+)#([\w-]+)\)", self.page):
            titles = re.findall(r"^#+ (.*)$", (SOURCE / "docs" / link).resolve().read_text(), re.M)
            slugs = [re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles]
            self.assertIn(heading, slugs, link)


if __name__ == "__main__":
    unittest.main()
