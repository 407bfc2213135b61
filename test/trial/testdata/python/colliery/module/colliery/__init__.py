"""Client of the Colliery service."""

from .client import Client
from .config import CallConfig, Exchange, Settings
from .errors import CollieryError

__all__ = ["CallConfig", "Client", "CollieryError", "Exchange", "Settings"]
