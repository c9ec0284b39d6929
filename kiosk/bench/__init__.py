"""The project's own benchmarks: ``kiosk bench``."""
