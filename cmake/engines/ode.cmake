# ODE, from the package libode-dev.
find_package(PkgConfig REQUIRED)
pkg_check_modules(ODE REQUIRED IMPORTED_TARGET ode)
add_library(engine_ode INTERFACE)
target_link_libraries(engine_ode INTERFACE PkgConfig::ODE)
