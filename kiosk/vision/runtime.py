"""Opening ONNX files with ONNX Runtime, and saying clearly what is wrong with one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kiosk.errors import UserError

Floats = NDArray[np.float32]


class Session(Protocol):
    """The part of an ONNX Runtime session that is used."""

    def run(self, outputs: list[str] | None, feeds: dict[str, Floats]) -> list[Any]: ...

    def get_inputs(self) -> list[Any]: ...

    def get_outputs(self) -> list[Any]: ...


def open_session(path: Path, threads: int, what: str) -> Session:
    """The model in ``path`` ready to run on ``threads`` processor threads.

    ``what`` is what people call the model. Raises UserError for a missing or damaged file.
    """
    # Read when it is imported: otherwise it keeps an identifier of this machine on disk and tells
    # its maker over the network what is run.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    if not path.is_file():
        raise UserError(
            f"{path}: the {what} model is not there; install the program again or name one "
            "with --model"
        )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    # Spinning threads would keep a core busy between looks.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        session: Session = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:
        # ONNX Runtime raises many classes without a common base; each means "not this file".
        reason = str(error).splitlines()[0][:160] if str(error) else type(error).__name__
        raise UserError(f"{path}: not a usable {what} model ({reason})") from None
    return session


def expect(
    session: Session, path: Path, what: str, inputs: tuple[str, int], outputs: tuple[str, int]
) -> None:
    """Check name and number of dimensions of the one input and one output.

    Raises UserError that says what was expected.
    """
    for kind, (name, rank), found in (
        ("input", inputs, session.get_inputs()),
        ("output", outputs, session.get_outputs()[:1]),
    ):
        if (
            len(found) != 1
            or len(found[0].shape) != rank
            or (kind == "input" and found[0].name != name)
        ):
            seen = ", ".join(f"{f.name}{list(f.shape)}" for f in found) or "none"
            raise UserError(
                f"{path}: not a {what} model: expected one {kind} {name} with {rank} "
                f"dimensions, found {seen}"
            )
