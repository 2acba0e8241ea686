"""Attacks the built stepgate: mutated files, hostile command lines, faults of system calls, hostile perftests,
hostile answers about their addresses, hostile files in the place of stepgate-studies.

  attack.py [--mutations N] [--lines N] [--faults N] [--seed S]

Each part prints how much it tried. Every problem is printed; the exit status is 1 if there was one. Mutations of
found_cases.json, which once broke a rule, run first, every time.
"""

import argparse
import pathlib
import random
import sys
import tempfile
import time

import answer_attack
import file_attack
import found_cases
import option_attack
import private_root
import program_attack
import studies_attack
import system_call_attack
from workplace import Workplace

SKIPPED = 77


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--mutations", type=int, default=300)
    parser.add_argument("--lines", type=int, default=100)
    parser.add_argument("--faults", type=int, default=60, help="faults of system calls; 0: each call of each command")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--show", type=int, default=40, help="print at most this many problems")
    return parser.parse_args()


def main():
    options = arguments()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="stepgate-attack-"))
    if not private_root.enter(folder):
        folder.rmdir()
        print("SKIPPED: a private root needs root or user namespaces")
        return SKIPPED
    print(f"attack with seed {options.seed}", flush=True)
    place, projects = Workplace(folder / "place"), folder / "projects"
    place.folder.mkdir()
    projects.mkdir()
    file_attack.prepare(projects, place)
    files = file_attack.FileAttack(projects, place, options.seed)
    files.check_untouched()
    lines = option_attack.OptionAttack(projects, place, options.seed)
    parts = [
        ("found cases", found_cases.run(files)),
        ("mutations", files.run(options.mutations)),
        ("command lines", lines.run(options.lines)),
        ("faults of system calls", system_call_attack.run(projects, place, options.faults, options.seed)),
        ("hostile programs", program_attack.run(projects, place)),
        ("hostile answers", answer_attack.run(projects, place)),
        ("in the place of the studies", studies_attack.run(projects, place)),
    ]
    return 1 if report(parts, options.show) else 0


def report(parts, most):
    """Runs the parts and prints their problems; returns how many there were."""
    total = 0
    for name, problems in parts:
        started, count = time.monotonic(), 0
        for problem in problems:
            count += 1
            if count <= most:
                print(f"{name}: {problem}", flush=True)
        print(f"{name}: {count} problems in {time.monotonic() - started:.0f} s", flush=True)
        total += count
    return total


if __name__ == "__main__":
    sys.exit(main())
