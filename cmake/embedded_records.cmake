# SPDX-License-Identifier: Apache-2.0
# Makes the records of a text (blocks between blank lines) part of the program:
#   cairn_embedded_records(files ${PROJECT_SOURCE_DIR}/resources/families/expected_tensors.txt
#       HEADER core/families/config/records.h FUNCTION expectedTensorRecords)
# appends a source file to the list `files`, which defines the function that the header declares. It is made when the
# text changes; a compiler of C++ limits the length of a literal, so that each record is one.
set(CAIRN_EMBEDDED_RECORDS ${CMAKE_CURRENT_LIST_FILE})
function(cairn_embedded_records list input)
    cmake_parse_arguments(PARSE_ARGV 2 RECORDS "" "HEADER;FUNCTION" "")
    get_filename_component(name ${input} NAME_WE)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
    add_custom_command(OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -DINPUT=${input} -DOUTPUT=${output} -DHEADER=${RECORDS_HEADER} -DFUNCTION=${RECORDS_FUNCTION}
            -P ${CAIRN_EMBEDDED_RECORDS}
        DEPENDS ${input} ${CAIRN_EMBEDDED_RECORDS}
        COMMENT "Embedding ${name}" VERBATIM)
    set(${list} ${${list}} ${output} PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
    file(READ ${INPUT} text)
    string(STRIP "${text}" text)
    if("${text}" MATCHES "\\)~\"")
        message(FATAL_ERROR "${INPUT} contains the end of a literal")
    endif()
    string(REPLACE "\n\n" ")~\"sv,\n        R\"~(" text "${text}")
    get_filename_component(name ${INPUT} NAME)
    file(WRITE ${OUTPUT} "// SPDX-License-Identifier: Apache-2.0
// Made from ${name}; not by hand.
#include \"${HEADER}\"

namespace cairn {

std::span<const std::string_view> ${FUNCTION}() {
    using namespace std::string_view_literals; // their lengths are not counted during compilation, which is limited
    static constexpr std::string_view kRecords[] = {
        R\"~(${text})~\"sv,
    };
    return kRecords;
}

} // namespace cairn
")
endif()
