"""Self-play with MaskablePPO (sb3-contrib): ``train(Config(game="doudizhu"))``.

A run leaves in its folder ``model.npz`` (played by ``model:FOLDER``), ``checkpoint.zip`` (in the
format of stable-baselines3, to go on with), ``config.json``, ``results.json``, ``curve.png`` and
events for TensorBoard.
"""

from __future__ import annotations

import io
import json
import operator
import os
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from time import perf_counter

import torch
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from sb3_contrib import MaskablePPO
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger, TensorBoardOutputFormat
from stable_baselines3.common.utils import ConstantSchedule

from qipai.agents import load_agent
from qipai.agents.arena import Estimate
from qipai.agents.model import MODEL, NetworkAgent, load_model, save_model
from qipai.agents.rule import has_rule_bot
from qipai.agents.seeds import derive
from qipai.envs import load_game
from qipai.envs.files import write_whole
from qipai.envs.game import Game
from qipai.training.config import Config
from qipai.training.learner import ActorCritic, Mirror, Policy, Pool
from qipai.training.report import (
    Evaluation,
    draw_curve,
    evaluate,
    final_table,
    percentages,
    references,
    searches,
    write_config,
    write_results,
    written,
)
from qipai.training.vec_env import Player, SelfPlayVecEnv, player

__all__ = ["Config", "train"]

CHECKPOINT = "checkpoint.zip"
UNBOUNDED = 10**15  # steps, where the minutes decide
MOST_THREADS = 4  # the network is too small for more
REDRAW = 0.2  # seconds between two updates of the progress bar


def train(config: Config, console: Console | None = None) -> Path:
    """Train, evaluate and write everything to the run's folder, which is returned.

    Ctrl-C ends the training early; a second one the last evaluation too. If the disk fills, what
    was written stays, the training goes on, and OSError is raised at its end if that could not be
    written either. ValueError for a config that does not work out.
    """
    console = console or Console()
    game = load_game(config.game)
    threads = config.threads or fastest_threads()
    torch.set_num_threads(threads)
    model, before = _build(game, config)
    folder = _folder(config)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_config(folder / "config.json", game, config, threads)
        events = TensorBoardOutputFormat(str(folder))
    except OSError as error:
        raise ValueError(f"out={str(folder)!r} cannot be written to: {error.strerror}") from None
    run = Run(game, config, folder, console, before)
    run.init_callback(model)
    model.set_logger(Log(run, folder, events))
    with run.bar:
        try:
            model.learn(
                config.steps or UNBOUNDED, callback=run, log_interval=1, reset_num_timesteps=False
            )
        except KeyboardInterrupt:
            run.interrupted = True
            console.print("Interrupted: the model as it is now is kept.")
    run.finish()
    return folder


def fastest_threads() -> int:
    """1, or as many threads of torch as there are cores, whichever learns faster just now.

    On cores that others use too, threads spend their time waiting for each other.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min((1, min(cores or 1, MOST_THREADS)), key=_seconds_to_learn)


def _seconds_to_learn(threads: int) -> float:
    torch.set_num_threads(threads)
    network = ActorCritic(512, 256, (256, 256))
    began = 0.0
    for number in range(6):
        if number == 1:  # the first one warms up
            began = perf_counter()
        logits, values = network(torch.zeros(2048, 512))
        (logits.log_softmax(-1).sum() + values.sum()).backward()
    return perf_counter() - began


def _folder(config: Config) -> Path:
    """The run's folder; ValueError if something is in it."""
    name = f"{datetime.now():%Y-%m-%d-%H%M%S}"
    folder = config.out or Path("runs") / config.game / name
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError(f"out={str(folder)!r} exists and is not an empty folder")
    return folder


def _build(game: Game, config: Config) -> tuple[MaskablePPO, int]:
    """The learner at its tables, and the steps it has learned from in the run that is resumed."""
    hidden, before = config.hidden, 0
    if config.resume is not None:
        network, _ = load_model(config.resume, game)
        hidden = tuple(len(bias) for bias in network.biases[:-1])
        before = _steps_in(config.resume / CHECKPOINT)

    def seed(*purpose: str | int) -> int:  # a run that goes on gets other deals than those before
        return derive(config.seed, "training", before, *purpose)

    env = SelfPlayVecEnv(
        game,
        config.tables,
        seed("deals"),
        reward_scale=config.reward_scale,
        preset=config.preset,
        **config.options,
    )
    model = MaskablePPO(
        Policy,
        env,
        learning_rate=config.learning_rate,
        n_steps=config.n_steps,
        batch_size=config.batch_size,
        n_epochs=config.n_epochs,
        gamma=config.gamma,
        gae_lambda=config.gae_lambda,
        clip_range=config.clip_range,
        ent_coef=config.entropy,
        vf_coef=config.value,
        max_grad_norm=config.max_grad_norm,
        policy_kwargs={"hidden": hidden},
        seed=seed("deals"),
        device="cpu",
    )
    if config.resume is not None:
        with _readable(config.resume / CHECKPOINT) as file:
            model.set_parameters(str(file), device="cpu")
        model.num_timesteps = before
    env.opponents = [
        _player(name, game, _policy(model), config, seed("opponent", k))
        for k, name in enumerate(_opponents(game, config))
    ]
    return model, before


def _steps_in(checkpoint: Path) -> int:
    """The steps learned from up to a checkpoint, which may be older than the model beside it."""
    with _readable(checkpoint) as file, zipfile.ZipFile(file) as archive:
        return operator.index(json.loads(archive.read("data"))["num_timesteps"])


@contextmanager
def _readable(file: Path) -> Iterator[Path]:
    """ValueError where a checkpoint turns out to be none."""
    if not file.is_file():
        raise ValueError(f"there is no checkpoint {file}")
    try:
        yield file
    except Exception as error:  # whatever a broken file may bring about
        reason = str(error).partition("\n")[0]
        raise ValueError(f"{file} cannot be read as a checkpoint: {reason}") from None


def _opponents(game: Game, config: Config) -> list[str]:
    """The names in ``config.opponents``."""
    if config.opponents is None:
        quick = has_rule_bot(game.name) and not searches("rule", game)
        return ["self", "rule"] if quick else ["self"]
    return config.opponents.split(",")


def _player(name: str, game: Game, policy: Policy, config: Config, seed: int) -> Player:
    if name == "self":
        return Mirror(policy, seed)
    if name == "pool":
        return Pool(policy, config.pool_size, seed)
    return player(load_agent(name, game, seed))


def _policy(model: BaseAlgorithm) -> Policy:
    assert isinstance(model.policy, Policy)
    return model.policy


class Log(Logger):
    """The events for TensorBoard, as long as they can be written."""

    def __init__(self, run: Run, folder: Path, events: TensorBoardOutputFormat) -> None:
        super().__init__(str(folder), [events])
        self._run = run

    def dump(self, step: int = 0) -> None:
        try:
            super().dump(step)
        except OSError as error:
            self._run.missed(error)
            self.output_formats.clear()


class Run(BaseCallback):
    """One run from its first rollout to its last file: clock, evaluations, progress, pool."""

    def __init__(
        self, game: Game, config: Config, folder: Path, console: Console, before: int
    ) -> None:
        super().__init__()
        self.game, self.config, self.folder, self.console = game, config, folder, console
        self.before = before
        self.interrupted = False
        self.curve: list[Evaluation] = []
        self.against = references(game)
        self.seconds = {"rollouts": 0.0, "learning": 0.0, "evaluations": 0.0}
        self.phase = "learning"  # one of them, since ``mark``
        self.idle = 0.0  # seconds of the engine before the training began
        self.rollouts = 0
        self.unwritten: list[OSError] = []  # what found no room on the disk
        self.bar = Progress(
            TextColumn(game.name),
            BarColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[state]}"),
            console=console,
        )
        self.task = self.bar.add_task("", total=1.0, state="")
        self.began = self.mark = self.drawn = perf_counter()

    # --- Time ----------------------------------------------------------------------------------

    @property
    def elapsed(self) -> float:
        """Seconds since the training began."""
        return perf_counter() - self.began

    @property
    def steps(self) -> int:
        """Choices learned from in this run."""
        return self.model.num_timesteps - self.before

    @property
    def done(self) -> float:
        """The part of the run that is over, 0…1."""
        if self.config.steps is not None:
            return min(1.0, self.steps / self.config.steps)
        return min(1.0, self.elapsed / (60 * self.config.minutes))

    def _enter(self, phase: str) -> None:
        """From now on time is spent on this."""
        now = perf_counter()
        self.seconds[self.phase] += now - self.mark
        self.mark, self.phase = now, phase

    # --- Called by MaskablePPO -----------------------------------------------------------------

    def _on_training_start(self) -> None:
        self.began = self.mark = perf_counter()
        self.idle = self._env().seconds["engine"]

    def _on_rollout_start(self) -> None:
        if len(self.curve) / max(1, self.config.evaluations) <= self.done < 1:
            self._evaluate()
        if self.rollouts and self.rollouts % self.config.pool_every == 0:
            for opponent in self._env().opponents:
                if isinstance(opponent, Pool):
                    opponent.grow()
        self._enter("rollouts")

    def _on_step(self) -> bool:
        if perf_counter() - self.drawn > REDRAW:
            self.drawn = perf_counter()
            state = f"{self.steps:,} steps, {self.steps / self.elapsed:,.0f}/s"
            self.bar.update(self.task, completed=self.done, state=state)
        return self.config.steps is not None or self.done < 1

    def _on_rollout_end(self) -> None:
        self._enter("learning")
        self.rollouts += 1
        start, end = self.config.learning_rate, self.config.final_learning_rate
        self.model.lr_schedule = ConstantSchedule(start + (end - start) * self.done)
        for name, share in self.shares().items():
            self.logger.record(f"time/{name}", share)

    # --- Evaluations -------------------------------------------------------------------------

    def _evaluated(self, purpose: str, hands: int) -> dict[str, Estimate]:
        """The policy as it is now, on deals that are the same for all evaluations of a purpose."""
        network = _policy(self.model).snapshot()

        def agent(game: Game, seed: int) -> NetworkAgent:
            return NetworkAgent(game, network, seed)

        seed = derive(self.config.seed, purpose)
        return evaluate(agent, self.against, self.game, self.config, hands, seed)

    def _evaluate(self) -> None:
        """A point of the curve; the model is saved with it, should the program be killed."""
        self._enter("evaluations")
        steps, seconds = self.steps, self.elapsed
        against = self._evaluated("evaluation", self.config.evaluation_hands)
        self.curve.append(Evaluation(self.before + steps, seconds, against))
        for name, coins in against.items():
            self.logger.record(f"evaluation/{name}", coins.mean)
        self.save()
        minutes, rest = divmod(round(seconds), 60)
        results = ", ".join(f"{name} {written(coins)}" for name, coins in against.items())
        reached = f"{minutes}:{rest:02} {self.before + steps:>11,} steps"
        self.console.print(f"{reached}; coins per hand against {results}", soft_wrap=True)

    def _env(self) -> SelfPlayVecEnv:
        env = self.training_env
        assert isinstance(env, SelfPlayVecEnv)
        return env

    # --- The end -------------------------------------------------------------------------------

    def shares(self) -> dict[str, float]:
        """What the time was spent on, as parts of 1: the engine is ``Tables.step``, encoding
        included; policy are the choices of all seats and the collecting of them."""
        self._enter(self.phase)
        engine = self._env().seconds["engine"] - self.idle
        spent = {
            "engine": engine,
            "policy": self.seconds["rollouts"] - engine,
            "learning": self.seconds["learning"],
            "evaluations": self.seconds["evaluations"],
        }
        total = sum(spent.values())
        return {name: seconds / total for name, seconds in spent.items()}

    def save(self) -> None:
        """Write the model and the checkpoint, each if there is room for it."""
        network = _policy(self.model).snapshot()
        about = {"steps": self.model.num_timesteps, "config": self.config.to_json()}
        self._keep(lambda: save_model(self.folder / MODEL, self.game, network, **about))
        checkpoint = io.BytesIO()
        self.model.save(checkpoint)
        self._keep(lambda: write_whole(self.folder / CHECKPOINT, checkpoint.getvalue()))

    def _keep(self, write: Callable[[], None]) -> None:
        """Write something if there is room for it."""
        try:
            write()
        except OSError as error:
            self.missed(error)

    def missed(self, error: OSError) -> None:
        """Tell what could not be written; once, not each time."""
        if not self.unwritten:
            self.console.print(f"Not written: {error}", markup=False, soft_wrap=True)
        self.unwritten.append(error)

    def finish(self) -> None:
        """Save, evaluate once more, write and show the results; OSError if they found no room."""
        shares, steps, seconds = self.shares(), self.steps, self.elapsed
        missing = len(self.unwritten)
        self.save()
        final: Mapping[str, Estimate] = {}
        try:
            final = self._evaluated("last evaluation", self.config.final_hands)
            self.curve.append(Evaluation(self.model.num_timesteps, seconds, final))
        except KeyboardInterrupt:
            self.interrupted = True
            self.console.print("Interrupted: no last evaluation.")
        if self.curve:
            title = f"{self.game.name}, MaskablePPO"
            self._keep(lambda: draw_curve(self.folder / "curve.png", title, self.curve))
        self._keep(
            lambda: write_results(
                self.folder / "results.json",
                steps=steps,
                seconds=seconds,
                shares=shares,
                interrupted=self.interrupted,
                curve=self.curve,
                final=final,
            )
        )
        self.console.print(final_table(final))
        spent = ", ".join(f"{name} {share} %" for name, share in percentages(shares).items())
        self.console.print(f"{steps:,} steps, {steps / seconds:,.0f}/s: {spent}")
        self.console.print(f"model:{self.folder}", soft_wrap=True)
        if len(self.unwritten) > missing:
            raise self.unwritten[-1]
