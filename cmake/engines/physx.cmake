# PhysX 5.1.3, from the sources in the crate physx-sys. They come without a build of their own, but the crate lists the files of
# each part, which is all that is needed. Some six CPU minutes, once.
include(${CMAKE_CURRENT_LIST_DIR}/crate.cmake)
crate_sources(PHYSX_CRATE physx-sys 0.11.5)
set(PHYSX_ROOT "${PHYSX_CRATE}/physx/physx")

# physx_part(LIST FOLDER [LEAVE_OUT regex]): the files that the crate names in sources/LIST are in source/FOLDER.
set(PHYSX_FILES)
set(PHYSX_FOLDERS)
function(physx_part list folder)
  file(READ "${PHYSX_CRATE}/sources/${list}" text)
  string(REGEX MATCHALL "[A-Za-z0-9_]+" names "${text}")
  if(ARGC GREATER 2)
    list(FILTER names EXCLUDE REGEX "${ARGV3}")
  endif()
  list(TRANSFORM names PREPEND "${PHYSX_ROOT}/source/${folder}/")
  list(TRANSFORM names APPEND ".cpp")
  set(PHYSX_FILES ${PHYSX_FILES} ${names} PARENT_SCOPE)
  set(PHYSX_FOLDERS ${PHYSX_FOLDERS} "${PHYSX_ROOT}/source/${folder}" PARENT_SCOPE)
endfunction()

physx_part(foundation foundation)
physx_part(foundation_unix foundation/unix)
physx_part(task task/src)
physx_part(common common/src)
physx_part(lowlevel_pipeline lowlevel/common/src/pipeline)
physx_part(lowlevel_software lowlevel/software/src)
foreach(part lowlevelaabb lowleveldynamics scenequery simulationcontroller)
  physx_part(${part} ${part}/src)
endforeach()
physx_part(geomutils geomutils/src)
foreach(part ccd common contact convex cooking distance gjk hf intersection mesh pcm sweep)
  physx_part(geomutils_${part} geomutils/src/${part})
endforeach()
physx_part(cooking physxcooking/src)
physx_part(core physx/src LEAVE_OUT "Pvd")
# Left out: joints, soft bodies, saving. Vehicles, characters and the visual debugger are parts that are not named here.
physx_part(extensions physxextensions/src
  LEAVE_OUT "Joint|Extensions|Pvd|MetaData|Collection|StringTable|Remeshing|Soft|Tet|Sampling|Streams")

list(APPEND PHYSX_FILES "${PHYSX_ROOT}/source/lowlevel/api/src/px_globals.cpp"
  "${PHYSX_ROOT}/source/immediatemode/src/NpImmediateMode.cpp")
foreach(folder api/include common/include/collision common/include/pipeline common/include/utils software/include)
  list(APPEND PHYSX_FOLDERS "${PHYSX_ROOT}/source/lowlevel/${folder}")
endforeach()
foreach(part foundation lowlevelaabb lowleveldynamics scenequery simulationcontroller geomutils pvd physxmetadata/core filebuf)
  list(APPEND PHYSX_FOLDERS "${PHYSX_ROOT}/source/${part}/include")
endforeach()

add_library(physx STATIC EXCLUDE_FROM_ALL ${PHYSX_FILES})
target_include_directories(physx PRIVATE ${PHYSX_FOLDERS})
target_include_directories(physx SYSTEM PUBLIC "${PHYSX_ROOT}/include")
# They shape its classes: who includes its headers needs the same.
target_compile_definitions(physx PUBLIC NDEBUG PX_PHYSX_STATIC_LIB DISABLE_CUDA_PHYSX PX_SUPPORT_PVD=0)
# Its casts break the rule of strict aliasing, and its warnings are not ours to mend.
target_compile_options(physx PRIVATE -O2 -w -fno-strict-aliasing)
set_target_properties(physx PROPERTIES CXX_STANDARD 14 POSITION_INDEPENDENT_CODE ON)
find_package(Threads REQUIRED)
target_link_libraries(physx PUBLIC Threads::Threads ${CMAKE_DL_LIBS})

add_library(engine_physx INTERFACE)
target_link_libraries(engine_physx INTERFACE physx)
