{
  description = "Rigid and flexible bodies with hard contact, exact Coulomb friction and joints";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      forEach = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
    in
    {
      packages = forEach (pkgs: {
        default = pkgs.stdenv.mkDerivation {
          pname = "voussoir";
          version = "0.2.0";
          src = ../..;
          nativeBuildInputs = [ pkgs.cmake pkgs.ninja pkgs.pkg-config ];
          buildInputs = [ pkgs.suitesparse pkgs.qhull pkgs.jansson pkgs.hdf5 pkgs.libxml2 pkgs.metis pkgs.lapack pkgs.blas ];
          cmakeFlags = [ "-DVOUSSOIR_MUMPS=OFF" "-DVOUSSOIR_MPI=OFF" "-DVOUSSOIR_TESTS=OFF" ];
          doInstallCheck = true;
          installCheckPhase = "$out/bin/voussoir run arch --duration 0.1";
          meta = {
            license = pkgs.lib.licenses.bsd3;
            mainProgram = "voussoir";
            platforms = systems;
          };
        };
      });
    };
}
