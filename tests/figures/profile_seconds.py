"""How long a profile takes, beside the same case measured once without one.

Argument: runs (3). Environment: STEPGATE_TEST_BUILD, STEPGATE_FIGURE_CASE (language/char_lm/tiny).
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

BUILD = pathlib.Path(os.environ["STEPGATE_TEST_BUILD"])
CASE = os.environ.get("STEPGATE_FIGURE_CASE", "language/char_lm/tiny")
TARGET_S = 60


def seconds(folder, *words):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("STEPGATE_") and key != "CI"}
    begin = time.perf_counter()
    done = subprocess.run([BUILD / "bin" / "stepgate", *words, CASE, "--build", BUILD, "--out", folder],
                          env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"profile_seconds: {' '.join(words)} {CASE} exits {done.returncode}\n{done.stdout}{done.stderr}")
    return time.perf_counter() - begin


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    profiles, measured, processes = [], [], []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            measured.append(seconds(folder, "run"))
            profiles.append(seconds(folder, "profile"))
            page = json.loads((pathlib.Path(folder) / "profile" / CASE / "profile.json").read_text())
            processes.append(page["processes"])
    print(f"{CASE}, median of {runs} runs in turns")
    print(f"  stepgate run      {statistics.median(measured):6.1f} s")
    print(f"  stepgate profile  {statistics.median(profiles):6.1f} s, {processes[-1]} processes "
          f"(target: at most {TARGET_S} s)")


if __name__ == "__main__":
    main()
