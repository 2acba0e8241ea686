"""Mutations that once broke a rule. They are tried first, every time: found_cases.json, one row per case.

  {"target": "manifest", "path": ["schema", "mayor"], "value": 1, "broke": "what went wrong"}
"""

import json
import pathlib

import mutator
from file_attack import GREEN_TARGETS, RED_TARGETS

FOUND = pathlib.Path(__file__).resolve().parent / "found_cases.json"


def run(files):
    """Yields a text for each case that breaks a rule again."""
    targets = {target.name: target for target in GREEN_TARGETS + RED_TARGETS}
    for case in json.loads(FOUND.read_text()):
        target = targets[case["target"]]
        document = target.form.document_of(target.at(files.projects / target.project).read_bytes())
        changed = mutator.replaced(document, case["path"], case["value"])
        mutation = mutator.Mutation(f"found case: {case['broke']}", target.form.text_of(changed), tuple(case["path"]), changed)
        yield from files.tried(target, mutation)
