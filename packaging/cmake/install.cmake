# Layout of an installed docspec: bin, share/docspec (families, models, schema), man, completions.
# The binary finds its data relative to itself, so the prefix may be moved.
include(GNUInstallDirs)
install(TARGETS docspec RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY share/ DESTINATION ${CMAKE_INSTALL_DATADIR}/docspec PATTERN train EXCLUDE)
install(DIRECTORY man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")
install(DIRECTORY man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man5 FILES_MATCHING PATTERN "*.5")
install(FILES packaging/completions/docspec.bash
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME docspec OPTIONAL)
install(FILES packaging/completions/_docspec
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions OPTIONAL)
install(FILES packaging/completions/docspec.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d OPTIONAL)
