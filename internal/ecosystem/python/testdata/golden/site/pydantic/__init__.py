"""Models."""
from .main import BaseModel
from .fields import Field
__all__ = ["BaseModel", "Field"]
