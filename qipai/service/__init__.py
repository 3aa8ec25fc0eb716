"""The bot provider: decisions over HTTP. ``serving.serve`` runs it, ``app.make_app`` is its ASGI
application."""

import importlib.util

for _needed in ("fastapi", "uvicorn", "prometheus_client"):
    if importlib.util.find_spec(_needed) is None:
        raise ImportError(f'serving needs {_needed}: pip install "qipai[serve]"')
