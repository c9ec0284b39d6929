"""Writes frames as H.264 through the ``ffmpeg`` program, which must be installed to render."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import numpy as np


def write_video(
    path: Path, frames: Iterable[np.ndarray], size: tuple[int, int], fps: int, crf: int
) -> None:
    """Encode BGR uint8 frames. ``crf``: quality, lower is better and larger.

    One thread and no metadata, so that the same frames give the same file. Raises RuntimeError
    when ffmpeg is missing or fails.
    """
    program = shutil.which("ffmpeg")
    if program is None:
        raise RuntimeError("ffmpeg is not installed: sudo apt-get install ffmpeg")
    command = [program, "-hide_banner", "-loglevel", "error", "-y"]
    command += ["-f", "rawvideo", "-pix_fmt", "bgr24", "-s", f"{size[0]}x{size[1]}"]
    command += ["-r", str(fps), "-i", "-", "-an", "-c:v", "libx264", "-preset", "slow"]
    command += ["-crf", str(crf), "-pix_fmt", "yuv420p", "-g", str(fps * 10), "-threads", "1"]
    command += ["-vf", "scale=out_color_matrix=bt709:out_range=tv", "-colorspace", "bt709"]
    command += ["-color_primaries", "bt709", "-color_trc", "bt709"]
    command += ["-fflags", "+bitexact", "-flags:v", "+bitexact", "-map_metadata", "-1"]
    command += ["-movflags", "+faststart", str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as encoder:
        assert encoder.stdin is not None
        for frame in frames:
            encoder.stdin.write(np.ascontiguousarray(frame).tobytes())
        encoder.stdin.close()
        if encoder.wait():
            raise RuntimeError(f"ffmpeg could not write {path} (exit status {encoder.returncode})")
