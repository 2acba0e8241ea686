"""A base and a head build of one program, each with its fault; for the tests of `stepgate ab`."""

import json

from gate_runner import CASE, FAULTY, Workplace

# Short processes: with the case's own 60 steps each needs more than a second.
QUICK = ["--steps", "e2e=40,window=10,phase=10,loader=20,h2d=2,logging=40,synthetic=20"]


def program(place, fault, target=FAULTY):
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(f"#!/bin/sh\nSTEPGATE_TEST_FAULT={fault} exec {target} \"$@\"\n")
    place.chmod(0o755)
    return place


class Builds:
    """A base and a head build, each with its own manifest."""

    def __init__(self, head_fault, base_fault="none"):
        self.head = Workplace()
        self.base = self.head.folder / "base"
        self.base.mkdir()
        self.make(self.head.folder, head_fault)
        self.make(self.base, base_fault)

    def make(self, folder, fault):
        manifest = json.loads(json.dumps(self.head.manifest))
        manifest["cases"][0]["program"] = str(program(folder / "bin" / "train", fault))
        (folder / "stepgate-manifest.json").write_text(json.dumps(manifest))

    def ab(self, *words, **options):
        return self.head.run("ab", CASE, "--base-build", str(self.base), *QUICK, *words, **options)

    def outcome(self):
        return self.head.verdict("ab")

    def folder(self):
        return self.head.out / CASE / "ab"

    def close(self):
        self.head.close()
