# Starts processes that meet each other.
target_sources(perftests_test PRIVATE char_lm_parallel_test.cpp gradient_exchange_test.cpp)
