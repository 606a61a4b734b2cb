# Jolt 5.0, built from the sources that the crate joltc-sys carries: three CPU-minutes, once for a build directory.
include(${CMAKE_CURRENT_LIST_DIR}/crate.cmake)

# A function, so that options with such common names stay Jolt's own.
function(add_jolt)
  crate_sources(jolt joltc-sys 0.3.1)
  set(DOUBLE_PRECISION OFF)
  set(CROSS_PLATFORM_DETERMINISTIC OFF)
  set(OVERRIDE_CXX_FLAGS OFF)
  set(GENERATE_DEBUG_SYMBOLS OFF)
  # Its warnings are errors, and not ours to mend; its objects would be of a kind that only its own linker flags can link.
  set(ENABLE_ALL_WARNINGS OFF)
  set(INTERPROCEDURAL_OPTIMIZATION OFF)
  set(DEBUG_RENDERER_IN_DEBUG_AND_RELEASE OFF)
  set(PROFILER_IN_DEBUG_AND_RELEASE OFF)
  # Nothing that a processor of the last ten years may lack; and without fused multiply-add all of them agree on results.
  foreach(feature AVX AVX2 AVX512 LZCNT TZCNT F16C FMADD)
    set(USE_${feature} OFF)
  endforeach()
  add_subdirectory("${jolt}/JoltC/JoltPhysics/Build" "${CMAKE_BINARY_DIR}/jolt" EXCLUDE_FROM_ALL)
  # Warnings in its headers are not ours either.
  get_target_property(headers Jolt INTERFACE_INCLUDE_DIRECTORIES)
  set_target_properties(Jolt PROPERTIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${headers}")
endfunction()
add_jolt()

# Definitions and processor flags of the library come with it; they must be the same in all that includes its headers.
add_library(engine_jolt INTERFACE)
target_link_libraries(engine_jolt INTERFACE Jolt)
