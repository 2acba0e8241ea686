# Several processes that train one case together: starting them, their wires, one record out of theirs.
target_sources(stepgate_measure_loop PRIVATE
  rank_link.cpp rank_merge.cpp rank_merge_exact.cpp rank_merge_timed.cpp rank_processes.cpp rank_share.cpp
  rank_start.cpp)
if(TARGET stepgate_measure_loop_headers)
  foreach(name rank_link rank_merge rank_merge_parts rank_processes rank_share rank_start)
    set(probe ${CMAKE_CURRENT_BINARY_DIR}/selfcontained/${name}.cpp)
    file(CONFIGURE OUTPUT ${probe} CONTENT "#include \"measure/${name}.h\"\n#include \"measure/${name}.h\"\n")
    target_sources(stepgate_measure_loop_headers PRIVATE ${probe})
  endforeach()
endif()
