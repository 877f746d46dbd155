class Voussoir < Formula
  desc "Rigid bodies with hard contact, exact Coulomb friction and joints"
  homepage "https://example.org/voussoir"
  url "https://example.org/voussoir-0.2.0.tar.xz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "BSD-3-Clause"

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "hdf5"
  depends_on "jansson"
  depends_on "metis"
  depends_on "openblas"
  depends_on "qhull"
  depends_on "suite-sparse"

  uses_from_macos "libxml2"

  def install
    args = %w[
      -DVOUSSOIR_MUMPS=OFF
      -DVOUSSOIR_MPI=OFF
      -DVOUSSOIR_TESTS=OFF
    ]
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", *args, *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    output = shell_output("#{bin}/voussoir run arch --duration 0.1")
    assert_match "arch: done at 0.1 s", output
    (testpath/"test.c").write <<~C
      #include <stdio.h>
      #include <voussoir/voussoir.h>
      int main(void) { return puts(vs_version()) < 0; }
    C
    system ENV.cc, "test.c", "-I#{include}", "-L#{lib}", "-lvoussoir", "-o", "test"
    assert_match version.to_s, shell_output("./test")
  end
end
