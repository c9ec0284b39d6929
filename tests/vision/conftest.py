"""Property tests here run on slow, shared machines: no limit per example."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("unhurried", deadline=None, max_examples=60)
settings.load_profile("unhurried")
