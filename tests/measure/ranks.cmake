target_sources(measure_test PRIVATE
  rank_link_test.cpp rank_merge_test.cpp rank_processes_test.cpp rank_share_test.cpp
  train_together_test.cpp)
