"""The matrix of a GitHub workflow has one job for each shard of the plan."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"])
SCRIPT = SOURCE / "ci" / "workflows" / "shard_matrix.py"
PLAN = {"schema": {"name": "stepgate.shard_plan", "major": 1, "minor": 0}, "shards": 3}


class ShardMatrix(unittest.TestCase):
    def printed(self, text):
        with tempfile.TemporaryDirectory() as folder:
            if text is not None:
                (pathlib.Path(folder) / "plan.json").write_text(text)
            return subprocess.run([sys.executable, str(SCRIPT), folder], capture_output=True, text=True)

    def test_has_one_job_for_each_shard(self):
        done = self.printed(json.dumps(PLAN))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        name, _, shards = done.stdout.strip().partition("=")
        self.assertEqual((name, json.loads(shards)), ("shards", [1, 2, 3]))

    def test_refuses_what_is_no_plan(self):
        other = {**PLAN, "schema": {"name": "stepgate.ab_plan", "major": 1}}
        for text, part in ((None, "plan.json"), ("{", "plan.json"), ("[]", "plan.json"), (json.dumps(other), "stepgate.ab_plan"),
                           (json.dumps({**PLAN, "shards": 0}), "0 shards"), (json.dumps({**PLAN, "shards": 300}), "256"),
                           (json.dumps({**PLAN, "shards": "3\nx=y"}), "plan.json")):
            done = self.printed(text)
            self.assertEqual((done.returncode, done.stdout), (1, ""), text)
            self.assertIn(part, done.stderr)


if __name__ == "__main__":
    unittest.main()
