"""Reading trajectories (docs/formats.md) with h5py, which is imported when a file is opened.

Nothing is read before it is asked for: what grows with time is given as the datasets of the file, and indexing them
reads that part only.
"""

from __future__ import annotations

import os
from typing import Any, Dict, Iterator, List, NamedTuple, Union

import numpy as np
import numpy.typing as npt

from . import errors
from ._core import Context, FloatArray, Path, ffi, hdf5, lib, nearest, path_bytes

__all__ = ["Trajectory", "Frame", "Track", "Contacts", "recover", "export_xdmf"]


class Contacts(NamedTuple):
    """Contacts of one frame."""

    body: npt.NDArray[np.int64]  # (c x 2) rows of bodies, -1: the world, -2: a body that came later
    point: FloatArray  # (c x 3) m
    normal: FloatArray  # (c x 3) from a to b
    gap: FloatArray  # (c) m, before the step
    impulse: FloatArray  # (c x 3) N s on b
    velocity: FloatArray  # (c x 3) m/s of b relative to a, after the step


class Frame:
    """One moment of a trajectory; each property reads its own rows."""

    def __init__(self, trajectory: "Trajectory", index: int) -> None:
        self._trajectory = trajectory
        self.index = index

    def _row(self, name: str) -> Any:
        return self._trajectory.file[name][self.index]

    @property
    def time(self) -> float:
        return float(self._row("time"))

    @property
    def position(self) -> FloatArray:
        """Centres of mass (bodies x 3), m."""
        return np.asarray(self._row("state/pose")[:, :3])

    @property
    def rotation(self) -> FloatArray:
        """Quaternions (bodies x 4)."""
        return np.asarray(self._row("state/pose")[:, 3:])

    @property
    def velocity(self) -> FloatArray:
        """(bodies x 6) m/s and rad/s, world axes."""
        return np.asarray(self._row("state/velocity"))

    @property
    def reaction(self) -> FloatArray:
        """Of the joints (joints x 6), N and N m on the second body, in frame A."""
        return np.asarray(self._row("joints/reaction"))

    @property
    def solver(self) -> Dict[str, float]:
        """How good its last step was."""
        return {name: self._row(f"solver/{name}").item() for name in self._trajectory.file["solver"]}

    @property
    def contacts(self) -> Contacts:
        file = self._trajectory.file
        first, last = file["contacts/offset"][self.index : self.index + 2]
        return Contacts(*[file[f"contacts/{name}"][first:last] for name in Contacts._fields])

    def __repr__(self) -> str:
        return f"<voussoir.Frame {self.index}: t = {self.time:.6g} s>"


class Track:
    """One body over time; each property reads its own columns."""

    def __init__(self, trajectory: "Trajectory", body: int) -> None:
        self._trajectory = trajectory
        self.body = body

    @property
    def position(self) -> FloatArray:
        """(frames x 3), m."""
        return np.asarray(self._trajectory.pose[:, self.body, :3])

    @property
    def rotation(self) -> FloatArray:
        """(frames x 4)."""
        return np.asarray(self._trajectory.pose[:, self.body, 3:])

    @property
    def velocity(self) -> FloatArray:
        """(frames x 3), m/s."""
        return np.asarray(self._trajectory.velocity[:, self.body, :3])

    @property
    def spin(self) -> FloatArray:
        """(frames x 3), rad/s."""
        return np.asarray(self._trajectory.velocity[:, self.body, 3:])


class Trajectory:
    """A trajectory file, as a sequence of frames.

    live    follow a file that is still being written; `refresh()` looks for new frames

    >>> import tempfile, voussoir
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     summary = voussoir.scene("ball").run(duration=0.5, record=folder + "/run.h5", frame=0.1)
    ...     with voussoir.Trajectory(folder + "/run.h5") as run:
    ...         print(len(run), run.pose.shape, run.time[:].round(3).tolist())
    ...         print(run[-1].contacts.normal.tolist(), bool(run.pose[-1, 0, 0] > 0.5))
    6 (6, 1, 7) [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]
    [[0.0, 0.0, 1.0]] True
    """

    def __init__(self, path: Path, *, live: bool = False) -> None:
        import h5py

        self.path = os.fspath(path)
        self.file: Any = h5py.File(self.path, "r", swmr=live, libver="latest" if live else None)
        if "state/pose" not in self.file or "meta/format" not in self.file:
            self.close()
            raise errors.DataError(f"{self.path}: is not a trajectory")

    def close(self) -> None:
        self.file.close()

    def __enter__(self) -> "Trajectory":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def refresh(self) -> int:
        """Sees what a writer has added; returns the number of frames. Times come first: they are written last."""
        self.file["time"].refresh()
        count = len(self)
        for group in ("state", "solver", "contacts", "joints"):
            for dataset in self.file[group].values():
                if dataset.maxshape[0] is None:
                    dataset.refresh()
        return count

    # ---- datasets: indexing reads ------------------------------------------------------------------

    @property
    def time(self) -> Any:
        """Dataset (frames), s."""
        return self.file["time"]

    @property
    def pose(self) -> Any:
        """Dataset (frames x bodies x 7): x y z of the centre of mass, w x y z."""
        return self.file["state/pose"]

    @property
    def velocity(self) -> Any:
        """Dataset (frames x bodies x 6): m/s, rad/s."""
        return self.file["state/velocity"]

    @property
    def reaction(self) -> Any:
        """Dataset (frames x joints x 6)."""
        return self.file["joints/reaction"]

    @property
    def solver(self) -> Any:
        """Group of datasets (frames): energy_error, iterations, kinetic, dissipation, …"""
        return self.file["solver"]

    @property
    def energy(self) -> Any:
        """Group of datasets (frames): elastic, and since the start loads, motors, prescribed, friction, impacts, dampers,
        discretization; J. Files of versions before 0.2 have none."""
        return self.file["energy"]

    # ---- what does not change ----------------------------------------------------------------------

    @property
    def step(self) -> float:
        """s, of the simulation; 0: not told."""
        return float(np.ravel(self.file["meta/step"][()])[0])

    @property
    def title(self) -> str:
        value = np.ravel(self.file["meta/title"][()])[0]
        return value.decode() if isinstance(value, bytes) else str(value)

    @property
    def body_names(self) -> List[str]:
        return [name.decode() if isinstance(name, bytes) else str(name) for name in self.file["bodies/name"][:]]

    @property
    def joint_names(self) -> List[str]:
        return [name.decode() if isinstance(name, bytes) else str(name) for name in self.file["joints/name"][:]]

    @property
    def mass(self) -> FloatArray:
        """(bodies) kg; 0 unless dynamic."""
        return np.asarray(self.file["bodies/mass"][:])

    def body(self, which: Union[str, int]) -> Track:
        """A body over time, by its name or its row; KeyError if there is none."""
        if isinstance(which, str):
            names = self.body_names
            if which not in names:
                raise KeyError(f"no body {which!r}{nearest(which, [name for name in names if name])}")
            return Track(self, names.index(which))
        return Track(self, range(self.pose.shape[1])[which])

    def history(self, name: str) -> FloatArray:
        """A quantity over time by its name (`voussoir help plot` lists them): (frames), or (frames x 3) for a vector.

        Vectors are in world axes. Forces are means over the last step before a frame, NaN before the first step.

        >>> import tempfile, voussoir
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     summary = voussoir.scene("ball").run(duration=0.1, record=folder + "/run.h5")
        ...     with voussoir.Trajectory(folder + "/run.h5") as run:
        ...         print(run.history("position:#0").shape, run.history("speed:#0")[0].round(6))
        ...         print(bool(run.history("force:world/#0.z")[-1] > 0))
        (25, 3) 2.0
        True
        """
        context = Context()
        reader, info = ffi.new("vs_trajectory_reader **"), ffi.new("vs_history_info *")
        with hdf5(context):
            context.call(lib.vs_trajectory_reader_open, context.pointer, path_bytes(self.path), reader)
            try:
                context.call(lib.vs_trajectory_reader_find_history, reader[0], name.encode(), info)
                frames, columns = lib.vs_trajectory_reader_get_info(reader[0]).frames, info.columns
                value = np.empty((frames, columns) if columns > 1 else frames)
                numbers = ffi.from_buffer("double[]", value)
                context.call(lib.vs_trajectory_reader_read_history, reader[0], name.encode(), numbers)
            finally:
                lib.vs_trajectory_reader_close(reader[0])
        return value[: len(self)]  # others may have come since the last refresh

    # ---- frames ------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return int(self.file["time"].shape[0])

    def __getitem__(self, index: int) -> Frame:
        count = len(self)
        if not -count <= index < count:
            raise IndexError(f"frame {index}: there are {count}")
        return Frame(self, index % count)

    def __iter__(self) -> Iterator[Frame]:
        return (Frame(self, k) for k in range(len(self)))

    def __repr__(self) -> str:
        if not self.file:
            return f"<voussoir.Trajectory {self.path!r}: closed>"
        last = float(self.time[-1]) if len(self) else 0.0
        size = f"{len(self)} frames, {self.pose.shape[1]} bodies"
        return f"<voussoir.Trajectory {self.path!r}: {size}, to t = {last:.6g} s>"


def recover(path: Path) -> int:
    """Repairs a file whose writer was killed; returns the number of frames in it."""
    frames = ffi.new("int64_t *")
    context = Context()
    with hdf5(context):
        context.call(lib.vs_trajectory_recover, context.pointer, path_bytes(path), frames)
    return int(frames[0])


def export_xdmf(path: Path, out: Path) -> None:
    """Writes OUT.xdmf and OUT.h5, which ParaView opens."""
    context = Context()
    with hdf5(context):
        context.call(lib.vs_trajectory_export_xdmf, context.pointer, path_bytes(path), path_bytes(out))
