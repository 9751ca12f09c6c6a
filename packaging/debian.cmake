# SPDX-License-Identifier: Apache-2.0
# cairn, cairn-cli, python3-cairn and cairn-torch as Debian packages: `cpack -G DEB` in the build folder, see deb.sh.
set(CPACK_PACKAGE_NAME cairn)
set(CPACK_PACKAGE_VENDOR Cairn)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "browser and converter for training checkpoints")
set(CPACK_PACKAGE_CONTACT "The Cairn contributors <cairn@localhost.localdomain>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_COMPONENTS_ALL cli)
if(CAIRN_GUI)
    list(APPEND CPACK_COMPONENTS_ALL window)
endif()
if(TARGET cairn_torch)
    list(APPEND CPACK_COMPONENTS_ALL torch)
endif()
set(python_package OFF)
if(TARGET cairn_python AND NOT CAIRN_PYTHON_HEADERS)
    set(python_package ON)
    list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)

set(CPACK_DEBIAN_CLI_PACKAGE_NAME cairn-cli)
set(CPACK_COMPONENT_CLI_DESCRIPTION "The command line: lists, verifies, compares and converts the checkpoints of
training runs in the formats of many frameworks, without a framework and
without executing anything in them.")
set(CPACK_DEBIAN_CLI_PACKAGE_SUGGESTS cairn-torch)

set(CPACK_DEBIAN_WINDOW_PACKAGE_NAME cairn)
set(CPACK_COMPONENT_WINDOW_DESCRIPTION "The window: shows experiments, runs, checkpoints, shards and tensors together
with the loss curves, compares runs and checkpoints, and converts sharded
checkpoints into files that can be deployed.")
# the index process for HDF5 files is in cairn-cli
set(CPACK_DEBIAN_WINDOW_PACKAGE_DEPENDS "cairn-cli (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_WINDOW_PACKAGE_RECOMMENDS "fonts-inter | fonts-dejavu-core, qt6-qpa-plugins")
set(CPACK_DEBIAN_WINDOW_PACKAGE_SUGGESTS "cairn-torch, qt6-translations-l10n")

set(CPACK_DEBIAN_TORCH_PACKAGE_NAME cairn-torch)
set(CPACK_COMPONENT_TORCH_DESCRIPTION "The libtorch module: lets cairn and cairn-cli compute singular values and the
similarity of layers with the system's libtorch.")
set(CPACK_DEBIAN_TORCH_PACKAGE_DEPENDS "cairn-cli (= ${PROJECT_VERSION})")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-cairn)
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "The Python module: opens the checkpoints of training runs in any format, reads
parts of tensors as NumPy arrays, and answers what cairn-cli answers.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
if(python_package)
    execute_process(COMMAND ${CAIRN_PYTHON_INTERPRETER} -c "import sys; print(sys.version_info[1], end='')" OUTPUT_VARIABLE minor)
    math(EXPR next "${minor} + 1")
    # the index process for HDF5 files is in cairn-cli
    set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
        "cairn-cli (= ${PROJECT_VERSION}), python3 (>= 3.${minor}), python3 (<< 3.${next}), python3-numpy")
    set(folder lib/python3/dist-packages/cairn)
    install(DIRECTORY ${PROJECT_BINARY_DIR}/python/cairn/ DESTINATION ${folder} COMPONENT python
        PATTERN __pycache__ EXCLUDE PATTERN cairn-hdf5-index EXCLUDE)
    execute_process(COMMAND ${CMAKE_COMMAND} -E create_symlink ../../../../libexec/cairn/cairn-hdf5-index
        ${CMAKE_CURRENT_BINARY_DIR}/cairn-hdf5-index)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/cairn-hdf5-index DESTINATION ${folder} COMPONENT python)
    # compile the module's Python files when it is installed, and remove what that wrote
    foreach(script postinst prerm)
        configure_file(debian/python.${script} ${CMAKE_CURRENT_BINARY_DIR}/python/${script} COPYONLY FILE_PERMISSIONS
            OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    endforeach()
    set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_BINARY_DIR}/python/postinst
        ${CMAKE_CURRENT_BINARY_DIR}/python/prerm)
endif()

# Debian's form of the licences, and a changelog, in each package.
set(name_cli cairn-cli)
set(name_window cairn)
set(name_torch cairn-torch)
set(name_python python3-cairn)
set(changelog ${CMAKE_CURRENT_BINARY_DIR}/changelog.gz)
configure_file(debian/changelog.in ${CMAKE_CURRENT_BINARY_DIR}/changelog @ONLY)
execute_process(COMMAND gzip -9nc ${CMAKE_CURRENT_BINARY_DIR}/changelog OUTPUT_FILE ${changelog})
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    install(FILES debian/copyright DESTINATION share/doc/${name_${component}} COMPONENT ${component})
    install(FILES ${changelog} DESTINATION share/doc/${name_${component}} RENAME changelog.gz COMPONENT ${component})
endforeach()
include(CPack)
