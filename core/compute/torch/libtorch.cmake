# SPDX-License-Identifier: Apache-2.0
# Sets CAIRN_LIBTORCH_INCLUDES, CAIRN_LIBTORCH_LIBRARIES and CAIRN_LIBTORCH_DEFINITIONS; the first is empty if
# libtorch was not found.
#
# libtorch's own TorchConfig.cmake is not used: with a CUDA wheel it fails if no CUDA toolkit is installed,
# although only libtorch_cuda is needed here.
set(CAIRN_LIBTORCH_INCLUDES "")
set(CAIRN_LIBTORCH_LIBRARIES "")
set(CAIRN_LIBTORCH_DEFINITIONS "")

set(hints "")
foreach(prefix ${CMAKE_PREFIX_PATH}) # torch/share/cmake, or a folder with include and lib
    list(APPEND hints "${prefix}" "${prefix}/../..")
endforeach()
find_path(CAIRN_LIBTORCH_INCLUDE ATen/ATen.h HINTS ${hints} PATH_SUFFIXES include)
if(NOT CAIRN_LIBTORCH_INCLUDE)
    find_program(CAIRN_LIBTORCH_PYTHON NAMES python3 python)
    if(CAIRN_LIBTORCH_PYTHON)
        execute_process(COMMAND ${CAIRN_LIBTORCH_PYTHON} -c "import torch; print(torch.utils.cmake_prefix_path)"
            OUTPUT_VARIABLE prefix OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        if(prefix)
            set(hints "${prefix}/../..")
            unset(CAIRN_LIBTORCH_INCLUDE CACHE)
            find_path(CAIRN_LIBTORCH_INCLUDE ATen/ATen.h HINTS ${hints} PATH_SUFFIXES include NO_DEFAULT_PATH)
        endif()
    endif()
endif()
if(NOT CAIRN_LIBTORCH_INCLUDE)
    return()
endif()

get_filename_component(prefix "${CAIRN_LIBTORCH_INCLUDE}" DIRECTORY)
foreach(name c10 torch_cpu c10_cuda torch_cuda)
    find_library(CAIRN_LIBTORCH_${name} ${name} HINTS "${prefix}" PATH_SUFFIXES lib lib/${CMAKE_LIBRARY_ARCHITECTURE} NO_DEFAULT_PATH)
    if(CAIRN_LIBTORCH_${name})
        list(APPEND CAIRN_LIBTORCH_LIBRARIES "${CAIRN_LIBTORCH_${name}}")
    elseif(name STREQUAL "c10" OR name STREQUAL "torch_cpu")
        message(STATUS "libtorch: headers at ${CAIRN_LIBTORCH_INCLUDE}, but no lib${name}")
        return()
    endif()
endforeach()
set(CAIRN_LIBTORCH_INCLUDES "${CAIRN_LIBTORCH_INCLUDE}" "${CAIRN_LIBTORCH_INCLUDE}/torch/csrc/api/include")

# Wheels before 2.7 are built with the old ABI of std::string.
if(EXISTS "${prefix}/share/cmake/Torch/TorchConfig.cmake")
    file(STRINGS "${prefix}/share/cmake/Torch/TorchConfig.cmake" flags REGEX "_GLIBCXX_USE_CXX11_ABI=[01]")
    if(flags MATCHES "_GLIBCXX_USE_CXX11_ABI=([01])")
        set(CAIRN_LIBTORCH_DEFINITIONS "_GLIBCXX_USE_CXX11_ABI=${CMAKE_MATCH_1}")
    endif()
endif()
