# cmake -C packaging/presets/cuda.cmake -S . -B build/cuda
set(CMAKE_BUILD_TYPE Release CACHE STRING "")
set(DOCSPEC_CUDA ON CACHE BOOL "")
set(CMAKE_GENERATOR Ninja CACHE STRING "")
