# crate_sources(VAR CRATE VERSION): where the sources of a crate are, fetched by cargo. Some crates carry the whole C++ tree of
# an engine; cargo is there anyway, keeps what it has fetched, and checks it.
function(crate_sources var crate version)
  find_program(FRACAS_CARGO cargo REQUIRED)
  set(stub "${CMAKE_BINARY_DIR}/crates/${crate}")
  file(WRITE "${stub}/Cargo.toml"
    "[package]\nname = \"sources\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[workspace]\n[dependencies]\n${crate} = \"=${version}\"\n")
  file(WRITE "${stub}/src/lib.rs" "")
  message(STATUS "the sources of ${crate} ${version}, by cargo")
  execute_process(COMMAND "${FRACAS_CARGO}" metadata --quiet --format-version 1 WORKING_DIRECTORY "${stub}"
    OUTPUT_VARIABLE metadata ERROR_VARIABLE why RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "cargo could not fetch ${crate} ${version}: ${why}")
  endif()
  string(REGEX MATCH "\"manifest_path\":\"([^\"]*/${crate}-[0-9][^\"/]*)/Cargo.toml\"" found "${metadata}")
  if(NOT found)
    message(FATAL_ERROR "cargo fetched ${crate} ${version} but does not say where to")
  endif()
  set(${var} "${CMAKE_MATCH_1}" PARENT_SCOPE)
endfunction()
