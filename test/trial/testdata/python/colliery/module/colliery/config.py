"""Settings of clients and calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(kw_only=True)
class CallConfig:
    """Settings of a call; each that is set wins over the one of the client."""

    attempts: int | None = None
    """How often a call is made that is refused because of another change. By default 3."""
    rehearse: bool | None = None
    """Checks the call and changes nothing. By default False."""
    notes: dict[str, str] = field(default_factory=dict)
    """Written into the history, with those of the client."""


@dataclass
class Exchange:
    """One request."""

    operation: str
    """Name of the method."""
    input: dict[str, Any]
    """Fields of the input that are set."""
    account: str
    rehearse: bool
    notes: dict[str, str]


@dataclass(kw_only=True)
class Settings:
    """Settings of a client."""

    account: str
    """Signs calls."""
    transport: Callable[[Exchange], dict[str, Any]]
    """Brings a request to the service and returns its reply: ``{"value": …}``, or ``{"fault": "Busy", …}``."""
    call: CallConfig = field(default_factory=CallConfig)
    """Settings of all calls."""
