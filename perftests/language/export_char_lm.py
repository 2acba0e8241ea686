"""Exports one training step of the model of language/char_lm_compiled as C++ code, for one batch shape.

Usage: export_char_lm.py FOLDER
The step takes parameters, first and second moments, the number of the step, inputs and targets. It updates all but the
last two in place and returns the loss. FOLDER gets step.cpp and weights.o, which need no Python to be compiled, and
package.txt with the shapes of the step (perftests/support/compiled_package.h). The code has 256-bit vectors.
"""

import hashlib
import pathlib
import re
import sys
import tempfile
import zipfile

import torch
import torch.nn.functional as F
from torch.fx.experimental.proxy_tensor import make_fx

# The same numbers stand in perftests/language/small_char_lm.h and .cpp. The workload compares the shapes of its tensors
# with those of the package, and its test compares the losses with those of the eager step.
ROWS, LENGTH = 8, 64
VOCABULARY, WIDTH, HIDDEN = 98, 128, 512
IGNORED_TARGET = -100
LEARNING_RATE, WEIGHT_DECAY = 3e-3, 0.1
BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8

# embedding; layer norm; two linear layers
PARAMETER_SHAPES = [(VOCABULARY, WIDTH), (WIDTH,), (WIDTH,), (HIDDEN, WIDTH), (HIDDEN,), (VOCABULARY, HIDDEN),
                    (VOCABULARY,)]


def loss_of(parameters, inputs, targets):
    embedding, norm_weight, norm_bias, weight_in, bias_in, weight_out, bias_out = parameters
    hidden = F.layer_norm(F.embedding(inputs, embedding), (WIDTH,), norm_weight, norm_bias)
    hidden = F.gelu(F.linear(hidden, weight_in, bias_in))
    logits = F.linear(hidden, weight_out, bias_out)
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=IGNORED_TARGET)


def training_step(parameters, averages, squares, step, inputs, targets):
    gradients, loss = torch.func.grad_and_value(loss_of)(tuple(parameters), inputs, targets)
    step.add_(1)
    size = LEARNING_RATE / (1 - BETA1**step)
    correction = (1 - BETA2**step).sqrt()
    for parameter, gradient, average, square in zip(parameters, gradients, averages, squares):
        parameter.mul_(1 - LEARNING_RATE * WEIGHT_DECAY)
        average.mul_(BETA1).add_(gradient, alpha=1 - BETA1)
        square.mul_(BETA2).addcmul_(gradient, gradient, value=1 - BETA2)
        parameter.sub_(size * average / (square.sqrt() / correction + EPSILON))
    return loss


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


def facts_of(tensors, code):
    inputs = [" ".join(["input", str(each.dtype).removeprefix("torch."), *map(str, each.shape)]) for each in tensors]
    digest = hashlib.sha256(canonical(code).encode()).hexdigest()
    return "\n".join([f"torch {torch.__version__.split('+')[0]}", f"digest {digest}", *inputs, ""])


def main():
    folder = pathlib.Path(sys.argv[1])
    torch.manual_seed(1)
    count = len(PARAMETER_SHAPES)
    state = [torch.randn(shape) * 0.02 for shape in PARAMETER_SHAPES]
    state += [torch.zeros(shape) for shape in PARAMETER_SHAPES * 2]
    batch = [torch.randint(VOCABULARY, (ROWS, LENGTH)) for _ in range(2)]
    tensors = (*state, torch.zeros(()), *batch)

    def flat_step(*flat):
        *held, step, inputs, targets = flat
        return training_step(held[:count], held[count:2 * count], held[2 * count:], step, inputs, targets)

    with torch.no_grad():
        traced = TracedStep(make_fx(flat_step, tracing_mode="fake")(*tensors))
        program = torch.export.export(traced, tensors)
        with tempfile.TemporaryDirectory() as place:
            package = torch._inductor.aoti_compile_and_package(
                program, package_path=f"{place}/step.pt2",
                # One thread: else the code holds the number of CPUs of this machine.
                inductor_configs={"aot_inductor.package_cpp_only": True, "cpp.simdlen": 256, "cpp.threads": 1})
            write_sources(package, folder)
    (folder / "package.txt").write_text(facts_of(tensors, (folder / "step.cpp").read_text()))


if __name__ == "__main__":
    main()
