"""A perftest program made of a shell script and prepared records, and the log of what its device did."""
import json
import pathlib
import subprocess

from draws import SIDES, factor_of
from exact_record import exact_record
from machine_events import bus_of, uuid_of
from timed_record import timed_record, with_noise
from virtual_gpu import VirtualGpu

CASE = "vision/scripted/tiny"
REFERENCE = "reference/matmul_copy/fixed"
MOST_PAIRS = 8
MOST_REPLICATES = 6   # of the exact half: a red is confirmed by more
BUS = "@BUS@"

# The CUDA runtime takes the first entry of CUDA_VISIBLE_DEVICES; the launcher writes whole UUIDs there.
SCRIPT = r"""#!/bin/sh
here='{here}'
case $0 in */twin/*) side=twin ;; *) side='{side}' ;; esac
for argument in "$@"; do
  case $argument in
    --stepgate_record=*) record=${{argument#*=}} ;;
    --stepgate_group=*) group=${{argument#*=}} ;;
    --stepgate_replicate=*) replicate=${{argument#*=}} ;;
  esac
done
case $record in
  */pairs/*) number=${{record#*/pairs/}}; number=${{number%%/*}} ;;
  */control/*) number=${{record#*/control/}}; number=control-${{number%%/*}} ;;
  *) number=00$replicate ;;
esac
echo "$side $group $number ${{CUDA_VISIBLE_DEVICES-unset}}" >>"$here/starts"
{shell}
case ${{CUDA_VISIBLE_DEVICES-0}} in
{cases}
  MIG-*) bus={first} ;;
  *) echo "no GPU is visible: CUDA_VISIBLE_DEVICES is '${{CUDA_VISIBLE_DEVICES-}}'" >&2; exit 77 ;;
esac
sed "s/@BUS@/$bus/; s/\"replicate\": 0,/\"replicate\": $replicate,/" "$here/$side/$group-$number.json" >"$record"
"""


def templates_of(scripted_gpu, folder):
    """One record of each group, as the built scripted_gpu writes them: the schema of today."""
    records = {}
    for group, case in (("exact", CASE), ("timed", CASE), ("reference", REFERENCE)):
        file = pathlib.Path(folder) / f"{group}.json"
        subprocess.run([scripted_gpu, f"--stepgate_case={case}", f"--stepgate_group={group}", f"--stepgate_record={file}",
                        "--stepgate_seed=20260101", "--stepgate_replicate=0", "--stepgate_threads=1",
                        "--stepgate_device=cuda"], check=True, capture_output=True, env={"PATH": "/usr/bin:/bin"})
        records[group] = json.loads(file.read_text())
    return records


def shell_cases(machine):
    rows = []
    for index in range(machine.gpus):
        rows.append(f"  {index}|{index},*|{uuid_of(index)}*) bus={bus_of(index)} ;;")
    return "\n".join(rows)


class ScriptedProgram:
    """Both builds of a drawn program in `folder`, with prepared records. `logs`: (side, "exact") -> calls of its device,
    (side, "timed-003") -> the times of a process by figure."""

    def __init__(self, drawn, templates, folder):
        self.drawn, self.templates, self.folder = drawn, templates, folder
        self.logs = {}
        for side in SIDES:
            (folder / side).mkdir(parents=True)
            if side != "twin":  # the control is of times
                self.write_exact(side)
            if drawn.form == "pairs_all":
                self.write_timed(side)
        for side in ("base", "head"):
            self.write_script(side)

    def path(self, side):
        return self.folder / f"{side}_build" / "train"

    def write_script(self, side):
        path = self.path(side)
        path.parent.mkdir()
        path.write_text(SCRIPT.format(here=self.folder, side=side, shell=self.drawn.machine.shell.get(side, ""),
                                      cases=shell_cases(self.drawn.machine), first=bus_of(0)))
        path.chmod(0o755)

    def on_machine(self, record):
        record["fingerprint"].update(self.drawn.machine.facts, gpu_pci_bus_id=BUS)
        return record

    def write_exact(self, side):
        plan = self.drawn.plans[side]
        record = exact_record(self.templates["exact"], plan)
        gpu = VirtualGpu(plan)
        gpu.run("counts", record["steps"]["counts"])
        memory = VirtualGpu(plan)
        memory.run("memory", record["steps"]["memory"])
        self.logs[side, "exact"] = gpu.log + memory.log
        text = json.dumps(self.on_machine(record))
        for number in range(MOST_REPLICATES):
            (self.folder / side / f"exact-{number:03}.json").write_text(text)

    def write_timed(self, side):
        plan = self.drawn.plans[side]
        record = self.on_machine(timed_record(self.templates["timed"], plan, VirtualGpu(plan)))
        for kind in (("",) if side == "head" else ("control-",) if side == "twin" else ("", "control-")):
            for number in range(MOST_PAIRS):
                name = f"timed-{kind}{number:03}"
                text, self.logs[side, name] = with_noise(record, factor_of(self.drawn, side, name, number))
                (self.folder / side / f"{name}.json").write_text(text)
