vcpkg_download_distfile(ARCHIVE
    URLS "https://example.org/voussoir-${VERSION}.tar.xz"
    FILENAME "voussoir-${VERSION}.tar.xz"
    SHA512 0
)
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${ARCHIVE}")

vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURE_OPTIONS
    FEATURES
        hdf5 VOUSSOIR_HDF5
        lapack VOUSSOIR_LAPACK
        tools VOUSSOIR_APP
        xml VOUSSOIR_XML
)
vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        ${FEATURE_OPTIONS}
        -DVOUSSOIR_MUMPS=OFF
        -DVOUSSOIR_CHOLMOD=OFF
        -DVOUSSOIR_METIS=OFF
        -DVOUSSOIR_MPI=OFF
        -DVOUSSOIR_STATIC=OFF
        -DVOUSSOIR_TESTS=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/voussoir)
vcpkg_fixup_pkgconfig()
if("tools" IN_LIST FEATURES)
    vcpkg_copy_tools(TOOL_NAMES voussoir AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
