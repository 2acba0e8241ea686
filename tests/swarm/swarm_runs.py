"""Runs drawn runs, some beside each other, and keeps those that break an oracle."""
import dataclasses
import multiprocessing
import shutil

from draws import draw
from kept_failure import keep
from launched import launch
from oracles import problems_of
from own_run_lock import can_have_own_lock, take_own_lock
from scripted_program import templates_of
from verdict_rates import Answer, answers_of

NOT_RIGHT = (Answer.MISSED, Answer.WRONG_RED)


@dataclasses.dataclass
class Result:
    seed: int
    problems: list    # broken oracles, and each wrong answer of the exact half
    judged: list


class ScriptedRuns:
    """Drawn programs without LibTorch, in virtual time."""

    @staticmethod
    def missing(build):
        """What is not built, and how to build it; "" where nothing is missing."""
        for name, target in (("bin/stepgate", "stepgate"), ("bin/scripted_gpu", "scripted_gpu"),
                             ("tests/environment/fake_nvml/libnvidia-ml.so.1", "fake_nvml"),
                             ("tests/environment/fake_nvml_old/libnvidia-ml.so.1", "fake_nvml_old")):
            if not (build / name).is_file():
                return f"{build / name} is missing: cmake --build {build} --target {target}"
        return ""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        (folder / "templates").mkdir()
        self.templates = templates_of(options.build / "bin/scripted_gpu", folder / "templates")

    def run(self, seed):
        folder = self.folder / f"run-{seed}"
        run = launch(draw(seed, self.options.events), self.templates, self.options.build, folder)
        return finished(run, answers_of(run), problems_of(run), self.options.keep)


def finished(run, judged, problems, keep_in):
    """Prints and keeps a run that is not right, and removes its folder. Wrong answers of the timed half are counted
    (verdict_rates.py): a single one proves nothing."""
    wrong = [f"{one.answer.value}: {one.tier} {one.by}" for one in judged if one.answer in NOT_RIGHT]
    exact = [f"{one.answer.value}: {one.tier} {one.by}" for one in judged if one.answer in NOT_RIGHT and one.tier == "exact"]
    if problems or wrong:
        place = keep(run, [*problems, *wrong], keep_in)
        print("\n  ".join([run.drawn.title(), *problems, *wrong, f"kept in {place}"]), flush=True)
    shutil.rmtree(run.folder, ignore_errors=True)
    return Result(run.drawn.seed, [*problems, *exact], judged)


def run_all(runs, seeds, jobs):
    """One run measures on a machine at a time. With a lock of its own each worker has a machine of its own; without the
    right for that there is one worker."""
    if jobs == 1 or not can_have_own_lock():
        return [runs.run(seed) for seed in seeds]
    context = multiprocessing.get_context("fork")  # the workers need no copy of the templates
    with context.Pool(jobs, initializer=take_own_lock, initargs=(runs.folder,)) as pool:
        return list(pool.imap_unordered(runs.run, seeds))
