#!/usr/bin/env python3
"""Prints the shards of a plan as the matrix of a GitHub job: shards=[1, 2, 3, 4].

    stepgate plan ab CASES ... --shards 4 --out PLAN
    shard_matrix.py PLAN >> "$GITHUB_OUTPUT"         then: matrix: shard: ${{ fromJSON(needs.plan.outputs.shards) }}

Exit status 1 where PLAN holds no plan of this version.
"""

import argparse
import json
import pathlib
import sys

MOST_JOBS = 256  # GitHub's limit of a matrix


def shards_of(text):
    document = json.loads(text)
    schema = document.get("schema", {})
    if schema.get("name") != "stepgate.shard_plan" or schema.get("major") != 1:
        raise ValueError(f"this script does not know the schema {schema}")
    shards = document["shards"]
    if not 1 <= shards <= MOST_JOBS:
        raise ValueError(f"{shards} shards; a matrix has 1 to {MOST_JOBS} jobs: give plan ab another --shards")
    return list(range(1, shards + 1))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plan", type=pathlib.Path, help="folder that stepgate plan ab wrote")
    file = parser.parse_args().plan / "plan.json"
    try:
        print(f"shards={shards_of(file.read_text())}")
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as problem:
        print(f"shard_matrix: {file}: {problem!s:.500}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
