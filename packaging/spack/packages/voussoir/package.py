from spack.package import *


class Voussoir(CMakePackage):
    """Rigid and flexible bodies with hard contact, exact Coulomb friction and joints. Every time step is certified by an error
    in joules."""

    homepage = "https://example.org/voussoir"
    url = "https://example.org/voussoir-0.2.0.tar.xz"
    license("BSD-3-Clause")

    version("0.2.0", sha256="0000000000000000000000000000000000000000000000000000000000000000")

    variant("mumps", default=True, description="MUMPS, sequential, for large problems")
    variant("cholmod", default=False, description="CHOLMOD; its supernodal part is under the GPL")
    variant("metis", default=True, description="METIS orderings")
    variant("hdf5", default=True, description="Trajectories, tables and FCLIB files")
    variant("xml", default=True, description="URDF and MJCF files")
    variant("mpi", default=False, description="libvoussoir-mpi, by MPI and PETSc")
    variant("shared", default=True, description="Shared library")

    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("suite-sparse")
    depends_on("qhull")
    depends_on("jansson")
    depends_on("lapack")
    depends_on("mumps~mpi+double+float", when="+mumps")
    depends_on("metis", when="+metis")
    depends_on("hdf5~mpi", when="+hdf5")
    depends_on("libxml2", when="+xml")
    depends_on("mpi", when="+mpi")
    depends_on("petsc+mpi", when="+mpi")

    generator("ninja")

    def cmake_args(self):
        parts = ["mumps", "cholmod", "metis", "hdf5", "xml", "mpi"]
        arguments = [self.define_from_variant(f"VOUSSOIR_{part.upper()}", part) for part in parts]
        return arguments + [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define("VOUSSOIR_TESTS", False),
        ]

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def run_arch(self):
        Executable(self.prefix.bin.voussoir)("run", "arch", "--duration", "0.1")
