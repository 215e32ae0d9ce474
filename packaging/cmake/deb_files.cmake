# Run by CPack before it makes a .deb: what Debian's policy asks of each package.
file(GLOB libraries "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*/usr/lib/*/docspec/*.so*")
foreach(library ${libraries})  # libtorch comes with its symbols
  execute_process(COMMAND strip --strip-unneeded --remove-section=.comment --remove-section=.note "${library}"
                  COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(GLOB manuals "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*/usr/share/man/man*/*.[15]")
foreach(manual ${manuals})
  execute_process(COMMAND gzip -9n "${manual}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
set(source "${CMAKE_CURRENT_LIST_DIR}/../..")
foreach(component docspec engine)
  set(folder "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component}")
  if(NOT EXISTS "${folder}")
    continue()
  endif()
  set(package docspec)
  if(component STREQUAL engine)
    set(package docspec-engine)
  endif()
  set(documents "${folder}/usr/share/doc/${package}")
  file(READ "${source}/share/doc/licences.md" licences)
  file(WRITE "${documents}/copyright" "Copyright 2026 the authors of docspec

${licences}
Sources of docspec: Apache License 2.0, /usr/share/common-licenses/Apache-2.0
The program: GNU GPL version 3 or later, /usr/share/common-licenses/GPL-3
")
  file(COPY "${source}/share/doc/CHANGELOG.md" DESTINATION "${documents}")
  file(RENAME "${documents}/CHANGELOG.md" "${documents}/changelog")
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
  file(WRITE "${documents}/changelog.Debian" "docspec (${CPACK_PACKAGE_VERSION}-1) unstable; urgency=medium

  * Release ${CPACK_PACKAGE_VERSION}: see changelog.gz.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
  execute_process(COMMAND gzip -9n "${documents}/changelog" "${documents}/changelog.Debian" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
