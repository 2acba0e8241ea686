"""With the auditing library each name of a CUDA library leads to the private folder or nowhere."""

import os
import pathlib
import subprocess
import unittest

PROBE = os.environ["STEPGATE_LOADER_PROBE"]
FOLDER = pathlib.Path(os.environ["STEPGATE_LOADER_FOLDER"])  # of the shims and the auditing library
VENDOR = pathlib.Path(os.environ["STEPGATE_LOADER_VENDOR"])


def answers(**variables):
    environment = {name: value for name, value in os.environ.items() if name != "LD_AUDIT"} | variables
    done = subprocess.run([PROBE, VENDOR / "libcupti.so.13"], env=environment, capture_output=True, text=True)
    return done.stdout.strip() or done.stderr.strip()


class Loader(unittest.TestCase):
    def test_without_it_the_programs_own_path_counts(self):
        # Beside a real driver the library by name is NVIDIA's, which has no such function (-2).
        self.assertRegex(answers(), "^linked 1, by name -[12], by path 1, not emulated 1, another's 0$")

    def test_with_it_every_name_leads_to_the_folder(self):
        self.assertEqual(answers(LD_AUDIT=str(FOLDER / "libstepgate_emulated_loader.so")),
                         "linked 2, by name 2, by path 2, not emulated -1, another's 0")

    def test_beside_another_auditing_library_it_finds_its_folder(self):
        self.assertEqual(answers(LD_AUDIT=f"/nowhere/libother.so:{FOLDER / 'libstepgate_emulated_loader.so'}"),
                         "linked 2, by name 2, by path 2, not emulated -1, another's 0")

    def test_a_path_search_does_not_find_the_vendors_library(self):
        self.assertEqual(answers(LD_AUDIT=str(FOLDER / "libstepgate_emulated_loader.so"), LD_LIBRARY_PATH=str(VENDOR)),
                         "linked 2, by name 2, by path 2, not emulated -1, another's 0")


if __name__ == "__main__":
    unittest.main()
