"""Keeps what is needed to look at a failed run again: its draw, what it said, its files."""
import dataclasses
import json
import shutil


def keep(run, problems, folder):
    """Writes `folder`/seed-N, which replaces an older one, and returns it."""
    place = folder / f"seed-{run.drawn.seed}"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(run.folder, place, symlinks=True)
    (place / "problems.txt").write_text("\n".join([run.drawn.title(), *problems]) + "\n")
    (place / "draw.json").write_text(json.dumps(dataclasses.asdict(run.drawn), indent=1, default=str) + "\n")
    (place / "output.txt").write_text("\n".join(
        f"$ {' '.join(command.words)}\n{command.output}\nended with {command.status} after {command.seconds:.2f} s\n"
        for command in run.commands))
    return place
