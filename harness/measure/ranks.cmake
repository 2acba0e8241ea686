# Several processes that train one case together: starting them, their wires, one record out of theirs.
target_sources(stepgate_measure_loop PRIVATE
  rank_link.cpp rank_merge.cpp rank_merge_exact.cpp rank_merge_timed.cpp rank_processes.cpp rank_share.cpp
  rank_start.cpp train_together.cpp)
target_link_libraries(stepgate_measure_loop PUBLIC stepgate_json)
if(TARGET stepgate_measure_loop_headers)
  foreach(name rank_link rank_merge rank_merge_parts rank_processes rank_seat rank_share rank_start train_together)
    set(probe ${CMAKE_CURRENT_BINARY_DIR}/selfcontained/${name}.cpp)
    file(CONFIGURE OUTPUT ${probe} CONTENT "#include \"measure/${name}.h\"\n#include \"measure/${name}.h\"\n")
    target_sources(stepgate_measure_loop_headers PRIVATE ${probe})
  endforeach()
endif()
