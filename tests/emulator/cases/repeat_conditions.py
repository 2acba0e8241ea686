"""What a run is repeated under: a busy machine, few CPUs, a checkout elsewhere. None of these may change an integer."""
import contextlib
import dataclasses
import itertools
import os
import pathlib
import shutil
import subprocess
import sys
import typing

from emulated_runs import Refused

# Each part of a condition, and what it sets. A condition is one part, or several with + between: busy+one-core.
PARTS = {
    "idle": {"busy": False},
    "busy": {"busy": True},
    "one-core": {"cores": 1},
    "two-cores": {"cores": 2},
    "this-path": {"elsewhere": False},
    "other-path": {"elsewhere": True},
}
EVERY = tuple("+".join(parts) for parts in
              itertools.product(("idle", "busy"), ("one-core", "two-cores"), ("this-path", "other-path")))

# Ends with its parent, however that one ends: its parent is then another process.
BURNER = """import os, sys
os.sched_setaffinity(0, {int(sys.argv[1])})
parent = int(sys.argv[2])
while os.getppid() == parent:
    for _ in range(200000):
        pass
"""


@dataclasses.dataclass(frozen=True)
class Condition:
    """Of one repeated run. What is None or False is as in the first run."""
    name: str
    busy: bool = False
    cores: typing.Optional[int] = None
    elsewhere: bool = False

    def cpus(self):
        """The CPUs that the run may use; None for all that this process may use."""
        return None if self.cores is None else sorted(os.sched_getaffinity(0))[:self.cores]


def condition_of(name):
    """Refuses unknown parts, two that contradict each other, and more cores than this process may use."""
    settings = {}
    for part in name.split("+"):
        if part not in PARTS:
            raise Refused(f"--conditions: there is no condition {part!r}; there are {', '.join(PARTS)}, joined by +, "
                          "and all")
        if settings.keys() & PARTS[part].keys():
            raise Refused(f"--conditions: {name} names the same thing twice")
        settings.update(PARTS[part])
    allowed = len(os.sched_getaffinity(0))
    if (settings.get("cores") or 0) > allowed:
        raise Refused(f"--conditions: {name} needs {settings['cores']} CPUs, and this process may use {allowed}")
    return Condition(name, **settings)


def conditions_of(text):
    """Of the option: names with commas between, or `all` for every combination."""
    names = EVERY if text == "all" else text.split(",")
    if len(set(names)) != len(names):
        raise Refused(f"--conditions: {text} names a condition twice")
    return [condition_of(name) for name in names]


@contextlib.contextmanager
def load(condition):
    """Keeps each CPU busy with a process while the block runs, if the condition says so."""
    burners = []
    try:
        for cpu in sorted(os.sched_getaffinity(0)) if condition.busy else ():
            burners.append(subprocess.Popen([sys.executable, "-S", "-c", BURNER, str(cpu), str(os.getpid())]))
        yield burners
        if any(burner.poll() is not None for burner in burners):
            raise Refused(f"{condition.name}: a process that keeps a CPU busy ended early, so the machine was not busy")
    finally:
        for burner in burners:
            burner.kill()
        for burner in burners:
            burner.wait()


@dataclasses.dataclass
class Checkout:
    """A build folder with the program and the emulated GPU, and the training data."""
    build: pathlib.Path
    data: pathlib.Path


def copied(checkout, folder):
    """The program, the emulated GPU and the data again, at paths of other length. Copies where they already are."""
    build = folder / "another_checkout_with_a_longer_path" / "build" / "release"
    copy = Checkout(build, folder / "another_checkout_with_a_longer_path" / "data")
    if build.is_dir():
        return copy
    (build / "bin").mkdir(parents=True)
    shutil.copy2(checkout.build / "bin/perftests", build / "bin")
    shutil.copytree(checkout.build / "emulated_gpu", build / "emulated_gpu")  # with its modes: only its owner may enter
    if checkout.data.is_dir():
        shutil.copytree(checkout.data, copy.data)
    return copy
