# The compiled module: cffi's objects carry no types.
from typing import Any

ffi: Any
lib: Any
