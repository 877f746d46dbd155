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
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set_target_properties(voussoir PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 0)

# What tests and benchmarks of the inside link: the same objects, hidden symbols visible.
add_library(voussoir_inside STATIC)
foreach(layer IN LISTS layers)
  target_sources(voussoir_inside PRIVATE $<TARGET_OBJECTS:${layer}>)
endforeach()
target_link_libraries(voussoir_inside PUBLIC ${engines} Threads::Threads m)
target_include_directories(voussoir_inside PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
