# Layout of an installed docspec: bin, lib/docspec (the engine, libtorch), share/docspec (families,
# models, schema), man, completions. The binary finds its engine, and the engine libtorch, relative to
# itself: the prefix may be moved, and other users can run it.
# Components: docspec, which needs no tensors, and engine.
include(GNUInstallDirs)
set(in_home ON)  # a libtorch of the system stays where it is
if(NOT DOCSPEC_TORCH_ROOT OR DOCSPEC_TORCH_ROOT MATCHES "^/(usr|opt)(/|$)")
  set(in_home OFF)
endif()
if(DOCSPEC_ENGINE)  # a build without it must not leave an answer for a later one with it
  option(DOCSPEC_INSTALL_TORCH "Install libtorch beside docspec; OFF: it is used where it is" ${in_home})
endif()
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME docspec)
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
    GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)  # whatever the umask
set(private_libraries ${CMAKE_INSTALL_LIBDIR}/docspec)
file(RELATIVE_PATH to_libraries /${CMAKE_INSTALL_BINDIR} /${private_libraries})
# docspec_run_path(TARGET COMPONENT FOLDER "PATHS IN THE BUILD" "PATHS INSTALLED IN FOLDER"): CMake's own
# run paths end in a colon in the build tree, and the loader takes an empty path for the current folder,
# where any library of a stranger may lie. The installed paths fill no more room than the others.
function(docspec_run_path target component folder in_build installed)
  set_target_properties(${target} PROPERTIES SKIP_BUILD_RPATH ON INSTALL_RPATH "")
  list(APPEND in_build ${installed})
  list(REMOVE_DUPLICATES in_build)
  list(JOIN in_build : in_build)
  list(JOIN installed : installed)
  # Not target_link_options, which spoils $ORIGIN for Ninja.
  set_property(TARGET ${target} APPEND_STRING PROPERTY LINK_FLAGS " '-Wl,-rpath,${in_build}'")
  string(REPLACE $ "\\$" installed "${installed}")
  install(CODE "file(RPATH_SET FILE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${folder}/$<TARGET_FILE_NAME:${target}>\"
                NEW_RPATH \"${installed}\")" COMPONENT ${component})
endfunction()
install(TARGETS docspec RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
set(beside_program "$ORIGIN/${to_libraries}")
set(engine_in_build "$ORIGIN/../lib")
if(TARGET docspec_engine)
  set(beside_engine $ORIGIN)
  # So that the program knows where its engine's libraries lie (engine_folders).
  list(APPEND engine_in_build "${DOCSPEC_TORCH_ROOT}/lib")
  if(DOCSPEC_INSTALL_TORCH)
    # Of what the engine needs: all that lies where libtorch does, which other users may not read.
    get_filename_component(torch_prefix "${DOCSPEC_TORCH_ROOT}" DIRECTORY)
    string(REGEX REPLACE "([][+.*()^$?|\\\\])" "\\\\\\1" torch_prefix "${torch_prefix}")
    install(TARGETS docspec_engine RUNTIME_DEPENDENCY_SET needed
            LIBRARY DESTINATION ${private_libraries} COMPONENT engine)
    install(RUNTIME_DEPENDENCY_SET needed DESTINATION ${private_libraries} COMPONENT engine
            PRE_EXCLUDE_REGEXES "^ld-linux"
            POST_INCLUDE_REGEXES "^${torch_prefix}/" POST_EXCLUDE_REGEXES ".")
  else()
    list(APPEND beside_engine "${DOCSPEC_TORCH_ROOT}/lib")
    install(TARGETS docspec_engine LIBRARY DESTINATION ${private_libraries} COMPONENT engine)
  endif()
  docspec_run_path(docspec_engine engine ${private_libraries} "$ORIGIN;${DOCSPEC_TORCH_ROOT}/lib" "${beside_engine}")
  if(NOT DOCSPEC_INSTALL_TORCH)
    list(APPEND beside_program "${DOCSPEC_TORCH_ROOT}/lib")
  endif()
endif()
docspec_run_path(docspec docspec ${CMAKE_INSTALL_BINDIR} "${engine_in_build}" "${beside_program}")
if(TARGET docspec_cuda)
  install(TARGETS docspec_cuda LIBRARY DESTINATION ${private_libraries} COMPONENT engine)
  set(beside_cuda "${DOCSPEC_TORCH_ROOT}/lib;${DOCSPEC_TORCH_ROOT}/../nvidia/cu13/lib")
  docspec_run_path(docspec_cuda engine ${private_libraries} "${beside_cuda}" "${beside_cuda}")
endif()
install(DIRECTORY share/ DESTINATION ${CMAKE_INSTALL_DATADIR}/docspec PATTERN train EXCLUDE
        PATTERN samples/src EXCLUDE)
install(DIRECTORY man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")
install(DIRECTORY man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man5 FILES_MATCHING PATTERN "*.5")
install(FILES packaging/completions/docspec.bash
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME docspec OPTIONAL)
install(FILES packaging/completions/_docspec
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions OPTIONAL)
install(FILES packaging/completions/docspec.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d OPTIONAL)

add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -D TREE=${CMAKE_BINARY_DIR}
                  -P ${CMAKE_CURRENT_SOURCE_DIR}/packaging/cmake/uninstall.cmake)
