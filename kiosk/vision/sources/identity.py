"""Which camera is which: the lasting name of a numbered camera (C3)."""

from __future__ import annotations

from pathlib import Path

_BY_ID = Path("/dev/v4l/by-id")


def lasting_name(target: str, by_id: Path = _BY_ID) -> str | None:
    """The by-id path that leads to the camera ``target`` (number or device path) now, if any.

    Where a camera shows several streams, the one whose link leads to exactly this device.
    """
    device = Path(f"/dev/video{target}") if target.isdigit() else Path(target)
    try:
        real = device.resolve(strict=True)
        links = sorted(by_id.iterdir())
    except OSError:
        return None
    for link in links:
        try:
            if link.resolve(strict=True) == real:
                return str(link)
        except OSError:
            continue
    return None


def device_of(target: str, known_as: str | None) -> str | None:
    """The device to open: the known camera wherever it is now, otherwise what was asked for.

    None when the known camera is not plugged in: another camera under the old number is never
    taken for it.
    """
    wanted = known_as or target
    if wanted.isdigit():
        return f"/dev/video{wanted}" if Path(f"/dev/video{wanted}").exists() else None
    try:
        return str(Path(wanted).resolve(strict=True))
    except OSError:
        return None
