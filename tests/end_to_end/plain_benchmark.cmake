# An unmodified Google Benchmark program, and a copy of it that does four times the work.
find_package(benchmark REQUIRED)
add_executable(plain_benchmark plain_benchmark.cpp)
add_executable(plain_benchmark_slow plain_benchmark.cpp)
target_compile_definitions(plain_benchmark_slow PRIVATE SLOWER)
foreach(program plain_benchmark plain_benchmark_slow)
  target_link_libraries(${program} PRIVATE benchmark::benchmark_main)
  stepgate_strict(${program})
endforeach()
