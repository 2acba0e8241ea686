"""What comes back for the addresses of a perftest: names of sources that nobody should open, and an addr2line that misbehaves.

A program decides what its debug information says (`#line 5 "/tmp/fifo"`), so an addr2line that says it stands in its place.
"""

import dataclasses
import json
import os

from file_attack import reset
from invariants import broken
from program_attack import LEFT_BEHIND, left_behind
from workplace import CASE

GATE = ("gate", CASE, "--build", "build", "--tier", "exact", "--exact-replicates", "1", "--quiet")
# The line is that of a closing brace alone, and a call is inlined there: the launcher looks for the call in the source.
NAMES = """while read offset; do
  printf '0x%%016x\\nat::Tensor::clone() const\\n/wheel/torch/include/ATen/core/TensorBody.h:5\\nNet::forward()\\n' "$offset"
  echo "%s:3"
done
"""
ANSWERS_S = 10  # the patience with an addr2line that does not answer
ENDS_S = 60


@dataclasses.dataclass
class HostileAnswer:
    name: str
    script: str  # of addr2line; {place} is the folder of the project, {sleep} a program that sleeps


def naming(name):
    return NAMES % name


ANSWERS = [
    HostileAnswer("a source", naming("{place}/source/model.cpp")),
    HostileAnswer("a FIFO", naming("{place}/fifo")),
    HostileAnswer("a FIFO in the source tree", naming("{place}/source/fifo")),
    HostileAnswer("a device", naming("/dev/zero")),
    HostileAnswer("a link to a device", naming("{place}/source/zero")),
    HostileAnswer("a terabyte", naming("{place}/source/sparse.cpp")),
    HostileAnswer("a folder", naming("{place}/source")),
    HostileAnswer("links in a circle", naming("{place}/source/loop")),
    HostileAnswer("a link out of the source tree", naming("{place}/source/outside.cpp")),
    HostileAnswer("its memory", naming("/proc/self/mem")),
    HostileAnswer("a name of a million folders", naming("$(head -c 1000000 /dev/zero | sed 's/../\\/d/g')")),
    HostileAnswer("a terminal's commands", naming("$(printf '/\\033]0;title\\007/::error::x')")),
    HostileAnswer("nothing, and a process left behind", "{sleep} 300 &\n"),
    HostileAnswer("nothing for ever, with a child", "{sleep} 300 &\nwait\n"),
    HostileAnswer("something for ever, with a child", "{sleep} 300 &\nyes /x.cpp:1\n"),
    HostileAnswer("a closed stdout for ever", "exec >&-\nexec {sleep} 300\n"),
]
# The contract of run_command(): what a command that ended leaves behind is not the launcher's.
LEAVES_BEHIND = {"nothing, and a process left behind"}


def run(projects, place):
    """Yields a text for each answer that broke a rule."""
    for answer in ANSWERS:
        yield from (f"{answer.name}: {problem}" for problem in tried(projects, place, answer))


def lay_out(projects, place, answer):
    reset(projects, place, "green")
    record = json.loads((place.folder / "build/records/exact.json").read_text())
    record["counts"]["observed"] = {
        "steps": 1, "frames_from": "nothing", "places": [{"offsets": ["1000"]}],
        "sites": [{"boundary": "forward", "name": "aten::clone", "calls": 1, "place": 0}]}
    place.write("build/records/exact.json", record)
    manifest = json.loads((place.folder / "build/stepgate-manifest.json").read_text())
    place.write("build/stepgate-manifest.json", {**manifest, "source_root": str(place.folder / "source")})
    source = place.folder / "source"
    place.write("source/model.cpp", "Tensor forward() {\n  return cat({a.clone(), b});\n}\n")
    with place.write("source/sparse.cpp", "Tensor forward() {\n").open("r+b") as sparse:
        sparse.truncate(1 << 40)
    for fifo in (place.folder / "fifo", source / "fifo"):
        os.mkfifo(fifo)
    place.write("outside.cpp", "Tensor secret() {\n  return cat({a.clone(), b});\n}\n")
    for name, target in (("zero", "/dev/zero"), ("loop", "loop"), ("outside.cpp", place.folder / "outside.cpp")):
        (source / name).symlink_to(target)
    sleep = place.folder / "build/bin" / LEFT_BEHIND
    sleep.write_bytes(open("/bin/sleep", "rb").read())
    sleep.chmod(0o755)
    place.write("tools/addr2line", "#!/bin/sh\n" + answer.script.format(place=place.folder, sleep=sleep)).chmod(0o755)


def tried(projects, place, answer):
    lay_out(projects, place, answer)
    outcome = place.run(*GATE, environment={"PATH": f"{place.folder / 'tools'}:{os.environ['PATH']}"}, limit_s=ENDS_S)
    yield from (f"{problem}: {outcome.text[-300:]!r}" for problem in broken(outcome))
    if outcome.status != 0:
        yield f"status {outcome.status}, expected 0: {outcome.text[-400:]!r}"
    if outcome.seconds > 3 * ANSWERS_S:
        yield f"took {outcome.seconds:.0f} s"
    count = sum(1 for _ in left_behind())
    if count and answer.name not in LEAVES_BEHIND:
        yield "a process outlived its addr2line"
    stored = json.loads((place.out / CASE / "exact/measurement.json").read_text()) if outcome.status == 0 else {}
    frames = frames_of(stored)
    if frames and answer.name != "a source" and any(line == 2 for line in frames):
        yield "the line of a source that should not have been opened"
    if answer.name == "a source" and frames != [2]:
        yield f"lines {frames}, expected that of the call, 2"


def frames_of(measurement):
    """The lines in the places of the measurement's records."""
    records = [replicate.get("record", {}) for replicate in measurement.get("replicates", [])]
    return [frame.get("line") for record in records for place in record.get("counts", {}).get("observed", {}).get("places", [])
            for frame in place.get("frames", [])]
