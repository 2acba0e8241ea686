"""A red of a program without line tables, without symbols, or on a machine without addr2line: it says what it knows."""

import os
import shutil
import subprocess
import unittest

from gate_runner import FAULTY, Workplace, causes, metric


class WithoutLines(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = Workplace()
        cls.addClassCleanup(cls.place.close)
        cls.place.gate("exact", expect=5)
        cls.place.accept(expect=0)

    def red(self, env=None):
        """Gates the stray item; every page of it must be complete but for the line."""
        done = self.place.gate("exact", fault="stray_item", env=env, expect=1)
        outcome = self.place.verdict("exact")
        self.assertEqual(metric(outcome, "host_syncs_per_step")["status"], "regressed")
        self.assertRegex(causes(outcome), r"aten::_local_scalar_dense.*host syncs \+1")
        self.assertNotIn("faulty_char_lm.cpp:", done.stdout)
        return done.stdout

    def stripped(self, *words):
        program = self.place.folder / FAULTY.name
        shutil.copy2(FAULTY, program)
        subprocess.run(["strip", *words, str(program)], check=True)
        case = self.place.manifest["cases"][0]
        case["program"] = str(program)
        self.place.write_manifest()
        self.addCleanup(self.place.write_manifest)
        self.addCleanup(case.update, program=str(FAULTY))

    def test_functions_are_named_where_a_program_has_no_line_tables(self):
        self.stripped("--strip-debug")
        page = self.red()
        self.assertIn("StrayItem::loss_of", page)
        self.assertIn("-g1", page)

    def test_a_program_without_symbols_is_told_how_to_get_lines(self):
        self.stripped("--strip-all")
        self.assertIn("-g1", self.red())

    def test_functions_are_named_where_addr2line_is_missing(self):
        folder = self.place.folder / "bin"
        folder.mkdir()
        for name in ("env", "git", "sh"):
            os.symlink(shutil.which(name), folder / name)
        page = self.red(env={"PATH": str(folder)})
        self.assertIn("StrayItem::loss_of", page)
        self.assertIn("addr2line", page)


if __name__ == "__main__":
    unittest.main()
