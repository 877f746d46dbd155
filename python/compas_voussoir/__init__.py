"""voussoir for COMPAS: a backend for models of compas_dem, compas_model, compas_assembly and compas_cra.

    rbe_solve      does an equilibrium exist
    cra_solve      does Coulomb's law hold it
    limit_solve    how much it carries
    time_solve     what happens in time

Each takes an object of COMPAS, a path of a JSON file or its dict, and returns a `Solution`, which writes its results back in
the same format. Importing this package needs neither COMPAS nor voussoir; solving needs voussoir.
"""

from __future__ import annotations

from .document import Document
from .solve import Contact, Solution, cra_solve, limit_solve, rbe_solve, time_solve

__all__ = ["Contact", "Document", "Solution", "cra_solve", "limit_solve", "rbe_solve", "time_solve"]
