# cpack -G DEB: docspec, and docspec-engine with libtorch in a folder of its own; cpack -G TGZ: all in one,
# relocatable. Build with -DCMAKE_INSTALL_PREFIX=/usr.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME docspec)
set(CPACK_PACKAGE_CONTACT "docspec <docspec@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "PDFs and page images to Markdown and JSON")
set(CPACK_PACKAGE_VENDOR docspec)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION text)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_DOCSPEC_PACKAGE_NAME docspec)
set(CPACK_DEBIAN_DOCSPEC_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_DOCSPEC_PACKAGE_DEPENDS "tesseract-ocr-eng, tesseract-ocr-osd, fonts-urw-base35")
set(CPACK_DEBIAN_DOCSPEC_PACKAGE_RECOMMENDS "poppler-data")
set(CPACK_DEBIAN_DOCSPEC_PACKAGE_SUGGESTS docspec-engine)
set(CPACK_COMPONENT_DOCSPEC_DESCRIPTION "drafts pages on the CPU
 docspec turns PDFs and page images into Markdown, JSON and HTML, by text
 layer, OCR, layout and tables. With docspec-engine, document
 vision-language models verify the drafts.")
set(CPACK_DEBIAN_ENGINE_PACKAGE_NAME docspec-engine)
set(CPACK_DEBIAN_ENGINE_PACKAGE_DEPENDS "docspec (= ${PROJECT_VERSION}), libc6 (>= 2.36), libgomp1, libstdc++6 (>= 12)")
set(CPACK_COMPONENT_ENGINE_DESCRIPTION "runs document models
 The library with which docspec runs document vision-language models and
 its nets, with libtorch in a folder of its own.")
set(CPACK_COMPONENTS_ALL docspec)
if(DOCSPEC_ENGINE)
  list(APPEND CPACK_COMPONENTS_ALL engine)
endif()
include(CPack)
