# cmake -C packaging/presets/dev.cmake -S . -B build/dev
set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1" CACHE STRING "")
set(DOCSPEC_SANITIZE ON CACHE BOOL "")
set(CMAKE_GENERATOR Ninja CACHE STRING "")
