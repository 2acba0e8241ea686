"""Files that once broke a rule: found/<target>/<what>.json, where _ stands for a blank in the target's name."""

import pathlib

import mutator
from file_attack import GREEN_TARGETS, RED_TARGETS

FOUND = pathlib.Path(__file__).resolve().parent / "found"


def run(files):
    """Yields a text for each case that breaks a rule again."""
    targets = {target.name: target for target in GREEN_TARGETS + RED_TARGETS}
    for file in sorted(FOUND.glob("*/*")):
        target = targets[file.parent.name.replace("_", " ")]
        yield from files.tried(target, mutator.Mutation(f"found case {file.name}", file.read_bytes()))
