"""Fracas as a Conan 2 package, built by cargo from the sources around this file:

    conan create packages/conan --build=missing

Rust must be installed: no recipe of the public remote brings it. Who has none builds the package of an unpacked release:

    conan create packages/conan -c "tools.cmake.cmaketoolchain:extra_variables={'FRACAS_PREBUILT': '/path/to/fracas-0.1.0-...'}"
"""
import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rm, rmdir

required_conan_version = ">=2.0"


class Fracas(ConanFile):
    name = "fracas"
    license = "MIT OR Apache-2.0"
    description = "Collision detection for things that break: the narrow phase for fracturing rigid bodies"
    topics = ("collision", "fracture", "physics", "gamedev")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False]}
    default_options = {"shared": True}

    @property
    def root(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        self.version = re.search(r'^version = "(.*)"', load(self, os.path.join(self.root, "Cargo.toml")), re.MULTILINE)[1]

    def export_sources(self):
        # What cargo and CMake read; the manifests of all members, since cargo checks the workspace as a whole.
        for pattern in ("Cargo.toml", "Cargo.lock", "build.rs", "CMakeLists.txt", "README.md", "LICENSE-*", "src/*", "include/*", "capi/*",
                        "cmake/*.in", "packages/materials.py", "packages/linked_in.txt", "benches/*.rs", "benches/*/Cargo.toml",
                        "benches/*/build.rs", "benches/*/src/*", "cli/*", "samples/*.vtu", "rust_examples/*", "examples/*", "tests/header.rs", "tests/suites/main.rs"):
            copy(self, pattern, self.root, self.export_sources_folder)

    def validate(self):
        # Cargo builds for the machine that it runs on, unless CMakeLists.txt learns to pass a target.
        if self.settings.arch != self.settings_build.arch or self.settings.os != self.settings_build.os:
            raise ConanInvalidConfiguration("this recipe does not cross-build: take the release of the other platform, by FRACAS_PREBUILT")

    def layout(self):
        cmake_layout(self)

    def package_id(self):
        # Always an optimised library behind a C interface: one package for all compilers and build types. On Windows there are two ABIs.
        del self.info.settings.build_type
        if self.info.settings.os != "Windows":
            del self.info.settings.compiler
        else:
            for detail in ("version", "cppstd", "runtime", "runtime_type", "runtime_version", "threads", "exception", "libcxx"):
                self.info.settings.compiler.rm_safe(detail)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables.update({"FRACAS_EXAMPLES": False, "FRACAS_TESTS": False, "FRACAS_INSTALL": True})
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        lib, bin, share = (os.path.join(self.package_folder, folder) for folder in ("lib", "bin", "share"))
        copy(self, "*", os.path.join(share, "licenses", "fracas"), os.path.join(self.package_folder, "licenses"))  # where Conan looks
        for folder in (os.path.join(share, "licenses"), os.path.join(lib, "cmake"), os.path.join(lib, "pkgconfig")):
            rmdir(self, folder)  # CMakeDeps and PkgConfigDeps generate these
        unwanted = [(lib, "libfracas.a"), (lib, "fracas.lib")] if self.options.shared else [
            (lib, "libfracas.so*"), (lib, "libfracas*.dylib"), (lib, "*.dll.a"), (lib, "*.dll.lib"), (bin, "fracas.dll")]
        for folder, pattern in unwanted:
            rm(self, pattern, folder)

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "fracas")
        self.cpp_info.set_property("cmake_target_name", "fracas::fracas")
        self.cpp_info.set_property("pkg_config_name", "fracas")
        windows = self.settings.os == "Windows"
        msvc = windows and self.settings.get_safe("compiler") in ("msvc", "clang")
        self.cpp_info.libs = ["fracas.dll" if msvc and self.options.shared else "fracas"]
        if not self.options.shared:
            self.cpp_info.defines = ["FC_STATIC"]
            if windows:
                self.cpp_info.system_libs = ["kernel32", "ntdll", "userenv", "ws2_32", "dbghelp"]
            elif self.settings.os in ("Linux", "FreeBSD"):
                self.cpp_info.system_libs = ["gcc_s", "util", "rt", "pthread", "m", "dl", "c"]
