"""What may stand in the place of stepgate-studies, which the launcher starts for a study: itself, a link, a FIFO, a text."""

import os
import shutil

from file_attack import reset
from invariants import broken
from workplace import STEPGATE


# How each is made, and what the launcher says.
IN_ITS_PLACE = {
    "a copy of the launcher": (lambda program: shutil.copy2(STEPGATE, program), "the launcher itself"),
    "a link to the launcher": (lambda program: program.symlink_to("stepgate"), "the launcher itself"),
    "a second name of the launcher": (lambda program: os.link(program.with_name("stepgate"), program), "the launcher itself"),
    "a link in a circle": (lambda program: program.symlink_to(program.name), "not there"),
    "a device": (lambda program: program.symlink_to("/dev/zero"), "not there"),
    "a folder": (lambda program: program.mkdir(), "cannot start"),
    "a FIFO": (os.mkfifo, "cannot start"),
    "a text": (lambda program: program.write_text("no program\n"), "cannot start"),
    "an empty file": (lambda program: program.write_bytes(b""), "cannot start"),
}


def run(projects, place):
    """The launcher goes on as none of them, and says so at once."""
    for name, (make, said) in IN_ITS_PLACE.items():
        reset(projects, place, "green")
        launcher = place.folder / "prefix/bin/stepgate"
        launcher.parent.mkdir(parents=True)
        shutil.copy2(STEPGATE, launcher)
        program = launcher.with_name("stepgate-studies")
        make(program)
        if not program.is_symlink():
            program.chmod(0o755)
        outcome = place.run("history", "show", prefix=("/bin/sh", "-c", f"exec '{launcher}' \"$@\""))
        yield from (f"{name}: {problem}: {outcome.text[-300:]!r}" for problem in broken(outcome))
        if outcome.status == 0 or said not in outcome.text or "No such file" in outcome.text:
            yield f"{name}: status {outcome.status}: {outcome.text[-300:]!r}, expected {said!r}"
