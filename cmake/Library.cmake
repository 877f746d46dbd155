# libvoussoir: the layers together.
get_property(layers GLOBAL PROPERTY VOUSSOIR_LAYERS)
get_property(engines GLOBAL PROPERTY VOUSSOIR_ENGINES)
list(REMOVE_DUPLICATES engines)

add_library(voussoir)
add_library(voussoir::voussoir ALIAS voussoir)
foreach(layer IN LISTS layers)
  target_sources(voussoir PRIVATE $<TARGET_OBJECTS:${layer}>)
endforeach()
target_link_libraries(voussoir PRIVATE ${engines} Threads::Threads m)
target_include_directories(voussoir PUBLIC
  "$<BUILD_INTERFACE:${VOUSSOIR_INCLUDES}>" $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set_target_properties(voussoir PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${VOUSSOIR_SOVERSION})

# Libraries that were compiled with it stay its own: a program may load others of the same names (h5py brings an HDF5).
if(BUILD_SHARED_LIBS AND VOUSSOIR_BUNDLED AND CMAKE_EXECUTABLE_FORMAT STREQUAL "ELF")
  target_link_options(voussoir PRIVATE LINKER:--exclude-libs,ALL)
endif()

# The archive beside the shared library, of the same objects: whoever links it finds the engines again.
option(VOUSSOIR_STATIC "the static library as well, where a shared one is built" ON)
if(BUILD_SHARED_LIBS AND VOUSSOIR_STATIC)
  add_library(voussoir_static STATIC)
  foreach(layer IN LISTS layers)
    target_sources(voussoir_static PRIVATE $<TARGET_OBJECTS:${layer}>)
  endforeach()
  target_link_libraries(voussoir_static PRIVATE ${engines} Threads::Threads m)
  target_include_directories(voussoir_static PUBLIC
    "$<BUILD_INTERFACE:${VOUSSOIR_INCLUDES}>" $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  set_target_properties(voussoir_static PROPERTIES OUTPUT_NAME voussoir EXPORT_NAME static)
endif()

# What tests and benchmarks of the inside link: the same objects, hidden symbols visible, or the one C file.
add_library(voussoir_inside STATIC)
if(VOUSSOIR_AMALGAMATION)
  include(cmake/Amalgamation.cmake)
else()
  foreach(layer IN LISTS layers)
    target_sources(voussoir_inside PRIVATE $<TARGET_OBJECTS:${layer}>)
  endforeach()
endif()
target_link_libraries(voussoir_inside PUBLIC ${engines} Threads::Threads m)
target_include_directories(voussoir_inside PUBLIC ${PROJECT_SOURCE_DIR}/src ${VOUSSOIR_INCLUDES})
