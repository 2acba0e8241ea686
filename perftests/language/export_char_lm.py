"""Exports one training step of the model of language/char_lm_compiled as C++ code, for one batch shape.

Usage: export_char_lm.py OUTPUT.pt2
The step takes parameters, first and second moments, the number of the step, inputs and targets. It updates all but the
last two in place and returns the loss. The package holds C++ for 256-bit vectors and needs no Python to be compiled.
"""

import sys

import torch
import torch.nn.functional as F
from torch.fx.experimental.proxy_tensor import make_fx

# The same numbers stand in perftests/language/small_char_lm.h. char_lm_compiled compares the shapes of this package with
# them, and its test compares the losses with those of the eager step.
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


def main():
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
        torch._inductor.aoti_compile_and_package(
            program, package_path=sys.argv[1],
            inductor_configs={"aot_inductor.package_cpp_only": True, "cpp.simdlen": 256})


if __name__ == "__main__":
    main()
