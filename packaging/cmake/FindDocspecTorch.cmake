# Finds libtorch (>= 2.4) without find_package(Torch), which fails for PyPI's CUDA build on a machine
# without a GPU toolkit. Searches CMAKE_PREFIX_PATH, then what packaging/deps installed.
# Gives the imported target docspec::torch (libtorch_cpu + libc10) and DOCSPEC_TORCH_ROOT.
set(_default "$ENV{DOCSPEC_DEPS}")
if(NOT _default)
  set(_default "$ENV{HOME}/.cache/docspec/deps")
endif()
find_path(DOCSPEC_TORCH_ROOT include/ATen/ATen.h
  HINTS ${CMAKE_PREFIX_PATH} "${_default}/torch-2.11.0"
  PATH_SUFFIXES torch libtorch .
  NO_DEFAULT_PATH)
if(NOT DOCSPEC_TORCH_ROOT)
  message(FATAL_ERROR "libtorch was not found. Run packaging/deps, or pass "
                      "-DCMAKE_PREFIX_PATH=<folder of your own libtorch >= 2.4>.")
endif()
file(STRINGS "${DOCSPEC_TORCH_ROOT}/include/torch/headeronly/version.h" _version
     REGEX "define TORCH_VERSION_(MAJOR|MINOR)")
if(NOT _version)
  file(STRINGS "${DOCSPEC_TORCH_ROOT}/include/torch/csrc/api/include/torch/version.h" _version
       REGEX "define TORCH_VERSION_(MAJOR|MINOR)")
endif()
string(REGEX MATCHALL "[0-9]+" _numbers "${_version}")
list(GET _numbers 0 _major)
list(GET _numbers 1 _minor)
if("${_major}.${_minor}" VERSION_LESS "2.4")
  message(FATAL_ERROR "libtorch ${_major}.${_minor} in ${DOCSPEC_TORCH_ROOT} is too old; "
                      "docspec needs 2.4 or later. Run packaging/deps.")
endif()
message(STATUS "libtorch ${_major}.${_minor}: ${DOCSPEC_TORCH_ROOT}")

add_library(docspec_torch INTERFACE)
add_library(docspec::torch ALIAS docspec_torch)
target_include_directories(docspec_torch SYSTEM INTERFACE
  "${DOCSPEC_TORCH_ROOT}/include" "${DOCSPEC_TORCH_ROOT}/include/torch/csrc/api/include")
target_link_libraries(docspec_torch INTERFACE
  "${DOCSPEC_TORCH_ROOT}/lib/libtorch_cpu.so" "${DOCSPEC_TORCH_ROOT}/lib/libc10.so")
# libtorch_cpu finds its CUDA runtime stubs (libcudart, libcupti) beside torch/ at run time; the
# linker needs to be told.
target_link_options(docspec_torch INTERFACE
  "LINKER:-rpath-link,${DOCSPEC_TORCH_ROOT}/lib:${DOCSPEC_TORCH_ROOT}/../nvidia/cu13/lib")
