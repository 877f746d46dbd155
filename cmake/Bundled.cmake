# The linear solvers and file formats compiled from their sources with the toolchain of this build (-DVOUSSOIR_BUNDLED=ON),
# for systems without packages of them: WebAssembly, static binaries, Windows, cross-compilation.
#
# The archives are Debian's unmodified upstream archives, each with its SHA-256. They are taken from the folder
# VOUSSOIR_SOURCES (tools/fetch_engines.sh fills it), else downloaded. What is not compiled here needs Fortran or a BLAS
# (MUMPS, CHOLMOD, LAPACK, METIS): a bundled build uses KLU and our own solvers instead.
include(FetchContent)
include(ExternalProject)
set(VOUSSOIR_SOURCES "" CACHE PATH "folder with the source archives of a bundled build; empty: download them")

# bundled_archive(NAME FOLDER_IN_POOL FILE SHA256): sets ${NAME}_ARCHIVE to a path or a list of URLs
function(bundled_archive name pool file hash)
  set(archive ${VOUSSOIR_SOURCES}/${file})
  if(NOT VOUSSOIR_SOURCES OR NOT EXISTS ${archive})
    if(VOUSSOIR_SOURCES)
      message(FATAL_ERROR "${archive} does not exist; run 'tools/fetch_engines.sh ${VOUSSOIR_SOURCES}'")
    endif()
    string(REPLACE "+" "%2B" escaped ${file})
    set(archive https://deb.debian.org/debian/pool/main/${pool}/${escaped}
      https://snapshot.debian.org/archive/debian/20250520T000000Z/pool/main/${pool}/${escaped})
  endif()
  # "HDF5 1.10.8" for `voussoir doctor`
  string(REGEX MATCH "^([^_]+)_([0-9.]*[0-9])" version ${file})
  set_property(GLOBAL APPEND PROPERTY VOUSSOIR_BUNDLED_VERSIONS "${CMAKE_MATCH_1} ${CMAKE_MATCH_2}")
  set(${name}_ARCHIVE ${archive} PARENT_SCOPE)
  set(${name}_HASH SHA256=${hash} PARENT_SCOPE)
endfunction()

# bundled_sources(NAME): unpacked now; the folder is ${NAME}_SOURCES. The option of the policy keeps the times of the
# archive: builds are then the same whenever the archive was unpacked.
macro(bundled_sources name)
  string(TOLOWER bundled_${name} lower)
  FetchContent_Declare(${lower} URL ${${name}_ARCHIVE} URL_HASH ${${name}_HASH} DOWNLOAD_EXTRACT_TIMESTAMP ON
    SOURCE_SUBDIR absent)
  FetchContent_MakeAvailable(${lower})
  set(${name}_SOURCES ${${lower}_SOURCE_DIR})
endmacro()

# Code of others: its warnings are not ours. The archives are installed beside libvoussoir.a.
function(bundled_library name)
  add_library(bundled_${name} STATIC ${ARGN})
  target_compile_options(bundled_${name} PRIVATE -w)
  set_target_properties(bundled_${name} PROPERTIES OUTPUT_NAME voussoir_${name} C_CLANG_TIDY "")
  set_property(GLOBAL APPEND PROPERTY VOUSSOIR_BUNDLED_LIBRARIES bundled_${name})
endfunction()

function(bundled_engine name)
  add_library(engine::${name} INTERFACE IMPORTED GLOBAL)
  target_link_libraries(engine::${name} INTERFACE ${ARGN})
endfunction()

find_package(Threads REQUIRED)

# ---- SuiteSparse: KLU with BTF and COLAMD, AMD; the variants with 64-bit indices only ------------------------------
if(VOUSSOIR_SUITESPARSE)
  bundled_archive(SUITESPARSE s/suitesparse suitesparse_5.12.0+dfsg.orig.tar.xz
    bb106c43049138c19675cd70322e72ff8e4fd8bdcab3a096307fd78488913faf)
  bundled_sources(SUITESPARSE)
  set(sources SuiteSparse_config/SuiteSparse_config.c COLAMD/Source/colamd.c)
  foreach(part 1 2 aat control defaults dump info order post_tree postorder preprocess valid)
    list(APPEND sources AMD/Source/amd_${part}.c)
  endforeach()
  foreach(part maxtrans order strongcomp)
    list(APPEND sources BTF/Source/btf_${part}.c)
  endforeach()
  foreach(part "" _analyze _analyze_given _defaults _diagnostics _dump _extract _factor _free_numeric _free_symbolic _kernel
      _memory _refactor _scale _solve _sort _tsolve)
    list(APPEND sources KLU/Source/klu${part}.c)
  endforeach()
  list(TRANSFORM sources PREPEND ${SUITESPARSE_SOURCES}/)
  bundled_library(suitesparse ${sources})
  target_compile_definitions(bundled_suitesparse PRIVATE DLONG NTIMER)
  foreach(part SuiteSparse_config KLU/Include AMD/Include BTF/Include COLAMD/Include)
    target_include_directories(bundled_suitesparse SYSTEM PUBLIC ${SUITESPARSE_SOURCES}/${part})
  endforeach()
  # Its long integer is `long`, which has 32 bits on wasm32. Not int64_t: AMD writes `unsigned` before it.
  if(CMAKE_SIZEOF_VOID_P EQUAL 4)
    target_compile_definitions(bundled_suitesparse PUBLIC "SuiteSparse_long=long long"
      SuiteSparse_long_max=9223372036854775807 SuiteSparse_long_idd="lld" SuiteSparse_long_id="%lld")
  endif()
  bundled_engine(KLU bundled_suitesparse)
endif()

# ---- qhull, the reentrant library; jansson ----------------------------------------------------------------------------
if(VOUSSOIR_DYNAMICS OR VOUSSOIR_APP)
  bundled_archive(JANSSON j/jansson jansson_2.14.orig.tar.gz
    c739578bf6b764aa0752db9a2fdadcfe921c78f1228c7ec0bb47fa804c55d17b)
  bundled_sources(JANSSON)
  foreach(part dump error hashtable hashtable_seed load memory pack_unpack strbuffer strconv utf value version)
    list(APPEND jansson_sources ${JANSSON_SOURCES}/src/${part}.c)
  endforeach()
  # Its configuration for any C17 compiler. Numbers do not depend on the locale that way (localeconv). Without a source of
  # randomness the seed of its hash tables comes from the clock; the order of keys does not depend on it.
  set(JSON_INLINE inline)
  set(JSON_INT_T "long long")
  set(JSON_STRTOINT strtoll)
  set(JSON_INTEGER_FORMAT "\"lld\"")
  set(JSON_HAVE_LOCALECONV 1)
  set(JSON_HAVE_ATOMIC_BUILTINS 1)
  set(JSON_HAVE_SYNC_BUILTINS 1)
  set(JANSSON_INITIAL_HASHTABLE_ORDER 3)
  foreach(have STDINT_H INTTYPES_H SYS_TYPES_H FCNTL_H SCHED_H UNISTD_H SYS_PARAM_H SYS_STAT_H SYS_TIME_H CLOSE GETPID
      GETTIMEOFDAY OPEN READ SCHED_YIELD SYNC_BUILTINS ATOMIC_BUILTINS LOCALE_H SETLOCALE INT32_T UINT32_T UINT16_T UINT8_T
      SSIZE_T)
    set(HAVE_${have} 1)
  endforeach()
  if(NOT WIN32)
    set(USE_URANDOM 1)
  endif()
  set(jansson_headers ${PROJECT_BINARY_DIR}/bundled/jansson)
  configure_file(${JANSSON_SOURCES}/cmake/jansson_config.h.cmake ${jansson_headers}/jansson_config.h)
  configure_file(${JANSSON_SOURCES}/cmake/jansson_private_config.h.cmake ${jansson_headers}/jansson_private_config.h)
  configure_file(${JANSSON_SOURCES}/src/jansson.h ${jansson_headers}/jansson.h COPYONLY)
  bundled_library(jansson ${jansson_sources})
  target_compile_definitions(bundled_jansson PRIVATE HAVE_CONFIG_H)
  target_include_directories(bundled_jansson SYSTEM PUBLIC ${jansson_headers})
  bundled_engine(JANSSON bundled_jansson)
endif()
if(VOUSSOIR_DYNAMICS)
  bundled_archive(QHULL q/qhull qhull_2020.2.orig.tar.gz b5c2d7eb833278881b952c8a52d20179eab87766b00b865000469a45c1838b7e)
  bundled_sources(QHULL)
  foreach(part geom geom2 global io libqhull mem merge poly poly2 qset random stat user usermem userprintf)
    list(APPEND qhull_sources ${QHULL_SOURCES}/src/libqhull_r/${part}_r.c)
  endforeach()
  list(APPEND qhull_sources ${QHULL_SOURCES}/src/libqhull_r/rboxlib_r.c ${QHULL_SOURCES}/src/libqhull_r/userprintf_rbox_r.c)
  bundled_library(qhull ${qhull_sources})
  target_include_directories(bundled_qhull SYSTEM PUBLIC ${QHULL_SOURCES}/src)
  bundled_engine(QHULL bundled_qhull)
endif()

# ---- HDF5 and libxml2: by their own CMake files, with what this build tells the compiler -----------------------------
# bundled_project(NAME LIBRARY OPTIONS…): engine::NAME with the static library
function(bundled_project name library)
  string(TOLOWER ${name} lower)
  set(prefix ${PROJECT_BINARY_DIR}/bundled/${lower})
  set(file ${prefix}/lib/${library})
  foreach(variable CMAKE_TOOLCHAIN_FILE CMAKE_C_COMPILER CMAKE_C_COMPILER_LAUNCHER CMAKE_C_FLAGS CMAKE_EXE_LINKER_FLAGS
      CMAKE_MAKE_PROGRAM CMAKE_CROSSCOMPILING_EMULATOR CMAKE_SYSROOT)
    if(${variable})
      list(APPEND passed -D${variable}=${${variable}})
    endif()
  endforeach()
  ExternalProject_Add(bundled_${lower}_build URL ${${name}_ARCHIVE} URL_HASH ${${name}_HASH} DOWNLOAD_EXTRACT_TIMESTAMP ON
    PREFIX ${PROJECT_BINARY_DIR}/_deps/${lower} BUILD_BYPRODUCTS ${file} EXCLUDE_FROM_ALL ON
    LOG_CONFIGURE ON LOG_BUILD ON LOG_INSTALL ON LOG_OUTPUT_ON_FAILURE ON
    CMAKE_ARGS ${passed} -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=${prefix} -DCMAKE_INSTALL_LIBDIR=lib
      -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DBUILD_SHARED_LIBS=OFF -DBUILD_TESTING=OFF ${ARGN})
  add_library(bundled_${lower} STATIC IMPORTED GLOBAL)
  set_target_properties(bundled_${lower} PROPERTIES IMPORTED_LOCATION ${file})
  add_dependencies(bundled_${lower} bundled_${lower}_build)
  bundled_engine(${name} bundled_${lower})
  add_dependencies(engine::${name} bundled_${lower}_build)
  set_property(GLOBAL APPEND PROPERTY VOUSSOIR_BUNDLED_LIBRARIES bundled_${lower})
endfunction()

if(VOUSSOIR_HDF5)
  # Without network file systems, compression (our files have none) and deprecated functions of other languages.
  bundled_archive(HDF5 h/hdf5 hdf5_1.10.8+repack1.orig.tar.gz 7b38e58ff83b13fd8959a90b13bf896bc318ba096c940ab0847abf3ad41a0b31)
  # On Windows it takes <unistd.h> as a sign of a system with <sys/wait.h>.
  if(WIN32)
    set(hdf5_system -DH5_HAVE_UNISTD_H=0)
  endif()
  bundled_project(HDF5 libhdf5.a ${hdf5_system} -DHDF5_BUILD_TOOLS=OFF -DHDF5_BUILD_EXAMPLES=OFF -DHDF5_BUILD_HL_LIB=OFF
    -DHDF5_BUILD_UTILS=OFF -DHDF5_ENABLE_Z_LIB_SUPPORT=OFF -DHDF5_ENABLE_SZIP_SUPPORT=OFF -DHDF5_ENABLE_ROS3_VFD=OFF
    -DHDF5_ENABLE_EMBEDDED_LIBINFO=OFF -DHDF5_ENABLE_DEPRECATED_SYMBOLS=ON)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/bundled/hdf5/include)
  target_include_directories(engine::HDF5 SYSTEM INTERFACE ${PROJECT_BINARY_DIR}/bundled/hdf5/include)
  target_link_libraries(bundled_hdf5 INTERFACE ${CMAKE_DL_LIBS} m)
endif()
if(VOUSSOIR_DYNAMICS AND VOUSSOIR_XML)
  # Reading of files only: no ICU, no network, no schemas.
  bundled_archive(XML libx/libxml2 libxml2_2.9.14+dfsg.orig.tar.xz 4fe913dec8b1ab89d13b489b419a8203176ea39e931eaa0d25b17eafb9c279e9)
  foreach(part C14N CATALOG DEBUG DOCB FTP HTML HTTP ICONV ICU LEGACY LZMA MODULES PROGRAMS PYTHON READER SCHEMAS SCHEMATRON
      TESTS WRITER XINCLUDE XPTR ZLIB)
    list(APPEND xml_options -DLIBXML2_WITH_${part}=OFF)
  endforeach()
  bundled_project(XML libxml2.a ${xml_options})
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/bundled/xml/include/libxml2)
  target_include_directories(engine::XML SYSTEM INTERFACE ${PROJECT_BINARY_DIR}/bundled/xml/include/libxml2)
  target_compile_definitions(engine::XML INTERFACE LIBXML_STATIC)
  target_link_libraries(bundled_xml INTERFACE Threads::Threads m)
endif()

# ---- cmocka, for the tests -------------------------------------------------------------------------------------------
if(VOUSSOIR_TESTS)
  bundled_archive(CMOCKA c/cmocka cmocka_1.1.5.orig.tar.xz f0ccd8242d55e2fd74b16ba518359151f6f8383ff8aef4976e48393f77bba8b6)
  bundled_sources(CMOCKA)
  add_library(bundled_cmocka STATIC ${CMOCKA_SOURCES}/src/cmocka.c)
  target_compile_options(bundled_cmocka PRIVATE -w)
  foreach(have STDINT_H INTTYPES_H SIGNAL_H STRINGS_H TIME_H STRUCT_TIMESPEC SNPRINTF VSNPRINTF)
    target_compile_definitions(bundled_cmocka PRIVATE HAVE_${have}=1)
  endforeach()
  target_include_directories(bundled_cmocka SYSTEM PUBLIC ${CMOCKA_SOURCES}/include)
  bundled_engine(CMOCKA bundled_cmocka)
endif()
