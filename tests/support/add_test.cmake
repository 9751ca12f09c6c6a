# SPDX-License-Identifier: Apache-2.0
# Registers tests; tests/arch/check_tests.py rejects a plain add_test().
include_guard(GLOBAL)
set(CAIRN_RUN_TEST ${CMAKE_CURRENT_LIST_DIR}/run_test.sh)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/../skips.txt)
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/../skips.txt CAIRN_SKIPS REGEX "^[a-z]")

# cairn_add_test(name COMMAND ... LABELS unit TIMEOUT 60 [ENVIRONMENT A=b ...] [WORKING_DIRECTORY ...] [PROPERTIES ...])
#   TIMEOUT  in seconds, for a release build on a busy machine; builds with a sanitizer get four times that
# The test gets its own home, cache, config, data, state and runtime folders in build/<preset>/test_homes/<name>, which
# run_test.sh empties before each run. Afterwards they contain the files of that run. A test
# without a row in tests/skips.txt fails if any part of it is skipped.
function(cairn_add_test name)
    cmake_parse_arguments(PARSE_ARGV 1 TEST "" "TIMEOUT;WORKING_DIRECTORY" "COMMAND;LABELS;ENVIRONMENT;PROPERTIES")
    if(NOT TEST_COMMAND OR NOT TEST_LABELS OR NOT TEST_TIMEOUT OR TEST_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "cairn_add_test(${name}): COMMAND, LABELS and TIMEOUT are needed, nothing else: ${ARGN}")
    endif()
    if(NOT TEST_WORKING_DIRECTORY)
        set(TEST_WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
    endif()
    if(CAIRN_SANITIZE)
        math(EXPR TEST_TIMEOUT "4 * ${TEST_TIMEOUT}")
    endif()
    list(POP_FRONT TEST_COMMAND program)
    if(TARGET ${program})
        set(program $<TARGET_FILE:${program}>)
    endif()
    add_test(NAME ${name} COMMAND sh ${CAIRN_RUN_TEST} ${PROJECT_BINARY_DIR}/test_homes/${name} ${program} ${TEST_COMMAND}
        WORKING_DIRECTORY ${TEST_WORKING_DIRECTORY})
    set_tests_properties(${name} PROPERTIES LABELS "${TEST_LABELS}" TIMEOUT ${TEST_TIMEOUT}
        COST ${TEST_TIMEOUT} ${TEST_PROPERTIES}) # the first run starts with those that may take longest
    if(NOT ";${CAIRN_SKIPS}" MATCHES ";${name} ") # what GoogleTest, unittest and Qt Test print
        set_tests_properties(${name} PROPERTIES FAIL_REGULAR_EXPRESSION "\\[  SKIPPED \\];skipped=[1-9];, [1-9][0-9]* skipped")
    endif()
    if(TEST_ENVIRONMENT)
        set_tests_properties(${name} PROPERTIES ENVIRONMENT "${TEST_ENVIRONMENT}")
    endif()
endfunction()

# Without it the compiler cache cannot serve what is compiled with precompiled headers (packaging/install.sh).
set(CAIRN_PCH_OPTION $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)

option(CAIRN_NATIVE_TESTS "Of the GoogleTest programs, build only those marked NATIVE" OFF)
# A GoogleTest program: cairn_test(base SOURCES ... NEEDS cairn::base LABEL unit [TIMEOUT 120] [ENVIRONMENT A=b ...] [NATIVE])
#   NATIVE  it tests kernels, or a sanitizer shortens or leaves out some of it. `packaging/test.sh all` runs these on the
#           release build, too, and the others, which have the label `sanitized`, under sanitizers only.
function(cairn_test name)
    cmake_parse_arguments(TEST "NATIVE" "LABEL;TIMEOUT" "SOURCES;NEEDS;ENVIRONMENT" ${ARGN})
    if(NOT TEST_TIMEOUT)
        set(TEST_TIMEOUT 120)
    endif()
    add_executable(test_${name} ${TEST_SOURCES})
    target_link_libraries(test_${name} PRIVATE ${TEST_NEEDS} cairn::warnings GTest::gtest_main GTest::gtest)
    if(TARGET cairn_test_headers)
        target_precompile_headers(test_${name} REUSE_FROM cairn_test_headers)
        target_compile_options(test_${name} PRIVATE ${CAIRN_PCH_OPTION})
    endif()
    if(NOT TEST_NATIVE)
        list(APPEND TEST_LABEL sanitized)
        set_target_properties(test_${name} PROPERTIES EXCLUDE_FROM_ALL ${CAIRN_NATIVE_TESTS})
    endif()
    cairn_add_test(${name} COMMAND test_${name} LABELS ${TEST_LABEL} TIMEOUT ${TEST_TIMEOUT} ENVIRONMENT ${TEST_ENVIRONMENT})
endfunction()
