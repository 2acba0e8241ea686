"""Exports the training of the model of language/char_lm_compiled as C++ code.

Usage: export_char_lm.py KIND FOLDER
KIND step: the whole step for one batch shape. It takes parameters, first and second moments, the number of the step,
inputs and targets. It updates all but the last two in place and returns the loss.
KIND gradients: forward and backward as one graph, for batches of any size within limits. It takes inputs and targets,
reads the parameters where its user keeps them, and returns the loss and one gradient for each parameter.
FOLDER gets step.cpp and weights.o, which need no Python to be compiled, and package.txt with what the code takes
(perftests/support/package_facts.h). The code has 256-bit vectors.
"""

import hashlib
import pathlib
import re
import sys
import tempfile
import zipfile

import torch
import torch.export.experimental
import torch.nn.functional as F
from torch.fx.experimental.proxy_tensor import make_fx

# The same numbers stand in perftests/language/small_char_lm.h and .cpp. The workload compares the shapes of its tensors
# with those of the package, and its test compares the losses with those of the eager step.
ROWS, LENGTH = 8, 64
VOCABULARY, WIDTH, HIDDEN = 98, 128, 512
IGNORED_TARGET = -100
LEARNING_RATE, WEIGHT_DECAY = 3e-3, 0.1
BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8

# In the order in which both kinds take them. The names stand in small_char_lm.cpp too.
PARAMETERS = {"embedding": (VOCABULARY, WIDTH), "norm_weight": (WIDTH,), "norm_bias": (WIDTH,),
              "weight_in": (HIDDEN, WIDTH), "bias_in": (HIDDEN,), "weight_out": (VOCABULARY, HIDDEN),
              "bias_out": (VOCABULARY,)}
PARAMETER_SHAPES = list(PARAMETERS.values())

# Sizes of a batch that the code of kind gradients takes. A size of one would be another graph.
ROW_RANGE, LENGTH_RANGE = (2, 64), (2, 256)


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


def text_of(tensor, named_sizes=()):
    """"float32 98 128", or with names and ranges in place of the sizes."""
    return " ".join([str(tensor.dtype).removeprefix("torch."), *(named_sizes or map(str, tensor.shape))])


def facts_of(lines, code):
    digest = hashlib.sha256(canonical(code).encode()).hexdigest()
    return "\n".join([f"torch {torch.__version__.split('+')[0]}", f"digest {digest}", *lines, ""])


def initial(shape):
    return torch.randn(shape) * 0.02


def sample_batch():
    return [torch.randint(VOCABULARY, (ROWS, LENGTH)) for _ in range(2)]


def exported_step():
    """The exported program, and the lines of package.txt about it."""
    count = len(PARAMETER_SHAPES)
    state = [initial(shape) for shape in PARAMETER_SHAPES]
    state += [torch.zeros(shape) for shape in PARAMETER_SHAPES * 2]
    tensors = (*state, torch.zeros(()), *sample_batch())

    def flat_step(*flat):
        *held, step, inputs, targets = flat
        return training_step(held[:count], held[count:2 * count], held[2 * count:], step, inputs, targets)

    with torch.no_grad():
        traced = TracedStep(make_fx(flat_step, tracing_mode="fake")(*tensors))
        return torch.export.export(traced, tensors), [f"input {text_of(each)}" for each in tensors]


class LossOfBatch(torch.nn.Module):
    def __init__(self):
        super().__init__()
        for name, shape in PARAMETERS.items():
            self.register_parameter(name, torch.nn.Parameter(initial(shape)))

    def forward(self, inputs, targets):
        return loss_of([getattr(self, name) for name in PARAMETERS], inputs, targets)


def require_order(program):
    """The workload reads the outputs by their place: the loss, then the gradients in the order of PARAMETERS."""
    backward = program.graph_signature.backward_signature
    loss, *outputs = (each.arg.name for each in program.graph_signature.output_specs)
    given = [backward.gradients_to_parameters.get(name) for name in outputs]
    if loss != backward.loss_output or given != list(PARAMETERS):
        raise SystemExit(f"the outputs are {loss} and the gradients of {given}: expected the loss and {list(PARAMETERS)}")


def exported_gradients():
    """As exported_step()."""
    module, batch = LossOfBatch(), sample_batch()
    rows = torch.export.Dim("rows", min=ROW_RANGE[0], max=ROW_RANGE[1])
    length = torch.export.Dim("length", min=LENGTH_RANGE[0], max=LENGTH_RANGE[1])
    sizes = {0: rows, 1: length}
    program = torch.export.export(module, tuple(batch), dynamic_shapes={"inputs": sizes, "targets": sizes})
    program = torch.export.experimental._export_forward_backward(program)
    require_order(program)
    named_sizes = [f"rows={ROW_RANGE[0]}..{ROW_RANGE[1]}", f"length={LENGTH_RANGE[0]}..{LENGTH_RANGE[1]}"]
    weights = [f"weight {name} {text_of(parameter)}" for name, parameter in module.named_parameters()]
    return program, [f"input {text_of(each, named_sizes)}" for each in batch] + weights


KINDS = {"step": exported_step, "gradients": exported_gradients}


def main():
    kind, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    torch.manual_seed(1)
    program, lines = KINDS[kind]()
    with torch.no_grad(), tempfile.TemporaryDirectory() as place:
        package = torch._inductor.aoti_compile_and_package(
            program, package_path=f"{place}/step.pt2",
            # One thread: else the code holds the number of CPUs of this machine.
            inductor_configs={"aot_inductor.package_cpp_only": True, "cpp.simdlen": 256, "cpp.threads": 1})
        write_sources(package, folder)
    (folder / "package.txt").write_text(facts_of(lines, (folder / "step.cpp").read_text()))


if __name__ == "__main__":
    main()
