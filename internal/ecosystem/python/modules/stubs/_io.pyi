# Streams in memory.
from _pyio import BytesIO, StringIO
