"""What can go wrong, as exceptions. Each carries the one-line text of the library and is a builtin exception, too.

How well a problem was solved is never an error: look at `Result.status`, or let `Result.check()` raise `NotConverged`.

>>> import voussoir
>>> try:
...     voussoir.scene("arch", stone=9)
... except voussoir.ArgumentError as error:
...     print(error)
scene arch: no parameter 'stone'; known are: stones, radius, thickness, depth, mu, density
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, Type

if TYPE_CHECKING:
    from .result import Result

__all__ = [
    "Error",
    "OutOfMemory",
    "ArgumentError",
    "DataError",
    "FileError",
    "Unsupported",
    "NotConverged",
]


class Error(Exception):
    """Base of all exceptions of this package."""

    code: str = "VS_ERROR"


class OutOfMemory(Error, MemoryError):
    """An allocation failed."""

    code = "VS_ERROR_MEMORY"


class ArgumentError(Error, ValueError):
    """A call was wrong: an option out of range, an object that was removed."""

    code = "VS_ERROR_ARGUMENT"


class DataError(Error, ValueError):
    """The problem or file is wrong; the text names the field."""

    code = "VS_ERROR_DATA"


class FileError(Error, OSError):
    """A file could not be read or written."""

    code = "VS_ERROR_IO"


class Unsupported(Error, NotImplementedError):
    """Not in this build of the library, or not for this kind of problem."""

    code = "VS_ERROR_UNSUPPORTED"


class NotConverged(Error):
    """Raised by `Result.check()` only; the result is kept in `result`."""

    code = "VS_STATUS"

    def __init__(self, text: str, result: "Result") -> None:
        super().__init__(text)
        self.result = result


BY_CODE: Dict[str, Type[Error]] = {
    kind.code: kind for kind in (OutOfMemory, ArgumentError, DataError, FileError, Unsupported)
}
