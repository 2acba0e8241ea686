"""Command lines drawn from the help texts, with values that no user should pass."""

import collections
import random as random_numbers
import re

from file_attack import reset
from invariants import broken
from program_attack import own_commands_removed
from workplace import BENCHMARK_CASE, CASE

COMMANDS = [("gate",), ("run",), ("check",), ("list",), ("report",), ("compare",), ("baseline", "accept"), ("baseline", "diff"),
            ("baseline", "lint"), ("baseline", "show"), ("doctor",), ("ablate",), ("recover",), ("ab",), ("sweep",), ("profile",), ("merge",),
            ("history", "add"), ("history", "show"), ("history", "import"), ("history", "check"), ("history", "ack"), ("history", "plot"),
            ("history", "export"), ("plan", "ab"), ("plan", "sweep"), ("shard", "run"), ("init",)]
VALUES = ["", "-1", "0", "1", "2", "nan", "inf", "1e309", "-0", "99999999999999999999", "9223372036854775807", "1e-400", "0x10", "1.5", "a,b", ",",
          "=", "a=b", "e2e=", "e2e=0", "e2e=-1,window=10", "e2e=10,window=10", "*", "[", "../../..", ".", "/", "/dev/full", "/dev/null", "/dev/zero",
          "pipe", "gone/gone", "loop", "\n::error::x", "##[error]x", "\x1b[31m", "%s%n", "x" * 5000, "\udcff", "exact", "timed", "all", "auto", "host",
          "observe", "process", "emulated:h100", "emulated:h100:2:values", "windows", "processes", "tuned", "always", "local", "portable", CASE, BENCHMARK_CASE, "toys/word_model/tyni", "width=1,2", "width=1",
          "batch_size=8", "batch_size=", "=8", "batch_size=\x1b[31m", "batch_size=" + "9" * 5000,
          "build", "base", "out", "before", f"out/{CASE}/exact/measurement.json", "policies", "../../x", "traces/two_steps.json"]
# Options that would rightly make a command long: with a value from VALUES a count may be legal and large.
PATIENT = {"--wait-lock"}


def options_of(place, command):
    text = place.run(*command, "--help").stdout.decode()
    return sorted(set(re.findall(r"^\s+(--[a-z-]+)", text, re.MULTILINE)))


class OptionAttack:
    """Draws command lines from one seed."""

    def __init__(self, projects, place, seed):
        self.projects = projects
        self.place = place
        self.random = random_numbers.Random(seed)
        self.counts = collections.Counter()
        self.options = {command: options_of(place, command) for command in COMMANDS}

    def line(self):
        command = self.random.choice(COMMANDS)
        known = self.options[command] if self.random.random() < 0.9 else self.options[self.random.choice(COMMANDS)]
        words = list(command)
        if self.random.random() < 0.7:
            words.append(self.random.choice([CASE, BENCHMARK_CASE, self.random.choice(VALUES)]))
        if self.random.random() < 0.8:
            words += ["--build", "build"]
        for _ in range(self.random.randrange(4)):
            option = self.random.choice(known or ["--help"])
            if option in PATIENT:
                continue
            value = self.random.choice(VALUES)
            words += self.random.choice([[option, value], [f"{option}={value}"], [option]])
        return [word.replace("\0", "") for word in words]

    def run(self, count):
        """Yields a text for each command line that broke an invariant."""
        for number in range(count):
            reset(self.projects, self.place, self.random.choice(["green", "red", "history", "told"]))
            (self.place.folder / "loop").symlink_to("loop")
            words = self.line()
            outcome = self.place.run(*words)
            self.counts[words[0]] += 1
            for problem in broken(own_commands_removed(outcome)):
                yield f"line {number}: stepgate {' '.join(words)!a}: {problem}\n    {outcome.text[:300]!r}"
