"""Training: one module per algorithm, and the environment they share."""

import importlib.util

for _needed in ("torch", "stable_baselines3", "sb3_contrib"):
    if importlib.util.find_spec(_needed) is None:
        raise ImportError(f'training needs {_needed}: pip install "qipai[train]"')
