"""Makes sure that OpenCV finds its system libraries; run once by ``make setup``.

OpenCV's wheel wants libGL and glib, which a bare Debian or Ubuntu machine lacks. They are
installed where this may be done without a question, otherwise the line to type is printed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

PACKAGES = ("libgl1", "libglib2.0-0")


def opencv_loads() -> bool:
    """Whether OpenCV can be imported, tried in a process of its own."""
    done = subprocess.run([sys.executable, "-c", "import cv2"], capture_output=True, check=False)
    return done.returncode == 0


def install() -> bool:
    """Install the packages with apt-get as root, or with sudo that asks nothing."""
    if shutil.which("apt-get") is None:
        return False
    if os.geteuid() == 0:
        prefix = []
    elif shutil.which("sudo"):
        prefix = ["sudo", "-n"]
    else:
        return False
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    steps = (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", *PACKAGES])
    return all(
        subprocess.run(
            [*prefix, "apt-get", *step], env=environment, stdout=sys.stderr, check=False
        ).returncode
        == 0
        for step in steps
    )


def main() -> int:
    """0 when OpenCV loads in the end, else 1 with the one line to type."""
    if opencv_loads() or (install() and opencv_loads()):
        return 0
    names = " ".join(PACKAGES)
    print(f"OpenCV needs system libraries. Type: sudo apt-get install {names}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
