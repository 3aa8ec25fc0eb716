"""Self-play with MaskablePPO (sb3-contrib): ``train(Config(game="doudizhu"))``.

A run leaves in its folder ``model.npz`` (played by ``model:FOLDER``), ``checkpoint.zip`` (in the
format of stable-baselines3, to go on with), ``config.json``, ``results.json``, ``curve.png`` and
events for TensorBoard.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from time import perf_counter

import torch
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from sb3_contrib import MaskablePPO
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure
from stable_baselines3.common.utils import ConstantSchedule

from qipai.agents import load_agent
from qipai.agents.arena import Estimate
from qipai.agents.model import MODEL, NetworkAgent, load_model, save_model
from qipai.agents.rule import has_rule_bot
from qipai.envs import load_game
from qipai.envs.game import Game
from qipai.training.config import Config
from qipai.training.learner import ActorCritic, Mirror, Policy, Pool
from qipai.training.report import (
    Evaluation,
    draw_curve,
    evaluate,
    final_table,
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

    Ctrl-C ends the training early; a second one the last evaluation too. ValueError for a config
    that does not work out.
    """
    console = console or Console()
    game = load_game(config.game)
    threads = config.threads or fastest_threads()
    torch.set_num_threads(threads)
    model, before = _build(game, config)
    folder = _folder(config)
    write_config(folder / "config.json", game, config, threads)
    model.set_logger(configure(str(folder), ["tensorboard"]))
    run = Run(game, config, folder, console, before)
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
    """The run's folder, made; ValueError if something is in it."""
    name = f"{datetime.now():%Y-%m-%d-%H%M%S}"
    folder = config.out or Path("runs") / config.game / name
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError(f"out={str(folder)!r} exists and is not an empty folder")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _build(game: Game, config: Config) -> tuple[MaskablePPO, int]:
    """The learner at its tables, and the steps it has learned from in the run that is resumed."""
    hidden, before = config.hidden, 0
    if config.resume is not None:
        network, header = load_model(config.resume, game)
        hidden, before = tuple(len(bias) for bias in network.biases[:-1]), header["steps"]
    env = SelfPlayVecEnv(
        game,
        config.tables,
        config.seed,
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
        seed=config.seed,
        device="cpu",
    )
    if config.resume is not None:
        model.set_parameters(str(config.resume / CHECKPOINT), device="cpu")
        model.num_timesteps = before
    env.opponents = [
        _player(name, game, _policy(model), config, config.seed + k)
        for k, name in enumerate(_opponents(game, config))
    ]
    return model, before


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
        self.rollouts = 0
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

    def _spend(self, what: str) -> None:
        """The time since the last mark was spent on this."""
        now = perf_counter()
        self.seconds[what] += now - self.mark
        self.mark = now

    # --- Called by MaskablePPO -----------------------------------------------------------------

    def _on_training_start(self) -> None:
        self.began = self.mark = perf_counter()

    def _on_rollout_start(self) -> None:
        self._spend("learning")
        if len(self.curve) / max(1, self.config.evaluations) <= self.done < 1:
            self._evaluate()
        if self.rollouts and self.rollouts % self.config.pool_every == 0:
            for opponent in self._env().opponents:
                if isinstance(opponent, Pool):
                    opponent.grow()
        self.mark = perf_counter()

    def _on_step(self) -> bool:
        if perf_counter() - self.drawn > REDRAW:
            self.drawn = perf_counter()
            state = f"{self.steps:,} steps, {self.steps / self.elapsed:,.0f}/s"
            self.bar.update(self.task, completed=self.done, state=state)
        return self.config.steps is not None or self.done < 1

    def _on_rollout_end(self) -> None:
        self._spend("rollouts")
        self.rollouts += 1
        start, end = self.config.learning_rate, self.config.final_learning_rate
        self.model.lr_schedule = ConstantSchedule(start + (end - start) * self.done)
        for name, share in self.shares().items():
            self.logger.record(f"time/{name}", share)

    # --- Evaluations -------------------------------------------------------------------------

    def _agent(self) -> NetworkAgent:
        return NetworkAgent(self.game, _policy(self.model).snapshot(), self.config.seed)

    def _evaluate(self) -> None:
        """A point of the curve; the model is saved with it, should the program be killed."""
        self.mark = perf_counter()
        steps, seconds, hands = self.steps, self.elapsed, self.config.evaluation_hands
        # Other seeds than the training's, or the first deals would be known.
        against = evaluate(
            self._agent(), self.against, self.game, self.config, hands, self.config.seed + 1
        )
        self.curve.append(Evaluation(self.before + steps, seconds, against))
        for name, coins in against.items():
            self.logger.record(f"evaluation/{name}", coins.mean)
        self.save()
        self._spend("evaluations")
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
        engine = self._env().seconds["engine"]
        spent = {
            "engine": engine,
            "policy": self.seconds["rollouts"] - engine,
            "learning": self.seconds["learning"],
            "evaluations": self.seconds["evaluations"],
        }
        total = max(self.elapsed, sum(spent.values()))
        return {name: seconds / total for name, seconds in spent.items()}

    def save(self) -> None:
        """Write the model and the checkpoint."""
        save_model(
            self.folder / MODEL,
            self.game,
            _policy(self.model).snapshot(),
            steps=self.model.num_timesteps,
            config=self.config.to_json(),
        )
        self.model.save(self.folder / CHECKPOINT)

    def finish(self) -> None:
        """Save, evaluate once more, write and show the results."""
        shares, steps, seconds = self.shares(), self.steps, self.elapsed
        self.save()
        final: Mapping[str, Estimate] = {}
        try:
            final = evaluate(
                self._agent(),
                self.against,
                self.game,
                self.config,
                self.config.final_hands,
                self.config.seed + 2,
            )
            self.curve.append(Evaluation(self.model.num_timesteps, seconds, final))
        except KeyboardInterrupt:
            self.interrupted = True
            self.console.print("Interrupted: no last evaluation.")
        if self.curve:
            draw_curve(self.folder / "curve.png", f"{self.game.name}, MaskablePPO", self.curve)
        write_results(
            self.folder / "results.json",
            steps=steps,
            seconds=seconds,
            shares=shares,
            interrupted=self.interrupted,
            curve=self.curve,
            final=final,
        )
        self.console.print(final_table(final))
        spent = ", ".join(f"{name} {share:.0%}" for name, share in shares.items())
        self.console.print(f"{steps:,} steps, {steps / seconds:,.0f}/s: {spent}")
        self.console.print(f"model:{self.folder}", soft_wrap=True)
