#!/usr/bin/env python3
"""Compares FLOPs that the observer counts with those of torch.utils.flop_counter.FlopCounterMode, the Python half of the
same LibTorch. They must be equal, except where a row says why not. Usage: compare_flops.py PROGRAM (observed_flops)."""
import subprocess
import sys

import torch
import torch.nn.functional as functional
from torch.utils.flop_counter import FlopCounterMode

# Name, sizes of the operands, computation: as in observed_flops.cpp.
COMPUTATIONS = [
    ("linear", [(6, 32, 64), (48, 64), (48,)], lambda t: functional.linear(t[0], t[1], t[2])),
    ("mm", [(33, 17), (17, 5)], lambda t: torch.mm(t[0], t[1])),
    ("addmm", [(5,), (33, 17), (17, 5)], lambda t: torch.addmm(t[0], t[1], t[2])),
    ("bmm", [(4, 33, 17), (4, 17, 5)], lambda t: torch.bmm(t[0], t[1])),
    ("baddbmm", [(4, 33, 5), (4, 33, 17), (4, 17, 5)], lambda t: torch.baddbmm(t[0], t[1], t[2])),
    ("matmul", [(2, 3, 8, 9), (2, 3, 9, 7)], lambda t: torch.matmul(t[0], t[1])),
    ("einsum", [(5, 8, 9), (5, 7, 9)], lambda t: torch.einsum("bij,bkj->bik", t[0], t[1])),
    ("conv1d", [(4, 3, 20), (8, 3, 5)], lambda t: functional.conv1d(t[0], t[1], None, 2, 1)),
    ("conv2d", [(4, 3, 12, 12), (8, 3, 3, 3), (8,)], lambda t: functional.conv2d(t[0], t[1], t[2], 1, 1)),
    ("conv3d", [(2, 3, 6, 6, 6), (4, 3, 3, 3, 3)], lambda t: functional.conv3d(t[0], t[1])),
    ("conv_transpose2d", [(4, 8, 5, 5), (8, 3, 3, 3)], lambda t: functional.conv_transpose2d(t[0], t[1], None, 2)),
    ("attention", [(2, 4, 16, 8)] * 3, lambda t: functional.scaled_dot_product_attention(*t)),
]
# FlopCounterMode counts the attention of a CPU as 0. By hand: 4 b h s s d forward, 10 b h s s d backward.
EXPECTED = {"attention": (4 + 10) * 2 * 4 * 16 * 16 * 8}


def counted_by_python(sizes, compute):
    operands = [torch.randn(size, requires_grad=True) for size in sizes]
    with FlopCounterMode(display=False) as counter:
        compute(operands).sum().backward()
    return counter.get_total_flops()


def main():
    lines = subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout.splitlines()
    observed = {name: int(flops) for name, flops in (line.split() for line in lines)}
    wrong = 0
    for name, sizes, compute in COMPUTATIONS:
        python = counted_by_python(sizes, compute)
        expected = EXPECTED.get(name, python)
        same = observed.pop(name, None) == expected and (name not in EXPECTED or python == 0)
        wrong += not same
        print(f"{name:18} FlopCounterMode {python:10} expected {expected:10} {'equal' if same else 'DIFFERENT'}")
    if observed or wrong:
        sys.exit(f"{wrong} of {len(COMPUTATIONS)} differ; only in the program: {sorted(observed) or 'none'}")


if __name__ == "__main__":
    main()
