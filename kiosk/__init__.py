"""Dealer-training kiosk with card scanner."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("dealer-kiosk")
except PackageNotFoundError:
    __version__ = "0+unknown"
