"""Trained agents: a network in a small file, played by one kernel; torch is not needed.

The network is a trunk of ReLU layers over squashed observations; from it come one logit for each
action and the value, the reward expected. A file holds the float32 arrays (NumPy's ``.npz``,
nothing pickled) and a JSON header.
"""

from __future__ import annotations

import io
import itertools
import json
import math
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from qipai.envs import load_game
from qipai.envs.files import write_whole
from qipai.envs.game import Game
from qipai.envs.kernel import inlined, kernel
from qipai.envs.match import encoded
from qipai.envs.rng import entropy

FORMAT = 1
MODEL = "model.npz"  # its name in the folder of a training run
MOST_BYTES = 1 << 29  # of the arrays in a file: a hundred times those of a large network


# --- The network -------------------------------------------------------------------------------


@inlined
def squash(x):
    """sign(x)·log(1 + |x|): coins in the millions come out below 15, flags stay flags."""
    return math.log1p(x) if x >= 0 else -math.log1p(-x)


@inlined
def dot(x, y, n):
    """Four running sums, for one would wait for itself at every step."""
    a = b = c = d = np.float32(0)
    for k in range(0, n - 3, 4):
        a += x[k] * y[k]
        b += x[k + 1] * y[k + 1]
        c += x[k + 2] * y[k + 2]
        d += x[k + 3] * y[k + 3]
    for k in range(n - n % 4, n):
        a += x[k] * y[k]
    return (a + b) + (c + d)


@inlined
def add_inputs(row, matrix, active, inputs, count):
    """Add ``count`` inputs times their rows of ``matrix``, four at a time to save passes."""
    outputs = matrix.shape[1]
    for m in range(0, count - 3, 4):
        u, v, w, x = inputs[m], inputs[m + 1], inputs[m + 2], inputs[m + 3]
        a, b = matrix[active[m]], matrix[active[m + 1]]
        c, d = matrix[active[m + 2]], matrix[active[m + 3]]
        for k in range(outputs):
            row[k] += (u * a[k] + v * b[k]) + (w * c[k] + x * d[k])
    for m in range(count - count % 4, count):
        u, a = inputs[m], matrix[active[m]]
        for k in range(outputs):
            row[k] += u * a[k]


@inlined
def weigh_actions(weights, biases, observation, mask, active, inputs, row):
    """Leave a logit for each legal action in ``inputs``, the trunk's outputs in ``row``; the
    likeliest action, −1 if none is legal. Inputs that are 0 and illegal actions cost nothing.

    ``active`` and ``inputs`` are scratch for the inputs of a layer that are not 0.
    """
    last = len(weights) - 1
    count = 0
    for j in range(len(observation)):
        if observation[j] != 0:
            active[count] = j
            inputs[count] = squash(observation[j])
            count += 1
    for layer in range(last):
        bias = biases[layer]
        for k in range(len(bias)):
            row[k] = bias[k]
        add_inputs(row, weights[layer], active, inputs, count)
        count = 0
        for k in range(len(bias)):
            if row[k] > 0:
                active[count] = k
                inputs[count] = row[k]
                count += 1
            else:
                row[k] = 0
    matrix, bias = weights[last], biases[last]
    likeliest = -1
    for a in range(len(mask)):
        if mask[a] != 0:
            inputs[a] = dot(row, matrix[a], matrix.shape[1]) + bias[a]
            if likeliest < 0 or inputs[a] > inputs[likeliest]:
                likeliest = a
    return likeliest


@kernel
def choose_actions(
    weights,
    biases,
    value,
    observations,
    masks,
    draws,
    active,
    inputs,
    row,
    actions,
    chances,
    values,
):
    """An action for each observation.

    ``draws`` are uniform in [0, 1); where one is negative the likeliest action is taken.
    ``active``, ``inputs`` and ``row`` are scratch.
    """
    size = len(value) - 1
    for i in range(len(observations)):
        likeliest = weigh_actions(weights, biases, observations[i], masks[i], active, inputs, row)
        values[i] = dot(row, value, size) + value[size]
        actions[i] = likeliest
        chances[i] = 0
        if likeliest < 0:
            continue
        total = 0.0
        for a in range(masks.shape[1]):
            if masks[i, a] != 0:
                total += math.exp(inputs[a] - inputs[likeliest])
        left = draws[i] * total
        for a in range(masks.shape[1]):
            if left >= 0 and masks[i, a] != 0:
                actions[i] = a
                left -= math.exp(inputs[a] - inputs[likeliest])
        chances[i] = inputs[actions[i]] - inputs[likeliest] - math.log(total)


@kernel
def spread_chances(
    weights, biases, value, observations, masks, active, inputs, row, chances, values
):
    """The chance of each action, which come as 0, and the value, for each observation."""
    size = len(value) - 1
    for i in range(len(observations)):
        likeliest = weigh_actions(weights, biases, observations[i], masks[i], active, inputs, row)
        values[i] = dot(row, value, size) + value[size]
        total = 0.0
        for a in range(masks.shape[1]):
            if masks[i, a] != 0:
                chances[i, a] = math.exp(inputs[a] - inputs[likeliest])
                total += chances[i, a]
        for a in range(masks.shape[1]):
            if masks[i, a] != 0:
                chances[i, a] /= total


class Network:
    """The arrays of a network, and the choices it makes with them.

    Args:
        weights: float32 (outputs, inputs) of each layer of the trunk, then of the actions.
        biases: float32 (outputs,) of the same layers.
        value: float32 (inputs + 1,), the weights of the value and its bias.
    """

    def __init__(
        self, weights: Sequence[np.ndarray], biases: Sequence[np.ndarray], value: np.ndarray
    ) -> None:
        """ValueError for shapes that don't fit each other and for what is no finite number."""
        self.weights = [_finite(f"weights_{k}", matrix) for k, matrix in enumerate(weights)]
        self.biases = [_finite(f"biases_{k}", bias) for k, bias in enumerate(biases)]
        self.value = _finite("value", value)
        shapes = [matrix.shape for matrix in self.weights]
        sizes = [bias.shape for bias in self.biases]
        fitting = (
            len(shapes) > 1
            and all(len(shape) == 2 and min(shape) > 0 for shape in shapes)
            and all(after[1] == before[0] for before, after in itertools.pairwise(shapes))
            and sizes == [shape[:1] for shape in shapes]
            and self.value.shape == (shapes[-1][1] + 1,)
        )
        if not fitting:
            raise ValueError(
                f"layers of shapes {shapes}, biases of shapes {sizes} and a value of shape "
                f"{self.value.shape} don't fit together"
            )
        outputs = [size for size, _ in shapes]
        self.width, self.actions = shapes[0][1], outputs[-1]
        # The kernel walks a layer of the trunk input by input, the last one action by action.
        self._walked = (
            *(np.ascontiguousarray(matrix.T) for matrix in self.weights[:-1]),
            np.ascontiguousarray(self.weights[-1]),
        )
        self._active = np.zeros(max(self.width, *outputs), np.int64)
        self._inputs = np.zeros(len(self._active), np.float32)
        self._row = np.zeros(len(self._active), np.float32)

    def choose(
        self, observations: np.ndarray, masks: np.ndarray, draws: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Actions int64 (n,), their log-probabilities and the values, both float32 (n,).

        Args:
            observations: float32 (n, width), hidden entries 0.
            masks: int8 (n, actions), 1 where legal.
            draws: float64 (n,), uniform in [0, 1); the likeliest action where negative.
        """
        n = len(observations)
        actions = np.empty(n, np.int64)
        chances, values = np.empty(n, np.float32), np.empty(n, np.float32)
        choose_actions(
            self._walked,
            tuple(self.biases),
            self.value,
            np.ascontiguousarray(observations),
            np.ascontiguousarray(masks),
            draws,
            self._active,
            self._inputs,
            self._row,
            actions,
            chances,
            values,
        )
        return actions, chances, values

    def weigh(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The chance of each action, float32 (n, actions), and the values, float32 (n,).

        Args:
            observations: float32 (n, width), hidden entries 0.
            masks: int8 (n, actions), 1 where legal.
        """
        chances = np.zeros(masks.shape, np.float32)
        values = np.empty(len(observations), np.float32)
        spread_chances(
            self._walked,
            tuple(self.biases),
            self.value,
            np.ascontiguousarray(observations),
            np.ascontiguousarray(masks),
            self._active,
            self._inputs,
            self._row,
            chances,
            values,
        )
        return chances, values


def _finite(name: str, array: np.ndarray) -> np.ndarray:
    """The array in float32; ValueError if it holds anything but finite numbers."""
    array = np.asarray(array)
    if array.dtype.kind not in "fiu":
        raise ValueError(f"{name} is of type {array.dtype}, not of real numbers")
    with np.errstate(over="ignore"):
        numbers = np.ascontiguousarray(array, np.float32)
    if not np.isfinite(numbers).all():
        raise ValueError(f"{name} has values that are not finite in float32")
    return numbers.reshape(array.shape)  # ascontiguousarray makes a row of a single number


# --- Files and the agent -----------------------------------------------------------------------


def save_model(path: Path, game: Game, network: Network, **about: Any) -> None:
    """Write a network trained for ``game``; ``about`` are JSON-ready notes on its making.

    OSError if it can't be written; a file that was there before stays as it was then.
    """
    header = {"format": FORMAT, "game": game.name, "version": game.version, **about}
    text = np.array(json.dumps(header, ensure_ascii=False))
    arrays: dict[str, Any] = {"header": text, "value": network.value}
    for k, (weights, biases) in enumerate(zip(network.weights, network.biases, strict=True)):
        arrays |= {f"weights_{k}": weights, f"biases_{k}": biases}
    file = io.BytesIO()
    np.savez(file, **arrays)
    write_whole(path, file.getvalue())


def load_model(path: str | Path, game: Game) -> tuple[Network, dict[str, Any]]:
    """The network in a file, or in the folder of a training run, and the header beside it.

    ValueError if there is none, or if it was trained for another game or another version of it.
    """
    network, header, file = _read_model(path)
    found = (header["game"], header["version"], network.width, network.actions)
    wanted = (game.name, game.version, game.observation.width, game.actions.width)
    if found != wanted:
        raise ValueError(
            f"{file} plays {found[0]} version {found[1]} ({found[2]} entries, {found[3]} actions), "
            f"not {wanted[0]} version {wanted[1]} ({wanted[2]} entries, {wanted[3]} actions)"
        )
    return network, header


def game_of(path: str | Path) -> Game:
    """The game that a model was trained for; ValueError if there is none."""
    return load_game(_read_model(path)[1]["game"])


def _read_model(path: str | Path) -> tuple[Network, dict[str, Any], Path]:
    """A network, the header beside it and the file they are in; ValueError if it can't be read."""
    file = Path(path)
    try:
        if file.is_dir():
            file /= MODEL
        arrays = _read_arrays(file)
        header = _read_header(arrays)
        layers = range(sum(name.startswith("biases_") for name in arrays))
        network = Network(
            [arrays[f"weights_{k}"] for k in layers],
            [arrays[f"biases_{k}"] for k in layers],
            arrays["value"],
        )
    except FileNotFoundError:
        raise ValueError(f"there is no model {file}") from None
    except KeyError as error:
        raise ValueError(f"{file} cannot be read as a model: it has no {error.args[0]}") from None
    except Exception as error:  # whatever a broken file may bring about
        raise ValueError(f"{file} cannot be read as a model: {error}") from None
    return network, header, file


def _read_arrays(file: Path) -> dict[str, np.ndarray]:
    """The arrays of an ``.npz`` file by name; none is unpacked that is larger than it should be."""
    with zipfile.ZipFile(file) as archive:
        members = archive.infolist()
        if "header.npy" not in archive.namelist():
            raise ValueError("it was not saved by qipai train")
        if sum(member.file_size for member in members) > MOST_BYTES:
            raise ValueError(f"it unpacks to more than {MOST_BYTES:,} bytes")
        return {m.filename.removesuffix(".npy"): _read_array(archive.read(m)) for m in members}


def _read_array(data: bytes) -> np.ndarray:
    stream = io.BytesIO(data)
    readers = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }
    shape, _, kind = readers[np.lib.format.read_magic(stream)](stream)
    if math.prod(shape) * kind.itemsize > len(data):
        raise ValueError(f"an array of shape {shape} is not all there")
    stream.seek(0)
    array: np.ndarray = np.lib.format.read_array(stream, allow_pickle=False)
    return array


def _read_header(arrays: Mapping[str, np.ndarray]) -> dict[str, Any]:
    header = json.loads(str(arrays["header"]))
    if not isinstance(header, dict):
        raise ValueError("its header is no JSON object")
    for name, kind in (("format", int), ("game", str), ("version", int)):
        if type(header.get(name)) is not kind:
            raise ValueError(
                f"its header has {name}={header.get(name)!r}, not of type {kind.__name__}"
            )
    if header["format"] != FORMAT:
        raise ValueError(f"its format is {header['format']}, not {FORMAT}")
    return header


class NetworkAgent:
    """Plays a network: draws from its probabilities, or takes the likeliest action if ``greedy``.

    Equal seeds give equal choices.
    """

    def __init__(
        self, game: Game, network: Network, seed: int | None = 0, *, greedy: bool = False
    ) -> None:
        entropy(seed)  # refuses what is no seed
        self.network = network
        self.greedy = greedy
        self._rng = np.random.default_rng(seed)
        self.game = game

    def act(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Actions int64 (n,) for views (n,) and masks int8 (n, actions)."""
        observations, _ = encoded(self.game, views, views["turn"])
        draws = np.full(len(views), -1.0) if self.greedy else self._rng.random(len(views))
        return self.network.choose(observations, masks, draws)[0]

    def weigh(self, views: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What the network thinks of views (n,), greedy or not: see ``Weighing``."""
        observations, _ = encoded(self.game, views, views["turn"])
        return self.network.weigh(observations, masks)


class ModelAgent(NetworkAgent):
    """A trained agent from a file or from the folder of a training run.

    ValueError if there is no model that fits the game.
    """

    def __init__(
        self, game: Game, path: str | Path, seed: int | None = 0, *, greedy: bool = False
    ) -> None:
        network, self.header = load_model(path, game)
        super().__init__(game, network, seed, greedy=greedy)
