# Manual pages and shell completion, both asked of the command itself once it is built. Not where it cannot simply be
# started: cross builds, and sanitizers, which need a quiet address space.
if(VOUSSOIR_SANITIZE OR CMAKE_CROSSCOMPILING)
  return()
endif()

set(pages ${PROJECT_BINARY_DIR}/pages)
set(completion ${pages}/completion)
add_custom_command(OUTPUT ${completion}/voussoir ${completion}/_voussoir ${completion}/voussoir.fish
  COMMAND ${CMAKE_COMMAND} -E make_directory ${completion}
  COMMAND voussoir_command completion bash > ${completion}/voussoir
  COMMAND voussoir_command completion zsh > ${completion}/_voussoir
  COMMAND voussoir_command completion fish > ${completion}/voussoir.fish
  DEPENDS voussoir_command VERBATIM)
add_custom_target(completion ALL DEPENDS ${completion}/voussoir)
install(FILES ${completion}/voussoir DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${completion}/_voussoir DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${completion}/voussoir.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# The pages carry the date of the newest entry in the changelog: two builds of the same tree give the same bytes.
find_package(Python3 COMPONENTS Interpreter)
if(NOT Python3_FOUND)
  message(STATUS "no Python 3: no manual pages")
  return()
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS CHANGELOG.md)
file(STRINGS CHANGELOG.md released REGEX "^## .*[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]")
string(REGEX MATCH "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]" date "${released}")
add_custom_command(OUTPUT ${pages}/man/voussoir.1
  COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/help_to_man.py $<TARGET_FILE:voussoir_command> ${pages}/man
          --date "${date}"
  DEPENDS voussoir_command tools/help_to_man.py VERBATIM)
add_custom_target(manual ALL DEPENDS ${pages}/man/voussoir.1)
install(DIRECTORY ${pages}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")
