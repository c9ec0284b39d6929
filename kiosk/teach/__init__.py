"""The teaching room: drills from the rules, what a trainee should do next, progress, tests.

Pure but for ``store`` (one SQLite file) and ``certificate`` (PDF); time comes in as a value.
"""
