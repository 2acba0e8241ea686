"""The launcher where every user may run it: the build may lie below a home folder that only its owner enters."""

import os
import pathlib
import shutil

BUILD = pathlib.Path(os.environ["STEPGATE_TEST_BUILD"])


def open_launcher(folder):
    """A copy of the launcher in `folder`, which every user may enter from now on."""
    for name in ("stepgate", "stepgate-studies"):
        shutil.copy2(BUILD / "bin" / name, folder)
        (pathlib.Path(folder) / name).chmod(0o755)
    pathlib.Path(folder).chmod(0o755)
    return pathlib.Path(folder) / "stepgate"
