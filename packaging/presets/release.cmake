# cmake -C packaging/presets/release.cmake -S . -B build/release
set(CMAKE_BUILD_TYPE Release CACHE STRING "")
set(CMAKE_GENERATOR Ninja CACHE STRING "")
