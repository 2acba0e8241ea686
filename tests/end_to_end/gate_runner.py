"""Runs the built stepgate on the programs of a build in a separate folder, for the end-to-end tests."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile

BUILD = pathlib.Path(os.environ["STEPGATE_TEST_BUILD"])
SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
STEPGATE = BUILD / "bin" / "stepgate"
FAULTY = BUILD / "bin" / "faulty_char_lm"
CASE = "language/char_lm/tiny"


def training_data():
    """The folder of training data: of the test, else of the build."""
    if "STEPGATE_TEST_DATA_DIR" in os.environ:
        return os.environ["STEPGATE_TEST_DATA_DIR"]
    cases = json.loads((BUILD / "stepgate-manifest.json").read_text())["cases"]
    return next(case["data_root"] for case in cases if "data_root" in case)


class Workplace:
    """A temporary project: manifest, policies, baselines and results in one folder."""

    def __init__(self, program=FAULTY, case=CASE, build_type="Release", timeout_s=120, tainting=False):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="stepgate-e2e-"))
        self.baselines = self.folder / "baselines"
        self.policies = self.folder / "policies"
        self.out = self.folder / "out"
        suite = case.split("/")[0]
        shutil.copytree(SOURCE / "perftests" / suite, self.policies / suite,
                        ignore=shutil.ignore_patterns("*.cpp", "*.h"))
        if not tainting:
            self.taint_nothing(suite)
        self.manifest = {
            "schema": {"name": "stepgate.manifest", "major": 1, "minor": 1},
            "build_type": build_type,
            # A shared compiler cache may give objects of a checkout that is gone, whose lines are then found below this.
            "source_root": str(SOURCE),
            "policy_root": str(self.policies),
            "baseline_root": str(self.baselines),
            "cases": [{"name": case, "suite": suite, "program": str(program), "device": "cpu",
                       "timeout_s": timeout_s, "data_root": training_data()}],
        }
        self.write_manifest()

    def taint_nothing(self, suite):
        """Raises the limits, because most tests need clean processes also on a shared machine."""
        file = self.policies / suite / "policy.json"
        policy = json.loads(file.read_text())
        policy["taint_limits"] = {key: 1 for key in ("steal_fraction", "runqueue_wait_fraction", "foreign_busy_fraction")}
        file.write_text(json.dumps(policy))

    def write_manifest(self):
        (self.folder / "stepgate-manifest.json").write_text(json.dumps(self.manifest))

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, *words, fault="none", env=None, timeout=600, expect=None):
        """Runs `stepgate WORDS` here; checks the exit status if `expect` is given."""
        variables = {k: v for k, v in os.environ.items() if not k.startswith("STEPGATE_") and k != "CI"}
        variables.update({"STEPGATE_TEST_FAULT": fault, "NO_COLOR": "1"}, **(env or {}))
        out = [] if words[-1] == "lint" else ["--out", str(self.out)]  # lint reads no results
        done = subprocess.run([str(STEPGATE), *words, "--build", str(self.folder), *out],
                              env=variables, capture_output=True, text=True, timeout=timeout, cwd=self.folder,
                              stdin=subprocess.DEVNULL, errors="replace")
        if expect is not None and done.returncode != expect:
            raise AssertionError(f"{' '.join(words)}: exit {done.returncode}, expected {expect}\n"
                                 f"--- stdout\n{done.stdout}\n--- stderr\n{done.stderr}")
        return done

    def gate(self, tier, **options):
        words = ["gate", CASE, "--tier", tier, *options.pop("words", [])]
        return self.run(*words, **options)

    def accept(self, *words, **options):
        return self.run("baseline", "accept", "--reason", "recorded by an end-to-end test", "--local", *words,
                        **options)

    def verdict(self, tier, case=CASE):
        """The only outcome in the verdict.json of a case and tier."""
        document = json.loads((self.out / case / tier / "verdict.json").read_text())
        return document["outcomes"][0]


def metric(outcome, name):
    for entry in outcome["metrics"]:
        if entry["metric"] == name:
            return entry
    raise AssertionError(f"no metric {name} in {[m['metric'] for m in outcome['metrics']]}")


def causes(outcome):
    return "\n".join(f["message"] + " | " + f["advice"] for f in outcome["findings"] if f["severity"] == "cause")
