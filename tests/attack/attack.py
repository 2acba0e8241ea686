"""Attacks the built stepgate: mutated files, hostile command lines, faults of system calls, hostile perftests,
hostile answers about their addresses, hostile files in the place of stepgate-studies.

  attack.py [--mutations N] [--lines N] [--faults N] [--seed S] [--part N/M] [--only NUMBER]

Each part prints how much it tried. Every problem is printed; the exit status is 1 if there was one. Mutations of
found_cases.json, which once broke a rule, run first, every time. With --part 2/4 the second quarter is tried: the four of one
seed try what the whole does. --only 17 tries the mutation of that number alone.
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
    parser.add_argument("--part", type=part, default=(1, 1), metavar="N/M")
    parser.add_argument("--only", type=int, metavar="NUMBER")
    return parser.parse_args()


def part(text):
    number, of = (int(word) for word in text.split("/"))
    if not 1 <= number <= of:
        raise argparse.ArgumentTypeError(f"'{text}' is no part: give 1/4 to 4/4")
    return number, of


def share(count, options):
    """The numbers below `count` that this part tries."""
    number, of = options.part
    return range(number - 1, count, of)


def main():
    options = arguments()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="stepgate-attack-"))
    if not private_root.enter(folder):
        folder.rmdir()
        print("SKIPPED: a private root needs root or user namespaces")
        return SKIPPED
    number, of = options.part
    print(f"attack with seed {options.seed}, part {number} of {of}", flush=True)
    place, projects = Workplace(folder / "place"), folder / "projects"
    place.folder.mkdir()
    projects.mkdir()
    file_attack.prepare(projects, place)
    files = file_attack.FileAttack(projects, place, options.seed)
    files.check_untouched()
    if options.only is not None:
        return 1 if report([("mutation", files.run([options.only]))], options.show) else 0
    # The seed of command lines differs from part to part, since they are drawn one after the other.
    lines = option_attack.OptionAttack(projects, place, options.seed + number - 1)
    parts = [
        ("found cases", found_cases.run(files)),
        ("mutations", files.run(share(options.mutations, options))),
        ("command lines", lines.run(len(share(options.lines, options)))),
        ("faults of system calls", system_call_attack.run(projects, place, options)),
    ]
    if number == 1:  # these are always the same
        parts += [
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
