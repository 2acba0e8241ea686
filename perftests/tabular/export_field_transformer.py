"""Exports the training step of tabular/field_transformer/tiny as C++ code, with the model `fixed`.

Usage: export_field_transformer.py step FOLDER
"""

import sys

import torch
import torch.nn.functional as F

from export_step import AdamW, exported_step, write_package

# The same numbers stand in field_transformer_size.cpp, field_rows.h and field_transformer.cpp. The workload compares the
# shapes of its tensors with those of the package, and its test compares the losses with those of the eager step.
ROWS, FIELDS, LEVELS, CLASSES = 32, 64, 17, 10
WIDTH, HEADS = 32, 4
OPTIMIZER = AdamW(learning_rate=3e-3, weight_decay=0.01)

# In the order of FieldNetwork's parameters().
SHAPES = [(FIELDS, WIDTH, WIDTH),  # matrices
          (LEVELS, WIDTH),  # embedding
          (WIDTH,), (WIDTH,),  # norm before attention
          (3 * WIDTH, WIDTH),  # queries, keys and values
          (WIDTH, WIDTH), (WIDTH,),  # after attention
          (WIDTH,), (WIDTH,),  # norm before the perceptron
          (4 * WIDTH, WIDTH), (4 * WIDTH,), (WIDTH, 4 * WIDTH), (WIDTH,),  # perceptron
          (CLASSES, WIDTH), (CLASSES,)]  # head


def mixed(fields, qkv_weight):
    """Attention over the fields of a row, as FieldNetworkImpl::mixed()."""
    qkv = F.linear(fields, qkv_weight).view(ROWS, FIELDS, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
    return F.scaled_dot_product_attention(*qkv.unbind(0)).transpose(1, 2).reshape(ROWS, FIELDS, WIDTH)


def loss_of(parameters, levels, labels):
    (matrices, embedding, attention_norm, attention_shift, qkv, out, out_bias,
     mlp_norm, mlp_shift, weight_in, bias_in, weight_down, bias_down, head, head_bias) = parameters
    fields = torch.bmm(F.embedding(levels, embedding).transpose(0, 1), matrices).transpose(0, 1)
    fields = fields + F.linear(mixed(F.layer_norm(fields, (WIDTH,), attention_norm, attention_shift), qkv), out, out_bias)
    hidden = F.relu(F.linear(F.layer_norm(fields, (WIDTH,), mlp_norm, mlp_shift), weight_in, bias_in))
    fields = fields + F.linear(hidden, weight_down, bias_down)
    return F.cross_entropy(F.linear(fields.mean(1), head, head_bias), labels)


def main():
    kind, folder = sys.argv[1:]
    if kind != "step":
        raise SystemExit(f"there is no kind {kind}: step")
    torch.manual_seed(1)
    batch = [torch.randint(LEVELS, (ROWS, FIELDS)), torch.randint(CLASSES, (ROWS,))]
    write_package(*exported_step(loss_of, SHAPES, batch, OPTIMIZER), folder)


if __name__ == "__main__":
    main()
