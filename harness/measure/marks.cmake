# What a training program of a user's own links, in production too: std only. With step_marks.h of include/stepgate.
add_library(stepgate_marks STATIC step_timer.cpp throughput_meter.cpp)
target_include_directories(stepgate_marks PUBLIC
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/harness/include> $<INSTALL_INTERFACE:include>)
target_compile_features(stepgate_marks PUBLIC cxx_std_20)
stepgate_strict(stepgate_marks)
set_target_properties(stepgate_marks PROPERTIES EXPORT_NAME marks)
add_library(stepgate::marks ALIAS stepgate_marks)

# Each public header that needs no LibTorch must compile alone.
if(STEPGATE_BUILD_TESTS AND NOT STEPGATE_SANITIZE)
  set(probes "")
  foreach(name boundary endless_loader host_clock step_counts step_marks step_timer throughput_meter watched_loader)
    set(probe ${CMAKE_CURRENT_BINARY_DIR}/selfcontained/public_${name}.cpp)
    file(CONFIGURE OUTPUT ${probe} CONTENT "#include \"stepgate/${name}.h\"\n#include \"stepgate/${name}.h\"\n")
    list(APPEND probes ${probe})
  endforeach()
  add_library(stepgate_public_headers OBJECT ${probes})
  target_link_libraries(stepgate_public_headers PRIVATE stepgate_marks)
  stepgate_strict(stepgate_public_headers)
endif()
