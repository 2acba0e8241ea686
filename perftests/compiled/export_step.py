"""Writes a training step that was traced in Python as C++ code: what export_char_lm.py and export_field_transformer.py
share. A package is a folder with step.cpp and weights.o, which need no Python to be compiled, and package.txt with what
the code takes (perftests/compiled/package_facts.h). The code has 256-bit vectors.
"""

import hashlib
import pathlib
import re
import tempfile
import zipfile

import torch
from torch.fx.experimental.proxy_tensor import make_fx

BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8


class AdamW:
    """As torch::optim::AdamW with these two options."""

    def __init__(self, learning_rate, weight_decay):
        self.learning_rate, self.weight_decay = learning_rate, weight_decay

    def update(self, state, gradients, step):
        """Changes state (parameters, first and second moments: three lists) and step, the number of the step, in place."""
        step.add_(1)
        size = self.learning_rate / (1 - BETA1**step)
        correction = (1 - BETA2**step).sqrt()
        for parameter, average, square, gradient in zip(*state, gradients):
            parameter.mul_(1 - self.learning_rate * self.weight_decay)
            average.mul_(BETA1).add_(gradient, alpha=1 - BETA1)
            square.mul_(BETA2).addcmul_(gradient, gradient, value=1 - BETA2)
            parameter.sub_(size * average / (square.sqrt() / correction + EPSILON))


class TracedStep(torch.nn.Module):
    """What make_fx recorded, as a module with flat inputs: torch.export takes nothing else."""

    def __init__(self, graph):
        super().__init__()
        self.graph_module = graph

    def forward(self, *tensors):
        return self.graph_module(*tensors)


def write_sources(package, folder):
    """The generated code of the package without its last comments, which name folders of this machine."""
    with zipfile.ZipFile(package) as archive:
        for name in archive.namelist():
            if name.endswith(".wrapper.cpp"):
                lines = archive.read(name).decode().splitlines(keepends=True)
                (folder / "step.cpp").write_text("".join(line for line in lines if not line.startswith("// g++ ")))
            elif name.endswith(".weights.o"):
                (folder / "weights.o").write_bytes(archive.read(name))


def canonical(code):
    """The code with sizes and strides in place of the numbered arrays that hold them: LibTorch numbers them in another
    way in each export, and all else is equal."""
    values = {}
    lines = []
    for line in code.splitlines():
        array = re.fullmatch(r" *static constexpr int64_t (int_array_\d+)\[\] = (\{.*\});", line)
        if array:
            values[array[1]] = array[2]
        elif not re.fullmatch(r" *static constexpr int64_t \*int_array_\d+=nullptr;", line):
            lines.append(re.sub(r"int_array_\d+", lambda name: values.get(name[0], "nullptr"), line))
    return "\n".join(lines)


def text_of(tensor, named_sizes=()):
    """"float32 98 128", or with names and ranges in place of the sizes."""
    return " ".join([str(tensor.dtype).removeprefix("torch."), *(named_sizes or map(str, tensor.shape))])


def facts_of(lines, code):
    digest = hashlib.sha256(canonical(code).encode()).hexdigest()
    return "\n".join([f"torch {torch.__version__.split('+')[0]}", f"digest {digest}", *lines, ""])


def initial(shape):
    return torch.randn(shape) * 0.02


def exported_step(loss_of, shapes, batch, optimizer):
    """The whole step for one batch shape: the exported program, and the lines of package.txt about it. It takes
    parameters, first and second moments, the number of the step, and the tensors of a batch. It changes all but the batch
    in place and returns the loss. loss_of takes the parameters, of these shapes, and the tensors of a batch."""
    count = len(shapes)
    state = [initial(shape) for shape in shapes]
    state += [torch.zeros(shape) for shape in shapes * 2]
    tensors = (*state, torch.zeros(()), *batch)

    def flat_step(*flat):
        held, step, given = flat[:3 * count], flat[3 * count], flat[3 * count + 1:]
        parameters, averages, squares = held[:count], held[count:2 * count], held[2 * count:]
        gradients, loss = torch.func.grad_and_value(loss_of)(tuple(parameters), *given)
        optimizer.update((parameters, averages, squares), gradients, step)
        return loss

    with torch.no_grad():
        traced = TracedStep(make_fx(flat_step, tracing_mode="fake")(*tensors))
        return torch.export.export(traced, tensors), [f"input {text_of(each)}" for each in tensors]


def write_package(program, lines, folder):
    """Compiles the program and writes the three files into folder; lines: those of package.txt about its tensors."""
    folder = pathlib.Path(folder)
    with torch.no_grad(), tempfile.TemporaryDirectory() as place:
        package = torch._inductor.aoti_compile_and_package(
            program, package_path=f"{place}/step.pt2",
            # One thread: else the code holds the number of CPUs of this machine.
            inductor_configs={"aot_inductor.package_cpp_only": True, "cpp.simdlen": 256, "cpp.threads": 1})
        write_sources(package, folder)
    (folder / "package.txt").write_text(facts_of(lines, (folder / "step.cpp").read_text()))
