# Links each layer of harness/ by the arrows of harness/layers.txt; ci/check_layers checks the #include lines by the same
# list while the project builds.

set(STEPGATE_LINK_boost_math $<BUILD_INTERFACE:Boost::headers>)  # header-only: an install tree does not need it
set(STEPGATE_LINK_boost_program_options Boost::program_options)
set(STEPGATE_LINK_nlohmann nlohmann_json::nlohmann_json)
set(STEPGATE_LINK_fmt fmt::fmt)
set(STEPGATE_LINK_hwloc PkgConfig::hwloc)
set(STEPGATE_LINK_pugixml pugixml::pugixml)
set(STEPGATE_LINK_zlib ZLIB::ZLIB)

# Reads harness/layers.txt into STEPGATE_LAYER_DEPENDS_<layer> and STEPGATE_LAYER_USES_<layer>.
set(stepgate_layers_file ${CMAKE_CURRENT_LIST_DIR}/../../harness/layers.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${stepgate_layers_file})
file(STRINGS ${stepgate_layers_file} stepgate_arrows REGEX "^[a-z]+:")
foreach(arrow IN LISTS stepgate_arrows)
  string(REGEX MATCH "^([a-z]+):([^+]*)[+]?(.*)$" matched "${arrow}")
  separate_arguments(STEPGATE_LAYER_DEPENDS_${CMAKE_MATCH_1} UNIX_COMMAND "${CMAKE_MATCH_2}")
  separate_arguments(STEPGATE_LAYER_USES_${CMAKE_MATCH_1} UNIX_COMMAND "${CMAKE_MATCH_3}")
endforeach()

# Folders of the studies: the lines of harness/layers.txt with *.
file(STRINGS ${stepgate_layers_file} STEPGATE_STUDY_FOLDERS REGEX "^[a-z_/]+[*]:")
list(TRANSFORM STEPGATE_STUDY_FOLDERS REPLACE "[*]:.*$" "")

# Layers of the launcher without long computations. -O1 instead of -O3 compiles them in two thirds of the time.
set(STEPGATE_LIGHT_LAYERS environment launch diagnose report experiment cli)

# Sources of the other layers that are compiled as one. At -O0 under sanitizers a unit spends most of its time on templates
# that the next one has, too.
set(STEPGATE_FILES_OF_UNIT 12)
if(STEPGATE_SANITIZE)
  set(STEPGATE_FILES_OF_UNIT 36)
endif()

# stepgate_layer(<name>): static library stepgate_<name> of every .cpp file below the current folder, except main.cpp,
# <part>_absent.cpp and the folders of the studies. These become a library of their own, stepgate_<name>_studies, which links the
# first one. Further arguments: public headers that the layer's probe includes too.
function(stepgate_layer layer)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/(main|[a-z_]+_absent)[.]cpp$")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/harness ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
  stepgate_take_studies(${layer} sources study_sources)
  stepgate_take_studies(${layer} headers study_headers)
  add_library(stepgate_${layer} STATIC ${sources})
  stepgate_link_layer(${layer} stepgate_${layer})
  stepgate_compile_together(${layer} stepgate_${layer})
  stepgate_header_probe(stepgate_${layer} ${headers} ${ARGN})
  if(study_sources)
    set(kind STATIC)
    if(layer STREQUAL cli)
      set(kind OBJECT)  # its two parts call each other (study_parts.h), which static libraries can do in one direction only
    endif()
    add_library(stepgate_${layer}_studies ${kind} ${study_sources})
    stepgate_link_studies(${layer} stepgate_${layer}_studies stepgate_${layer})
    stepgate_compile_together(${layer} stepgate_${layer}_studies)
    stepgate_header_probe(stepgate_${layer}_studies ${study_headers})
  endif()
endfunction()

# Moves the files in folders of the studies from the list <files> to the list <studies>.
function(stepgate_take_studies layer files studies)
  set(folders ${STEPGATE_STUDY_FOLDERS})
  list(FILTER folders INCLUDE REGEX "^${layer}/")
  set(of_gate ${${files}})
  set(of_studies "")
  if(folders)
    list(JOIN folders "|" pattern)
    set(of_studies ${${files}})
    list(FILTER of_studies INCLUDE REGEX "(^|/)(${pattern})/[^/]+$")
    list(FILTER of_gate EXCLUDE REGEX "(^|/)(${pattern})/[^/]+$")
  endif()
  set(${files} ${of_gate} PARENT_SCOPE)
  set(${studies} ${of_studies} PARENT_SCOPE)
endfunction()

# Several files are compiled as one (a unity build), because most of the time goes into common headers.
function(stepgate_compile_together layer target)
  set(files ${STEPGATE_FILES_OF_UNIT})
  if(layer IN_LIST STEPGATE_LIGHT_LAYERS)
    set(files 24)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${STEPGATE_UNITY} UNITY_BUILD_BATCH_SIZE ${files})
endfunction()

# Links the studies of a layer: the gate's part of it, and the studies of the layers that it may include.
function(stepgate_link_studies layer target gate)
  target_link_libraries(${target} PUBLIC ${gate})
  foreach(dependency IN LISTS STEPGATE_LAYER_DEPENDS_${layer})
    if(TARGET stepgate_${dependency}_studies)
      target_link_libraries(${target} PUBLIC stepgate_${dependency}_studies)
    endif()
  endforeach()
  stepgate_strict(${target})
endfunction()

# Sets include paths, and links what the layer's line in harness/layers.txt names.
function(stepgate_link_layer layer target)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/harness> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/harness/include>
    $<INSTALL_INTERFACE:include>)
  foreach(dependency IN LISTS STEPGATE_LAYER_DEPENDS_${layer})
    target_link_libraries(${target} PUBLIC stepgate_${dependency})
  endforeach()
  foreach(use IN LISTS STEPGATE_LAYER_USES_${layer})
    if(STEPGATE_LINK_${use})
      target_link_libraries(${target} PUBLIC ${STEPGATE_LINK_${use}})
    endif()
  endforeach()
  stepgate_strict(${target})
endfunction()

# Compiles one file per target that includes every header twice. A missing #pragma once then fails to compile, and so do most
# missing includes, because the headers come in the order of their names and not in the order of a source file.
# ci/check_headers compiles each of them alone.
function(stepgate_header_probe target)
  if(NOT STEPGATE_BUILD_TESTS OR STEPGATE_SANITIZE)
    return()  # a sanitizer finds nothing in headers alone
  endif()
  set(lines "")
  foreach(header IN LISTS ARGN)
    string(APPEND lines "#include \"${header}\"\n")
  endforeach()
  set(probe ${CMAKE_CURRENT_BINARY_DIR}/${target}_headers.cpp)
  file(CONFIGURE OUTPUT ${probe} CONTENT "${lines}${lines}")
  add_library(${target}_headers OBJECT ${probe})
  target_link_libraries(${target}_headers PRIVATE ${target})
  stepgate_strict(${target}_headers)
endfunction()

# Stops the build if an #include is not allowed by harness/layers.txt. Runs only if a file of harness/ has changed.
function(stepgate_check_layers)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/harness/*.h ${PROJECT_SOURCE_DIR}/harness/*.cpp)
  set(stamp ${PROJECT_BINARY_DIR}/layers.stamp)
  add_custom_command(OUTPUT ${stamp}
    COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/ci/check_layers --stamp ${stamp}
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/harness/layers.txt ${PROJECT_SOURCE_DIR}/ci/check_layers VERBATIM)
  add_custom_target(check_layers ALL DEPENDS ${stamp})
endfunction()
