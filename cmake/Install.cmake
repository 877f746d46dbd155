# What a user gets: headers, libraries, command, voussoir.pc, and a CMake package with the targets
# voussoir::voussoir and voussoir::static.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/voussoir)

install(DIRECTORY include/voussoir TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
install(TARGETS voussoir EXPORT voussoirTargets)
install(FILES LICENSE TYPE DOC)

# The command finds the library beside it, wherever the prefix is moved to.
if(VOUSSOIR_APP)
  file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  get_property(app_targets DIRECTORY app PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS app_targets)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL EXECUTABLE)
      set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/${bin_to_lib}")
      install(TARGETS ${target})
    endif()
  endforeach()
endif()

# What `voussoir render` tells ParaView.
if(VOUSSOIR_APP AND TARGET vs_output)
  install(FILES tools/render.py DESTINATION ${CMAKE_INSTALL_DATADIR}/voussoir)
endif()

# The viewer, as it is when it is installed; it may be built after the command.
if(VOUSSOIR_APP AND VOUSSOIR_VIEWER AND TARGET vs_output)
  set(viewer_pages ${PROJECT_SOURCE_DIR}/viewer/dist)
  if(NOT EXISTS ${viewer_pages}/standalone.html)
    message(STATUS "The viewer is not built: 'npm ci && npm run build' in viewer/ makes it; installing takes it along")
  endif()
  install(CODE "
    if(NOT EXISTS \"${viewer_pages}/standalone.html\")
      message(STATUS \"Without the viewer, which 'voussoir view' needs: 'npm ci && npm run build' in viewer/ makes it\")
    endif()")
  install(DIRECTORY ${viewer_pages}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/voussoir/viewer OPTIONAL)
endif()

# CMake package. A shared library hides its engines; whoever links the static one has to find them again.
install(EXPORT voussoirTargets NAMESPACE voussoir:: DESTINATION ${package_dir})
set(VOUSSOIR_COMPONENTS numerics)
foreach(option DYNAMICS HDF5 XML MUMPS CHOLMOD LAPACK METIS)
  if(VOUSSOIR_${option} AND (VOUSSOIR_DYNAMICS OR NOT option STREQUAL XML)) # XML is part of that half
    string(TOLOWER ${option} component)
    list(APPEND VOUSSOIR_COMPONENTS ${component})
  endif()
endforeach()
if(BUILD_SHARED_LIBS)
  list(APPEND VOUSSOIR_COMPONENTS shared)
endif()
if(TARGET voussoir_static)
  install(TARGETS voussoir_static EXPORT voussoirStaticTargets)
  install(EXPORT voussoirStaticTargets NAMESPACE voussoir:: DESTINATION ${package_dir})
endif()
if(TARGET voussoir_static OR NOT BUILD_SHARED_LIBS)
  list(APPEND VOUSSOIR_COMPONENTS static)
  install(FILES cmake/Engines.cmake DESTINATION ${package_dir} RENAME voussoirEngines.cmake)
endif()
configure_package_config_file(cmake/voussoirConfig.cmake.in ${PROJECT_BINARY_DIR}/voussoirConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/voussoirConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/voussoirConfig.cmake ${PROJECT_BINARY_DIR}/voussoirConfigVersion.cmake
  DESTINATION ${package_dir})

# pkg-config. The engines stand under Libs.private for the static library, those with a module of their own as well:
# in Requires.private a program with the shared library would need their headers, too.
get_property(engines GLOBAL PROPERTY VOUSSOIR_ENGINES)
list(REMOVE_DUPLICATES engines)
set(private_libraries "")
foreach(engine IN LISTS engines)
  if(engine STREQUAL "engine::HDF5")
    list(APPEND private_libraries ${HDF5_LDFLAGS})
  elseif(engine STREQUAL "engine::XML")
    list(APPEND private_libraries ${XML_LDFLAGS})
  elseif(engine MATCHES "^engine::")
    get_target_property(libraries ${engine} INTERFACE_LINK_LIBRARIES)
    list(APPEND private_libraries ${libraries})
  elseif(engine MATCHES "^(LAPACK|BLAS)::")
    list(APPEND private_libraries ${LAPACK_LIBRARIES})
  elseif(engine MATCHES "^[A-Za-z0-9_]+$")
    list(APPEND private_libraries -l${engine})
  endif()
endforeach()
list(FILTER private_libraries EXCLUDE REGEX "::")
list(REMOVE_DUPLICATES private_libraries)
list(JOIN private_libraries " " VOUSSOIR_PRIVATE_LIBRARIES)
file(RELATIVE_PATH VOUSSOIR_PC_TO_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_LIBDIR BASE_DIRECTORY "\${prefix}" OUTPUT_VARIABLE VOUSSOIR_PC_LIBDIR)
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_INCLUDEDIR BASE_DIRECTORY "\${prefix}" OUTPUT_VARIABLE VOUSSOIR_PC_INCLUDEDIR)
configure_file(cmake/voussoir.pc.in ${PROJECT_BINARY_DIR}/voussoir.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/voussoir.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
