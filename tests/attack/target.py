"""A kind of file that the attack mutates, with the commands that read it."""

import dataclasses

from forms import JsonForm
from workplace import TIME_LIMIT_S


@dataclasses.dataclass
class Target:
    """A file of a prepared project and the commands that read it."""
    name: str
    file: str  # a name with * is that of the one file that fits
    commands: list
    schema: str = ""  # a document that does not follow it must not pass
    project: str = "green"
    verdicts: tuple = ()  # commands whose status 0 says that all is well
    unread: tuple = ()  # keys that are written for other programs only; "/key" stands at the top of the document
    deciding: tuple = ()  # a red project must not become green unless one of these keys was touched
    form: type = JsonForm
    limit_s: int = TIME_LIMIT_S
    untouched: int = 0  # what its verdicts are without a mutation; a red project's are 1
    sealed: bool = False  # a red project must not become green whatever was touched
    whole: bool = False  # with another value in it nothing passes
    written: tuple = ()  # files of its commands that people and other programs read
    reads_back: tuple = ()  # commands that read what the one before wrote: they must not fail where that did not

    @property
    def is_red(self):
        return self.project.startswith("red")

    def at(self, folder):
        """Its path in this project."""
        if "*" not in self.file:
            return folder / self.file
        [found] = folder.glob(self.file)
        return found
