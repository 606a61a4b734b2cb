# An overlay port, which builds the sources that it lies in: vcpkg install fracas --overlay-ports=.../packages/vcpkg
# Without Rust, set VCPKG_CMAKE_CONFIGURE_OPTIONS to -DFRACAS_PREBUILT=... of an unpacked release, in a triplet.
# In a registry, vcpkg_from_github with the tag takes the place of this line.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

# vcpkg cleans the environment; rustup installs into the home folder.
find_program(CARGO cargo PATHS "$ENV{CARGO_HOME}/bin" "$ENV{HOME}/.cargo/bin" "$ENV{USERPROFILE}/.cargo/bin")
if(NOT CARGO AND NOT "${VCPKG_CMAKE_CONFIGURE_OPTIONS}" MATCHES FRACAS_PREBUILT)
  message(FATAL_ERROR "Fracas is built by cargo, which is not here: install Rust 1.89 or newer, then run vcpkg again.")
endif()
if(VCPKG_CROSSCOMPILING)
  message(FATAL_ERROR "This port builds for the machine that it runs on; take the release of the other platform.")
endif()

# One optimised library behind a C interface serves all build types.
set(VCPKG_BUILD_TYPE release)
string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" dynamic shared)

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS "-DFRACAS_CARGO=${CARGO}" -DFRACAS_EXAMPLES=OFF -DFRACAS_TESTS=OFF -DFRACAS_INSTALL=ON -DFRACAS_SHARED=${shared})
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/fracas)
vcpkg_fixup_pkgconfig()

# The triplet says which library is wanted; vcpkg has one of them in a package.
set(config "${CURRENT_PACKAGES_DIR}/share/fracas/fracasConfig.cmake")
if(shared)
  file(REMOVE "${CURRENT_PACKAGES_DIR}/lib/libfracas.a" "${CURRENT_PACKAGES_DIR}/lib/fracas.lib")
else()
  file(GLOB dynamic "${CURRENT_PACKAGES_DIR}/lib/libfracas*.so*" "${CURRENT_PACKAGES_DIR}/lib/libfracas*.dylib"
    "${CURRENT_PACKAGES_DIR}/lib/*fracas.dll.*")
  file(REMOVE ${dynamic})
  file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/bin")
  vcpkg_replace_string("${config}" "if(NOT TARGET fracas::fracas)" "set(FRACAS_SHARED OFF)\nif(NOT TARGET fracas::fracas)")
endif()

vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE-MIT" "${SOURCE_PATH}/LICENSE-APACHE")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/fracas")
