"""The kiosk's settings: typed, with units and bounds; unknown keys are refused.

Values come from the built-in defaults, then a TOML file (``--config``), then the command line.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from kiosk.errors import UserError
from kiosk.rules.money import number

Money = Annotated[
    Decimal,
    Field(gt=0, max_digits=14, decimal_places=2),
    AfterValidator(lambda amount: Decimal(number(amount))),
]
"""An amount; whichever way it was written, it prints in plain figures."""


class _Settings(BaseModel):
    """Base of all settings: frozen, and strict about names."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class TableSettings(_Settings):
    """Limits and money of this table. Amounts in the table's currency."""

    name: str = Field("Table 1", min_length=1, max_length=40, description="name shown and recorded")
    ante_min: Money = Field(Decimal(100), description="smallest ante, and the default bet")
    ante_max: Money = Field(Decimal(1000), description="largest ante")
    max_payout: Money | None = Field(
        Decimal(50000), description="most one box gets; none: no limit"
    )
    currency: str = Field("", max_length=4, description="currency sign; empty: chips only")
    chips: tuple[Money, ...] = Field(
        tuple(Decimal(v) for v in (1000, 500, 100, 25, 10, 5)),
        min_length=1,
        description="chip values, any order",
    )
    order: Literal["last-first", "first-last"] = Field(
        "last-first", description="seats are worked off from the last to the first, or back"
    )

    @field_validator("max_payout", mode="before")
    @classmethod
    def _no_limit(cls, value: object) -> object:
        """TOML has no word for nothing."""
        return None if value == "none" else value

    @model_validator(mode="after")
    def _limits_in_order(self) -> TableSettings:
        if self.ante_max < self.ante_min:
            raise ValueError(f"ante_max {self.ante_max} is below ante_min {self.ante_min}")
        return self


class PaceSettings(_Settings):
    """When the round goes on. Seconds."""

    settle_after: float = Field(0.3, ge=0.1, le=30, description="a hand lies still this long")
    doubt_after: float = Field(1.0, ge=0.1, le=60, description="a doubt lasts this long: ask")
    question_after: float = Field(3.0, ge=0.5, le=60, description="cards missing this long: ask")
    clear_after: float = Field(2.0, ge=0.2, le=60, description="felt clear this long: next hand")
    linger: float = Field(4.0, ge=0, le=60, description="the demo shows a settlement this long")


class RetentionSettings(_Settings):
    """How long pictures are kept. Days; entries are kept for ever."""

    days: int = Field(7, ge=1, le=3650, description="pictures of hands")
    disputed_days: int = Field(30, ge=1, le=3650, description="pictures of disputed hands")


class VisionSettings(_Settings):
    """Reading of the camera."""

    model: Path | None = Field(None, description="finder weights (.onnx, .pt); none: the shipped")
    threads: int = Field(2, ge=1, le=64, description="processor threads of the models")
    deck_recall: float = Field(
        0.8,
        ge=0,
        le=1,
        description="share of single looks at which a checked deck must be read to be used",
    )


class WebAccess(_Settings):
    """Who reaches the pages, and how."""

    hosts: tuple[str, ...] = Field((), description="host names besides localhost and addresses")
    https: bool = Field(False, description="a proxy on this machine serves the pages over https")
    kiosk_addresses: tuple[str, ...] = Field(
        (), description="IP addresses of further screens that count as the kiosk itself, PINs too"
    )
    idle_s: float = Field(
        180, ge=0, le=86400, description="seconds of an idle table before its screen; 0: never"
    )


class TeachSettings(_Settings):
    """What is asked of a trainee, in drills and at the table."""

    window: int = Field(10, ge=3, le=100, description="newest answers that accuracy is taken of")
    accuracy: float = Field(0.9, gt=0, le=1, description="share right before speed counts")
    pace: float = Field(1.0, ge=0.25, le=4, description="factor on the target times; 2: twice")
    questions: int = Field(20, ge=5, le=200, description="rounds of a test")
    pass_mark: float = Field(0.9, gt=0, le=1, description="share of a test that must be right")
    unanswered: Literal["held", "counted"] = Field(
        "held",
        description="a box of a training hand shown without an answer: held until it is answered "
        "or overruled, or only counted as not answered",
    )


class Settings(_Settings):
    """Everything a kiosk is told before it starts."""

    source: str = Field("sample", min_length=1, description="camera, see kiosk run --help")
    house: str = Field("russian-a", min_length=1, description="rule card: name or TOML file")
    layout: str | None = Field(
        None, min_length=1, description="felt layout: name or TOML file; none: fits the house"
    )
    panel: str = Field("sim", min_length=1, description="button panel, see kiosk run --help")
    host: str = Field("127.0.0.1", min_length=1, description="address the pages are served on")
    port: int = Field(8000, ge=1, le=65535, description="TCP port the pages are served on")
    record: str | None = Field(None, description="database of the record; none: SQLite in data")
    data: Path | None = Field(None, description="folder of all that is written; none: user data")
    kiosk_id: str = Field(
        "kiosk", pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$", description="name in the record"
    )
    mode: Literal["training", "demo"] | None = Field(
        None, description="who answers first; none: demo for the sample, else training"
    )
    language: Literal["en", "ru"] = Field("en", description="language of panel and record texts")
    table: TableSettings = TableSettings()
    web: WebAccess = WebAccess()
    pace: PaceSettings = PaceSettings()
    vision: VisionSettings = VisionSettings()
    retention: RetentionSettings = RetentionSettings()
    teach: TeachSettings = TeachSettings()

    @property
    def play_mode(self) -> Literal["training", "demo"]:
        """The mode in force: the bundled recording starts in demo mode."""
        return self.mode or ("demo" if self.source == "sample" else "training")


def _plain(problem: ValidationError, where: str) -> str:
    """The first complaint in one line: file, field, what was expected."""
    first = problem.errors(include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"]) or "settings"
    text = first["msg"].removeprefix("Value error, ")
    if first["type"] == "extra_forbidden":
        within, *rest = first["loc"]
        section = getattr(Settings(), str(within)) if rest else Settings()
        known = ", ".join(type(section).model_fields)
        text = f"no such setting ({f'{within} has' if rest else 'top-level settings are'}: {known})"
    return f"{where}: {field}: {text}"


def checked(base: Settings, values: Mapping[str, Any], where: str = "settings") -> Settings:
    """The settings with other values over them; ``table`` field by field. UserError names the
    field and what was expected."""
    data: dict[str, Any] = {
        name: getattr(base, name) for name in Settings.model_fields if name != "table"
    }
    table = {name: getattr(base.table, name) for name in TableSettings.model_fields}
    own = values.get("table", {})
    if not isinstance(own, Mapping):
        raise UserError(f"{where}: table: expected a table of settings")
    rest = {name: value for name, value in values.items() if name != "table"}
    try:
        return Settings.model_validate({**data, **rest, "table": {**table, **own}})
    except ValidationError as problem:
        raise UserError(_plain(problem, where)) from problem


def load_settings(path: Path | None, overrides: dict[str, Any]) -> Settings:
    """Settings from an optional TOML file, with the command line's values over it.

    ``overrides`` maps top-level names to values; None means not given. Raises UserError naming the
    file and the field.
    """
    values: dict[str, Any] = {}
    where = "command line"
    if path is not None:
        where = str(path)
        try:
            values = tomllib.loads(path.read_text("utf-8"))
        except OSError as problem:
            raise UserError(f"{path}: cannot be read: {problem.strerror or problem}") from problem
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
            raise UserError(f"{path}: is no TOML file: {problem}") from problem
    for name, value in overrides.items():
        if value is None:
            continue
        if name == "model":
            vision = values.setdefault("vision", {})
            if isinstance(vision, dict):
                vision["model"] = value
        else:
            values[name] = value
    try:
        return Settings.model_validate(values)
    except ValidationError as problem:
        raise UserError(_plain(problem, where)) from problem
