"""Trained agents: a network in a small file, played by one kernel, without torch.

The network is a trunk of ReLU layers over squashed observations, then one logit for each action and
the value. A file holds its float32 arrays (NumPy's ``.npz``, nothing pickled) and a JSON header.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from qipai.envs.game import Game
from qipai.envs.kernel import addressable, inlined, kernel
from qipai.envs.match import engine
from qipai.envs.rng import entropy

FORMAT = 1
MODEL = "model.npz"  # its name in the folder of a training run
ROWS = 2  # hidden layers are worked out in two rows of scratch, turn about


@inlined
def squash(x):
    """sign(x)·log(1 + |x|), so that coins in the millions come out below 15."""
    return math.log1p(x) if x >= 0 else -math.log1p(-x)


@inlined
def dot(x, y, n):
    """Four running sums: they don't wait for each other."""
    a = b = c = d = np.float32(0)
    for k in range(0, n - 3, 4):
        a += x[k] * y[k]
        b += x[k + 1] * y[k + 1]
        c += x[k + 2] * y[k + 2]
        d += x[k + 3] * y[k + 3]
    for k in range(n - n % 4, n):
        a += x[k] * y[k]
    return (a + b) + (c + d)


@kernel
def choose(weights, biases, value, rows, logits, observations, masks, draws, actions, chances, values):
    """An action for each observation; inputs that are 0 cost nothing, illegal actions neither.

    ``weights[l]`` is (in, out) for the trunk and (out, in) for the actions. ``draws`` are uniform
    in [0, 1); where negative the likeliest action is taken. ``chances`` get log-probabilities.
    """
    last = len(weights) - 1
    for i in range(len(observations)):
        for layer in range(last):
            source, target = rows[(layer + 1) % 2], rows[layer % 2]
            matrix, bias = weights[layer], biases[layer]
            wide, narrow = matrix.shape
            for k in range(narrow):
                target[k] = bias[k]
            for j in range(wide):
                x = observations[i, j] if layer == 0 else source[j]
                if x != 0:
                    if layer == 0:
                        x = np.float32(squash(x))
                    row = matrix[j]
                    for k in range(narrow):
                        target[k] += x * row[k]
            for k in range(narrow):
                target[k] = max(target[k], np.float32(0))
        hidden = rows[(last + 1) % 2]
        matrix, bias = weights[last], biases[last]
        narrow = matrix.shape[1]
        values[i] = dot(hidden, value, narrow) + value[narrow]
        best = -1
        for a in range(masks.shape[1]):
            if masks[i, a] != 0:
                logits[a] = dot(hidden, matrix[a], narrow) + bias[a]
                if best < 0 or logits[a] > logits[best]:
                    best = a
        total = 0.0
        for a in range(masks.shape[1]):
            if masks[i, a] != 0:
                total += math.exp(logits[a] - logits[best])
        chosen = best
        if draws[i] >= 0:
            left = draws[i] * total
            for a in range(masks.shape[1]):
                if masks[i, a] != 0:
                    chosen = a
                    left -= math.exp(logits[a] - logits[best])
                    if left < 0:
                        break
        actions[i] = chosen
        chances[i] = logits[chosen] - logits[best] - math.log(total) if best >= 0 else 0.0
