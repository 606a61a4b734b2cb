# Bullet, from the package libbullet-dev.
find_package(PkgConfig REQUIRED)
pkg_check_modules(BULLET REQUIRED IMPORTED_TARGET bullet)
add_library(engine_bullet INTERFACE)
target_link_libraries(engine_bullet INTERFACE PkgConfig::BULLET)
