"""How long the launcher takes to start and list its cases, beside /bin/true and a Python interpreter, interleaved."""

import os
import pathlib
import statistics
import subprocess
import time

BUILD = pathlib.Path(os.environ["STEPGATE_TEST_BUILD"])
PEERS = {
    "/bin/true": ["/bin/true"],
    "stepgate --version": [BUILD / "bin" / "stepgate", "--version"],
    "stepgate list": [BUILD / "bin" / "stepgate", "list", "--build", BUILD],
    "python3 -c pass": ["python3", "-c", "pass"],
}


def main():
    times = {name: [] for name in PEERS}
    for _ in range(41):
        for name, command in PEERS.items():
            start = time.perf_counter()
            subprocess.run(list(map(str, command)), stdout=subprocess.DEVNULL, check=True)
            times[name].append((time.perf_counter() - start) * 1e3)
    print("start to exit, median of 41 interleaved runs")
    for name, values in times.items():
        print(f"  {name:20} {statistics.median(values):7.2f} ms")
    print("  target: stepgate <= 20 ms")


if __name__ == "__main__":
    main()
