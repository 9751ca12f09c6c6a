# Generates a table of constants, one for each name in a list:
#   cairn_generated_table(builtin_formats.cpp NAMES torch gguf
#       EXTERN "namespace @name@ { extern const FormatInfo kFormat; }" ENTRY "&formats::@name@::kFormat")
# configures builtin_formats.cpp.in in the caller's folder, which uses CAIRN_EXTERNS, CAIRN_ENTRIES and CAIRN_COUNT.
# In both patterns @Name@ is the name with a capital.
function(cairn_generated_table file)
    cmake_parse_arguments(PARSE_ARGV 1 TABLE "" "EXTERN;ENTRY" "NAMES")
    list(LENGTH TABLE_NAMES CAIRN_COUNT)
    foreach(name IN LISTS TABLE_NAMES)
        string(SUBSTRING ${name} 0 1 first)
        string(SUBSTRING ${name} 1 -1 rest)
        string(TOUPPER ${first} first)
        set(Name ${first}${rest})
        string(CONFIGURE "${TABLE_EXTERN}\n" extern @ONLY)
        string(CONFIGURE "        ${TABLE_ENTRY},\n" entry @ONLY)
        string(APPEND CAIRN_EXTERNS "${extern}")
        string(APPEND CAIRN_ENTRIES "${entry}")
    endforeach()
    get_filename_component(name ${file} NAME)
    configure_file(${file}.in ${CMAKE_CURRENT_BINARY_DIR}/${name} @ONLY)
endfunction()
