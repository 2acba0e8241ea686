"""What a drawn machine may be like and what may happen on it. Each event is a row.

The NVIDIA management library is that of tests/environment/gpu/fake_nvml.h: what an event sets in `nvml` is FAKE_NVML_<name>.
"""
import dataclasses
import signal
from typing import Callable

BOTH = frozenset({"exact", "timed"})
TIMED = frozenset({"timed"})
NONE = frozenset()


@dataclasses.dataclass
class Machine:
    gpus: int = 1
    library: str = "fake_nvml"
    nvml: dict = dataclasses.field(default_factory=dict)
    environment: dict = dataclasses.field(default_factory=dict)   # of the launcher
    words: list = dataclasses.field(default_factory=list)         # of the command line
    facts: dict = dataclasses.field(default_factory=dict)         # that each process records
    shell: dict = dataclasses.field(default_factory=dict)         # side -> what its processes do before they write
    drift: float = 0                                              # log factor of all times, from one pair to the next
    stop: tuple = ()                                              # a signal to the launcher and the seconds before it


@dataclasses.dataclass(frozen=True)
class Event:
    """`unfit`: halves that may stay without a verdict because of it. `said`: what the run must then say, as a regular
    expression; it is the proof that this event was the reason. `share`: of the machines that have it. `only_with`: events
    without which this one is no excuse."""
    name: str
    share: float
    unfit: frozenset
    said: str
    apply: Callable
    only_with: frozenset = NONE


def uuid_of(index):
    return f"GPU-fa4e0000-0000-0000-0000-00000000000{index}"


def bus_of(index):
    return f"00000000:{'3456789A'[index]}B:00.0"


def model(machine, random):
    name, capability, gib = random.choice((("NVIDIA H100", "9.0", 80), ("NVIDIA A100", "8.0", 80), ("NVIDIA L4", "8.9", 24),
                                           ("Tesla T4", "7.5", 16), ("NVIDIA H200", "9.0", 141)))
    machine.nvml["NAMES"] = " ".join(f"{index}={name.replace(' ', '_')}" for index in range(8))
    machine.facts.update(gpu=name, gpu_compute_capability=capability, gpu_memory_bytes=str(gib << 30))


def several(machine, random):
    machine.gpus = max(machine.gpus, random.randrange(2, 9))


def old_driver(machine, _random):
    machine.library = "fake_nvml_old"


def drifting_clock(machine, random):
    clocks = [random.randrange(1200, 1981) for _ in range(6)]
    machine.nvml["CLOCK"] = ",".join(map(str, clocks))
    machine.drift = random.uniform(-0.02, 0.02)


def power_cap(machine, random):
    machine.nvml.update(REASONS="4", POWER_LIMIT_MW=str(random.randrange(100, 701) * 1000),
                        COUNTERS="74=" + ",".join(str(n * 400_000_000) for n in range(40)))


def lost_answers(machine, random):
    question = random.choice(("nvmlDeviceGetClockInfo", "nvmlDeviceGetPowerUsage", "nvmlDeviceGetFieldValues",
                              "nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetEnforcedPowerLimit",
                              "nvmlDeviceGetEccMode", "nvmlDeviceGetTemperatureV", "nvmlDeviceGetMemoryInfo_v2",
                              "nvmlDeviceGetCurrPcieLinkWidth", "nvmlEventSetWait_v2", "nvmlDeviceRegisterEvents"))
    error = random.choice((2, 3, 4, 10, 15, 999))
    machine.nvml["FAIL"] = f"{question}={error}" + random.choice(("", "@2", "@3!"))


def no_driver(machine, _random):
    machine.nvml["FAIL"] = "nvmlInit_v2=9"


def garbled_counters(machine, random):
    machine.nvml["COUNTERS"] = " ".join(f"{field}={random.choice(('old', 'nan', 'negative', 'typeless'))}"
                                        for field in (74, 76, 269, 270, 271))


def other_processes(machine, random):
    machine.nvml["PROCESSES"] = f"{random.randrange(2, 5)}"


def hidden_processes(machine, random):
    machine.nvml[random.choice(("HIDDEN_NUMBERS", "BEYOND"))] = "1"


def instances(machine, random):
    machine.nvml.update(MIG="1", INSTANCES=str(random.randrange(1, 5)))


def compute_mode(machine, random):
    machine.nvml["COMPUTE_MODE"] = str(random.choice((0, 2, 3)))


def fault_of_gpu(machine, random):
    """The first process fails by it; it is set aside and repeated, and the repetition goes well."""
    machine.nvml["XIDS"] = str(random.choice((48, 63, 74, 79, 94, 119)))
    machine.shell["base"] = '[ -e "$here/failed" ] || { : >"$here/failed"; exit 1; }'


def fault_beside(machine, random):
    """The driver reports it, and the process ends well all the same."""
    machine.nvml.setdefault("XIDS", str(random.choice((13, 31, 43, 48, 79))))


def visible(machine, random):
    machine.gpus = max(machine.gpus, random.randrange(2, 9))
    index = random.randrange(machine.gpus)
    lists = (str(index), uuid_of(index), f"{index},{(index + 1) % machine.gpus}")
    machine.environment["CUDA_VISIBLE_DEVICES"] = random.choice(lists)


def wrong_list(machine, random):
    machine.environment["CUDA_VISIBLE_DEVICES"] = random.choice(("9", "0,0", "GPU-9", "", "-1"))


def allocator(machine, random):
    machine.facts["alloc_conf"] = random.choice(("expandable_segments:True", "backend:cudaMallocAsync", "max_split_size_mb:64"))
    machine.environment["PYTORCH_ALLOC_CONF"] = machine.facts["alloc_conf"]
    machine.words += ["--pass-env", "PYTORCH_ALLOC_CONF"]


def guarded(machine, random):
    if "--guard" in machine.words:
        return
    machine.words += ["--guard", "host", "--knobs", "gpu_persistence,gpu_clock,gpu_memory_clock"]
    if random.random() < 0.5:
        machine.words += ["--gpu-clock", str(random.randrange(900, 1981))]


def refused_knobs(machine, random):
    guarded(machine, random)
    machine.nvml["FAIL"] = random.choice(("nvmlDeviceSetPersistenceMode=4", "nvmlDeviceSetGpuLockedClocks=4",
                                          "nvmlDeviceSetPersistenceMode=4@2", "nvmlDeviceResetGpuLockedClocks=4@1!"))


def late_rank(machine, random):
    machine.shell[random.choice(("base", "head"))] = f"sleep 0.{random.randrange(1, 4)}"


def dead_rank(machine, random):
    machine.shell["head"] = random.choice(("kill -9 $$", "exit 3", "echo 'terminate called after throwing' >&2; kill -ABRT $$",
                                           "exit 0", "echo half >\"$record\"; exit 0"))


def hung_rank(machine, _random):
    machine.shell["head"] = "sleep 100"
    machine.words += ["--timeout", "1"]


def out_of_memory(machine, _random):
    machine.shell["head"] = ("echo 'CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 15.77 GiB' "
                             ">&2; exit 1")


def stopped(machine, random):
    """Somebody stops the launcher while it measures, and gives the same command again."""
    machine.stop = (random.choice((signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)), random.uniform(0, 0.6))


def left_behind(machine, random):
    """A program that leaves a process or a temporary file behind."""
    machine.shell["head"] = random.choice(("sleep 50 &", ": >\"${TMPDIR:-/tmp}/kept\""))


# Shares are own choices: 10 000 runs hold each event some hundred times, and about a third of all machines none.
EVENTS = (
    Event("model", 0.3, NONE, "", model),
    Event("several_gpus", 0.1, NONE, "", several),
    Event("old_driver", 0.05, NONE, "", old_driver),
    Event("drifting_clock", 0.08, NONE, "", drifting_clock),
    Event("power_cap", 0.05, NONE, "", power_cap),
    Event("lost_answers", 0.06, TIMED, r"cannot be compared: gpu_[^(]*\(unknown\)", lost_answers),
    Event("no_driver", 0.02, NONE, "", no_driver),
    Event("garbled_counters", 0.03, NONE, "", garbled_counters),
    Event("other_processes", 0.04, TIMED, "other_gpu_processes|other process", other_processes),
    Event("hidden_processes", 0.02, NONE, "", hidden_processes),
    Event("instances", 0.03, NONE, "", instances),
    Event("compute_mode", 0.05, NONE, "", compute_mode),
    Event("fault_of_gpu", 0.03, BOTH, "ended with status 1", fault_of_gpu,
          only_with=frozenset({"instances", "no_driver", "lost_answers"})),
    Event("fault_beside", 0.03, NONE, "", fault_beside),
    Event("visible", 0.06, NONE, "", visible),
    Event("wrong_list", 0.02, BOTH, "CUDA_VISIBLE_DEVICES|no GPU|device or data that it needs is missing", wrong_list),
    Event("allocator", 0.06, NONE, "", allocator),
    Event("guarded", 0.06, NONE, "", guarded),
    Event("refused_knobs", 0.03, NONE, "", refused_knobs),
    Event("late_rank", 0.03, NONE, "", late_rank),
    Event("dead_rank", 0.04, BOTH, "killed by signal|ended with status|bad_record|no_record", dead_rank),
    Event("hung_rank", 0.003, BOTH, "timed_out", hung_rank),
    Event("out_of_memory", 0.02, BOTH, "CUDA out of memory", out_of_memory),
    Event("stopped", 0.04, NONE, "", stopped),
    Event("left_behind", 0.02, NONE, "", left_behind),
)
