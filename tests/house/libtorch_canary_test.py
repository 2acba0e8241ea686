"""The canary of LibTorch's API stands for the whole code: it includes every header of LibTorch that the code includes, and the
oldest and the newest version have compiled it as it is. So no other LibTorch is needed here."""

import hashlib
import os
import pathlib
import re
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
CANARY = SOURCE / "tests/canary/libtorch_api.cpp"
INCLUDE = re.compile(r"^#include <((?:ATen|c10|torch)/[^>]+)>", re.M)
RUN_IT = "next: ci/libtorch_versions --canary, then commit tests/canary"


VALUES = SOURCE / "harness/emulator/values"


def headers_of(file):
    return set(INCLUDE.findall(file.read_text()))


def headers_of_code():
    """Header -> a file that includes it."""
    found = {}
    for folder in ("harness", "perftests", "templates"):
        for pattern in ("*.h", "*.cpp"):
            for file in sorted((SOURCE / folder).rglob(pattern)):
                if VALUES in file.parents:
                    continue  # built for the LibTorch that is found, and for no other
                for header in headers_of(file):
                    found.setdefault(header, file.relative_to(SOURCE))
    return found


def versions():
    """The versions that ci/libtorch_versions takes by default: the oldest that is promised, the newest that was tried."""
    listed = re.search(r"^OLDEST_AND_NEWEST = \[(.*)\]$", (SOURCE / "ci/libtorch_versions").read_text(), re.M)
    return re.findall(r"[\d.]+", listed.group(1))


class LibtorchCanary(unittest.TestCase):
    def test_it_includes_every_header_that_the_code_includes(self):
        code = headers_of_code()
        self.assertIn("torch/torch.h", code)
        missing = {header: str(file) for header, file in code.items() if header not in headers_of(CANARY)}
        self.assertEqual(missing, {}, f"an older LibTorch may lack them: include them in {CANARY.name}; {RUN_IT}")

    def test_it_includes_nothing_that_the_code_does_not(self):
        self.assertEqual(headers_of(CANARY) - set(headers_of_code()), set())

    def test_the_oldest_and_the_newest_version_have_compiled_this_text(self):
        noted = dict(line.split() for line in (CANARY.parent / "compiled_with.txt").read_text().splitlines())
        text = hashlib.sha256(CANARY.read_bytes()).hexdigest()
        self.assertEqual(noted, {version: text for version in versions()}, f"the canary has changed since; {RUN_IT}")

    def test_the_oldest_version_is_the_one_that_a_build_asks_for(self):
        asked = re.search(r"find_package\(Torch ([\d.]+) ", (SOURCE / "ci/cmake/torch.cmake").read_text()).group(1)
        self.assertTrue(versions()[0].startswith(asked + "."), asked)


if __name__ == "__main__":
    unittest.main()
