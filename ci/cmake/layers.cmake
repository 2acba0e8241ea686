# The house's arrows (DESIGN section 3): one list that both links the layers and checks their #include lines.
# A layer may include itself, what it DEPENDS on, the std library, and the third-party names in USES.

set(STEPGATE_LAYER_DEPENDS_core "")
set(STEPGATE_LAYER_DEPENDS_stats "")
set(STEPGATE_LAYER_DEPENDS_json core)
set(STEPGATE_LAYER_DEPENDS_environment core json)
set(STEPGATE_LAYER_DEPENDS_launch core json environment)
set(STEPGATE_LAYER_DEPENDS_measure core json)
set(STEPGATE_LAYER_DEPENDS_baseline core json)
set(STEPGATE_LAYER_DEPENDS_judge core stats)
set(STEPGATE_LAYER_DEPENDS_diagnose core stats)
set(STEPGATE_LAYER_DEPENDS_report core json)
set(STEPGATE_LAYER_DEPENDS_cli core stats json environment launch baseline judge diagnose report)

set(STEPGATE_LAYER_USES_core "")
set(STEPGATE_LAYER_USES_stats boost_math)
set(STEPGATE_LAYER_USES_json nlohmann fmt)
set(STEPGATE_LAYER_USES_environment hwloc fmt)
set(STEPGATE_LAYER_USES_launch fmt)
set(STEPGATE_LAYER_USES_measure torch cuda benchmark fmt boost_context)
set(STEPGATE_LAYER_USES_baseline fmt)
set(STEPGATE_LAYER_USES_judge fmt)
set(STEPGATE_LAYER_USES_diagnose fmt)
set(STEPGATE_LAYER_USES_report pugixml fmt)
set(STEPGATE_LAYER_USES_cli boost_program_options fmt)

# First path component of a third-party header -> its name in USES. Anything else in <> counts as std or POSIX.
set(STEPGATE_INCLUDE_OWNERS
  "boost/math=boost_math" "boost/program_options=boost_program_options" "boost/context=boost_context"
  "boost/=boost_other"
  "nlohmann/=nlohmann" "fmt/=fmt" "hwloc=hwloc" "pugixml=pugixml" "benchmark/=benchmark"
  "torch/=torch" "ATen/=torch" "c10/=torch" "cuda=cuda" "nvtx3/=cuda" "nvml=cuda" "openssl/=openssl" "gtest/=gtest")

set(STEPGATE_LINK_boost_math Boost::headers)
set(STEPGATE_LINK_boost_program_options Boost::program_options)
set(STEPGATE_LINK_nlohmann nlohmann_json::nlohmann_json)
set(STEPGATE_LINK_fmt fmt::fmt)
set(STEPGATE_LINK_hwloc PkgConfig::hwloc)
set(STEPGATE_LINK_pugixml pugixml::pugixml)

# Stops the configuration where a file of `layer` includes what its layer may not.
function(stepgate_check_includes layer)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.h ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  set(allowed ${layer} ${STEPGATE_LAYER_DEPENDS_${layer}} stepgate)
  foreach(file IN LISTS files)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(STRINGS ${file} lines REGEX "^#include ")
    foreach(line IN LISTS lines)
      if(line MATCHES "^#include \"([^/\"]+)/")
        if(NOT CMAKE_MATCH_1 IN_LIST allowed)
          message(FATAL_ERROR "${file}: ${line}\n  layer '${layer}' may include: ${allowed}. "
            "The arrows are in ci/cmake/layers.cmake; a new arrow needs a page in docs/decisions/.")
        endif()
      elseif(line MATCHES "^#include \"")
        message(FATAL_ERROR "${file}: ${line}\n  name the layer: #include \"${layer}/...\"")
      elseif(line MATCHES "^#include <([^>]+)>")
        set(header ${CMAKE_MATCH_1})
        foreach(entry IN LISTS STEPGATE_INCLUDE_OWNERS)
          string(REPLACE "=" ";" pair ${entry})
          list(GET pair 0 prefix)
          list(GET pair 1 owner)
          string(FIND ${header} ${prefix} at)
          if(at EQUAL 0)
            if(NOT owner IN_LIST STEPGATE_LAYER_USES_${layer})
              message(FATAL_ERROR "${file}: ${line}\n  layer '${layer}' may use: ${STEPGATE_LAYER_USES_${layer}}. "
                "The list is in ci/cmake/layers.cmake.")
            endif()
            break()
          endif()
        endforeach()
      endif()
    endforeach()
  endforeach()
endfunction()

# stepgate_layer(<name> SOURCES a.cpp b.cpp ...): static library stepgate_<name>, linked and checked by the lists above.
function(stepgate_layer layer)
  cmake_parse_arguments(arg "" "" "SOURCES" ${ARGN})
  stepgate_check_includes(${layer})
  add_library(stepgate_${layer} STATIC ${arg_SOURCES})
  target_include_directories(stepgate_${layer} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/harness> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/harness/include>
    $<INSTALL_INTERFACE:include>)
  foreach(dependency IN LISTS STEPGATE_LAYER_DEPENDS_${layer})
    target_link_libraries(stepgate_${layer} PUBLIC stepgate_${dependency})
  endforeach()
  foreach(use IN LISTS STEPGATE_LAYER_USES_${layer})
    if(STEPGATE_LINK_${use})
      target_link_libraries(stepgate_${layer} PUBLIC ${STEPGATE_LINK_${use}})
    endif()
  endforeach()
  stepgate_strict(stepgate_${layer})
  stepgate_header_selfcontainment(${layer} stepgate_${layer})
endfunction()

# Each header must compile alone.
function(stepgate_header_selfcontainment layer target)
  if(NOT STEPGATE_BUILD_TESTS OR STEPGATE_SANITIZE)
    return()  # nothing that a sanitizer could see
  endif()
  file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
  set(all "")
  foreach(header IN LISTS headers)
    get_filename_component(name ${header} NAME)
    string(APPEND all "#include \"${layer}/${name}\"\n")
    set(probe ${CMAKE_CURRENT_BINARY_DIR}/selfcontained/${name}.cpp)
    if(layer STREQUAL measure)
      continue()  # LibTorch headers take 14 s each: measure/ has one probe for all, below
    endif()
    file(CONFIGURE OUTPUT ${probe} CONTENT "#include \"${layer}/${name}\"\n#include \"${layer}/${name}\"\n")
    list(APPEND probes ${probe})
  endforeach()
  if(probes)
    add_library(${target}_headers OBJECT ${probes})
    target_link_libraries(${target}_headers PRIVATE ${target})
    stepgate_strict(${target}_headers)
  endif()
endfunction()
