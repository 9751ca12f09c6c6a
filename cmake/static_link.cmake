# SPDX-License-Identifier: Apache-2.0
# CAIRN_STATIC: `cairn-cli` as one file that needs no library of the system, made by packaging/static.sh; and the Python
# module as one that needs no more than glibc 2.17, made by packaging/wheel.sh.
# Every library is found as an archive; those that Debian has only as shared libraries are in CMAKE_PREFIX_PATH.
# The code is compiled as in the preset release, so that both share the compiler cache.
if(CAIRN_GUI OR CAIRN_SANITIZE)
    message(FATAL_ERROR "CAIRN_STATIC requires CAIRN_GUI=OFF and no sanitizer")
endif()
set(CAIRN_TORCH OFF)
# Whether the program that the core is for is static, too: it cannot load a shared library, and is its own index process.
set(CAIRN_STATIC_PROGRAM ON)
if(CAIRN_PYTHON)
    set(CAIRN_STATIC_PROGRAM OFF)
endif()
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
set(CMAKE_SKIP_RPATH ON)
set(OPENSSL_USE_STATIC_LIBS ON)
# Without warnings: libcrypto contains calls that glibc cannot serve from a static program (host names, modules), but
# Cairn makes none of them.
add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-static-pie> -Wl,--gc-sections -Wl,--build-id=none -Wl,--no-warnings)

# Links a shared object so that it needs no more than glibc 2.17 and libgcc_s: C++'s library is inside, and glibc's symbols
# are those of that version. libpthread and libdl are parts of libc since 2.34, but not before.
function(cairn_link_for_old_glibc target)
    set(folder ${PROJECT_BINARY_DIR}/old_glibc)
    set(maker ${PROJECT_SOURCE_DIR}/packaging/old_glibc.py)
    find_program(PYTHON3_PROGRAM python3 REQUIRED)
    add_custom_command(OUTPUT ${folder}/libc.so COMMAND ${PYTHON3_PROGRAM} ${maker} ${folder} 2.17 DEPENDS ${maker} VERBATIM)
    add_custom_target(cairn_old_glibc_libraries DEPENDS ${folder}/libc.so)
    add_dependencies(${target} cairn_old_glibc_libraries)
    add_library(cairn_old_glibc OBJECT ${PROJECT_SOURCE_DIR}/packaging/old_glibc.c)
    set_target_properties(cairn_old_glibc PROPERTIES C_VISIBILITY_PRESET hidden UNITY_BUILD OFF)
    target_compile_options(cairn_old_glibc PRIVATE -Wall -Wextra -Wconversion -Wshadow -Werror)
    target_link_libraries(${target} PRIVATE cairn_old_glibc)
    # a pure virtual call ends the process with a sentence of C++'s library, to which nothing else refers
    target_link_options(${target} PRIVATE -static-libstdc++ -Wl,--undefined=__cxa_pure_virtual
        -L${folder} -Wl,--no-as-needed -lpthread -ldl -Wl,--as-needed)
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${folder}/libc.so)
endfunction()
