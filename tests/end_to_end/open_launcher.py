"""The launcher where every user may run it: the build may lie below a home folder that only its owner enters."""

import os
import pathlib
import shutil

BUILD = pathlib.Path(os.environ["STEPGATE_TEST_BUILD"])


def open_launcher(folder):
    """A copy of the launcher in `folder`, which every user may enter from now on."""
    copy = pathlib.Path(folder) / "stepgate"
    shutil.copy(BUILD / "bin" / "stepgate", copy)
    copy.chmod(0o755)
    pathlib.Path(folder).chmod(0o755)
    return copy
