#!/usr/bin/env python3
"""Compares stepgate::GradScaler with torch.amp.GradScaler of the same LibTorch: the same overflows must give the same scales,
the same skipped updates and the same parameters, to the last digit. Usage: compare_scaler.py PROGRAM (scaled_steps)."""
import math
import subprocess
import sys

import torch

INF, NAN = math.inf, math.nan
# Name, kind of update, first scale, growth interval, slope of each step; scaled_steps.cpp says what the kinds are.
SEQUENCES = [
    ("defaults", "sgd", 65536, 2000, [0.5] * 6),
    ("growth", "sgd", 65536, 4, [0.25] * 12),
    ("overflow and NaN", "sgd", 65536, 4, [0.25] * 5 + [INF, NAN] + [0.25] * 10),
    ("each step overflows", "sgd", 65536, 4, [INF] * 8),
    ("too high a start", "sgd", 2.0**40, 1000, [2.0**107] * 30),
    ("clipped", "clipped", 65536, 3, [8, 8, INF, 8, -INF, 8, 8, 8, 8]),
    ("two optimizers", "two", 65536, 3, [0.25, 0.25, INF, 0.25, 0.25, 0.25, NAN, 0.25]),
    ("fused", "fused", 65536, 3, [0.25, 0.5, INF, 0.25, 0.25, NAN, 0.25, 0.25, 0.25]),
]


def start():
    return (torch.arange(1, 5).to(torch.float32) / 8).requires_grad_(True)


class Training:
    def __init__(self, kind, init_scale, growth_interval):
        self.kind = kind
        self.scaler = torch.amp.GradScaler("cpu", init_scale=init_scale, growth_interval=growth_interval)
        self.first, self.second = start(), start()
        sgd = {"lr": 0.5, "momentum": 0.9}
        fused = {"lr": 0.1, "betas": (0.9, 0.999), "weight_decay": 0.01, "eps": 1e-8, "fused": True}
        self.first_optimizer = (
            torch.optim.AdamW([self.first], **fused) if kind == "fused" else torch.optim.SGD([self.first], **sgd)
        )
        self.second_optimizer = torch.optim.SGD([self.second], **sgd)
        self.skipped = 0

    def step_one(self, optimizer, parameter):
        """A skipped update leaves the parameter as it is, and the gradients here are never zero."""
        before = parameter.detach().clone()
        self.scaler.step(optimizer)
        self.skipped += torch.equal(before, parameter)

    def step(self, slope):
        loss = (self.first * self.first * slope).sum()
        if self.kind == "two":
            loss = loss + (self.second * self.second).sum()
        self.scaler.scale(loss).backward()
        if self.kind == "clipped":
            self.scaler.unscale_(self.first_optimizer)
            self.first.grad.clamp_(-1, 1)
        self.step_one(self.first_optimizer, self.first)
        if self.kind == "two":
            self.step_one(self.second_optimizer, self.second)
        self.scaler.update()
        self.first.grad = self.second.grad = None

    def text(self):
        parameters = [f"{value:.9g}" for tensor in (self.first, self.second) for value in tensor.tolist()]
        return " ".join([f"{self.scaler.get_scale():.9g}", str(self.skipped), *parameters])


def by_python(kind, init_scale, growth_interval, slopes):
    training = Training(kind, init_scale, growth_interval)
    lines = []
    for slope in slopes:
        training.step(slope)
        lines.append(training.text())
    return lines


def by_program(program, kind, init_scale, growth_interval, slopes):
    numbers = [repr(float(number)) for number in (init_scale, *slopes)]
    arguments = [program, kind, numbers[0], str(growth_interval), *numbers[1:]]
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout.splitlines()


def main():
    wrong = 0
    for name, *sequence in SEQUENCES:
        python, program = by_python(*sequence), by_program(sys.argv[1], *sequence)
        same = python == program
        wrong += not same
        last = python[-1].split()
        print(f"{name:20} {len(python):3} steps, last scale {last[0]:>10}, {last[1]:>2} skipped {'equal' if same else 'DIFFERENT'}")
        for step, (theirs, ours) in enumerate(zip(python, program)):
            if theirs != ours:
                print(f"  step {step}: torch.amp.GradScaler {theirs}\n  step {step}: stepgate::GradScaler  {ours}")
                break
    if wrong:
        sys.exit(f"{wrong} of {len(SEQUENCES)} sequences differ")


if __name__ == "__main__":
    main()
