"""Exports the training of the model of language/char_lm_compiled as C++ code.

Usage: export_char_lm.py KIND FOLDER
KIND step: the whole step for one batch shape (compiled/export_step.py).
KIND gradients: forward and backward as one graph, for batches of any size within limits. It takes inputs and targets,
reads the parameters where its user keeps them, and returns the loss and one gradient for each parameter.
"""

import sys

import torch
import torch.export.experimental
import torch.nn.functional as F

from export_step import AdamW, exported_step, initial, text_of, write_package

# The same numbers stand in perftests/language/small_char_lm.h and .cpp. The workload compares the shapes of its tensors
# with those of the package, and its test compares the losses with those of the eager step.
ROWS, LENGTH = 8, 64
VOCABULARY, WIDTH, HIDDEN = 98, 128, 512
IGNORED_TARGET = -100
OPTIMIZER = AdamW(learning_rate=3e-3, weight_decay=0.1)

# In the order in which both kinds take them. The names stand in small_char_lm.cpp too.
PARAMETERS = {"embedding": (VOCABULARY, WIDTH), "norm_weight": (WIDTH,), "norm_bias": (WIDTH,),
              "weight_in": (HIDDEN, WIDTH), "bias_in": (HIDDEN,), "weight_out": (VOCABULARY, HIDDEN),
              "bias_out": (VOCABULARY,)}

# Sizes of a batch that the code of kind gradients takes. A size of one would be another graph.
ROW_RANGE, LENGTH_RANGE = (2, 64), (2, 256)


def loss_of(parameters, inputs, targets):
    embedding, norm_weight, norm_bias, weight_in, bias_in, weight_out, bias_out = parameters
    hidden = F.layer_norm(F.embedding(inputs, embedding), (WIDTH,), norm_weight, norm_bias)
    hidden = F.gelu(F.linear(hidden, weight_in, bias_in))
    logits = F.linear(hidden, weight_out, bias_out)
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=IGNORED_TARGET)


def sample_batch():
    return [torch.randint(VOCABULARY, (ROWS, LENGTH)) for _ in range(2)]


def whole_step():
    return exported_step(loss_of, list(PARAMETERS.values()), sample_batch(), OPTIMIZER)


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
    """The exported program, and the lines of package.txt about it."""
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


KINDS = {"step": whole_step, "gradients": exported_gradients}


def main():
    kind, folder = sys.argv[1:]
    torch.manual_seed(1)
    program, lines = KINDS[kind]()
    write_package(program, lines, folder)


if __name__ == "__main__":
    main()
