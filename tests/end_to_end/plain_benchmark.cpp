// An ordinary Google Benchmark program that does not use stepgate, with valid and invalid benchmarks.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <limits>

namespace {

#ifdef SLOWER
constexpr std::int64_t repeat = 4;
#else
constexpr std::int64_t repeat = 1;
#endif

/// Each multiplication waits for the one before, so the time depends on the CPU's clock only and not on caches.
std::uint64_t chain(std::int64_t length) {
  std::uint64_t value = 1;
  for (std::int64_t i = 0; i < length * repeat; ++i) {
    value = value * 6364136223846793005ULL + 1442695040888963407ULL;
    benchmark::DoNotOptimize(value);
  }
  return value;
}

void BM_Chain(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(chain(state.range(0)));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_Chain)->Arg(20000)->UseRealTime()->MinTime(0.1);
BENCHMARK(BM_Chain)->Arg(20000)->UseRealTime()->MinTime(0.1)->Threads(2);

void BM_OddCounters(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(chain(1000));
  state.counters["ratio"] = std::numeric_limits<double>::quiet_NaN();
  state.counters["limit"] = -std::numeric_limits<double>::infinity();
}
BENCHMARK(BM_OddCounters)->MinTime(0.01)->UseRealTime();

void BM_Crashes(benchmark::State& state) {
  for (auto _ : state) std::abort();
}
BENCHMARK(BM_Crashes);

void BM_GivesUp(benchmark::State& state) {
  for (auto _ : state) {
    state.SkipWithError("the table \"prices\" is missing");
    break;
  }
}
BENCHMARK(BM_GivesUp);

}  // namespace
