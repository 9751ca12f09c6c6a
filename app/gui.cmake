# SPDX-License-Identifier: GPL-3.0-or-later
# The window's program: cairn.
add_executable(cairn gui_main.cpp sample_copy.cpp sample_copy.h)
target_link_libraries(cairn PRIVATE cairn::ui cairn::warnings)
target_compile_definitions(cairn PRIVATE CAIRN_VERSION="${PROJECT_VERSION}"
    CAIRN_SAMPLE_FOLDER="${PROJECT_SOURCE_DIR}/resources/sample/experiment")
install(TARGETS cairn RUNTIME)
