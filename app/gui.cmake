# SPDX-License-Identifier: GPL-3.0-or-later
# One program for each user and display, and its service on the session bus; a library, for the tests
qt_add_library(cairn_single_instance STATIC single_instance.cpp single_instance.h bus_service.cpp bus_service.h)
set_target_properties(cairn_single_instance PROPERTIES AUTOMOC ON AUTOGEN_ORIGIN_DEPENDS OFF)
target_include_directories(cairn_single_instance PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(cairn_single_instance PUBLIC Qt6::Core cairn::io PRIVATE cairn::warnings Qt6::DBus)

# The window's program: cairn.
add_executable(cairn gui_main.cpp)
target_link_libraries(cairn PRIVATE cairn_single_instance cairn::ui cairn::sample cairn::store cairn::compute cairn::warnings)
target_compile_definitions(cairn PRIVATE CAIRN_VERSION="${PROJECT_VERSION}" CAIRN_APP_ID="${CAIRN_APP_ID}")
install(TARGETS cairn RUNTIME COMPONENT window)
