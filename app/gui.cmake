# SPDX-License-Identifier: GPL-3.0-or-later
# The window's program: cairn.
add_executable(cairn gui_main.cpp)
target_link_libraries(cairn PRIVATE cairn::ui cairn::cli_verbs cairn::sample cairn::compute cairn::warnings)
target_compile_definitions(cairn PRIVATE CAIRN_VERSION="${PROJECT_VERSION}")
install(TARGETS cairn RUNTIME)
