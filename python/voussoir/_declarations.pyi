# Written where the package has no compiled module (_build.py): cffi's object carries no types.
from typing import Any

ffi: Any
