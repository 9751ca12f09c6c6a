# SPDX-License-Identifier: Apache-2.0
# CAIRN_STATIC: `cairn-cli` as one file that needs no library of the system, made by packaging/static.sh.
# Every library is found as an archive; those that Debian has only as shared libraries are in CMAKE_PREFIX_PATH.
# The code is compiled as in the preset release, so that both share the compiler cache.
if(CAIRN_GUI OR CAIRN_SANITIZE)
    message(FATAL_ERROR "CAIRN_STATIC requires CAIRN_GUI=OFF and no sanitizer")
endif()
set(CAIRN_TORCH OFF) # a static program cannot load a shared library
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
set(CMAKE_SKIP_RPATH ON)
set(OPENSSL_USE_STATIC_LIBS ON)
# Without warnings: libcrypto contains calls that glibc cannot serve from a static program (host names, modules), but
# Cairn makes none of them.
add_link_options(-static-pie -Wl,--gc-sections -Wl,--build-id=none -Wl,--no-warnings)
