"""Which end-to-end tests may run side by side: none that pauses the daemons of another one."""

import os
import pathlib
import re
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
BUILD = pathlib.Path(os.environ["STEPGATE_TEST_BUILD"])
LOCK = "irqbalance"


def properties_of_tests():
    """What CTest reads of a build: the properties of each test of ci/test by its name."""
    found = {}
    for folder in ("end_to_end", "attack"):
        text = (BUILD / "tests" / folder / "CTestTestfile.cmake").read_text()
        for names, properties in re.findall(r"^set_tests_properties\((.+?) PROPERTIES (.*)\)$", text, re.M):
            for name in re.findall(r"end_to_end\.\w+", names):
                found[name] = found.get(name, "") + " " + properties
    return found


def tests_in_mode_host():
    """The guard's tests, which have a daemon and pause it, and the attack, which draws that mode."""
    files = SOURCE.glob("tests/end_to_end/*_test.py")
    return {"end_to_end.attack", *(f"end_to_end.{file.name.removesuffix('_test.py')}" for file in files
                                   if "from guard_case import" in file.read_text())}


class Neighbours(unittest.TestCase):
    def test_one_test_at_a_time_pauses_daemons(self):
        properties = properties_of_tests()
        names = tests_in_mode_host()
        self.assertLessEqual({"end_to_end.guard", "end_to_end.guard_kills"}, names)
        for name in names:
            self.assertRegex(properties.get(name, ""), rf'RESOURCE_LOCK "{LOCK}"', name)


if __name__ == "__main__":
    unittest.main()
