"""Training of the shipped models: renderer, data sets, training, export, evaluation.

Needs the ``[train]`` extra (``make train-setup``). Nothing the kiosk runs imports this package,
except the renderer when a simulated table is asked for.
"""
