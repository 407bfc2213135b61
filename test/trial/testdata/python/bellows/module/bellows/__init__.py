"""Client of the Foundry service."""

from ._client import CallOptions, Exchange, FoundryError, LateError, Page, Status, TrailEntry, UntilOptions, connect, is_fault
from ._foundry import Foundry

__all__ = ["CallOptions", "Exchange", "Foundry", "FoundryError", "LateError", "Page", "Status", "TrailEntry", "UntilOptions", "connect", "is_fault"]
