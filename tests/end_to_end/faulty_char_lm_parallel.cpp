// The workload of language/char_lm_parallel/tiny with two micro-steps and one fault, which STEPGATE_TEST_FAULT selects:
// usual mistakes in data-parallel training, and ranks that end too early.
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "language/char_lm_parallel.h"
#include "stepgate/perftest.h"

namespace stepgate {
namespace {

/// Short, so that the test of a hanging rank ends soon.
constexpr RankPatience patience = {.exchange = std::chrono::seconds{3}};

CharLmParallelSize accumulating() {
  CharLmParallelSize size = tiny_char_lm_parallel();
  size.micro_steps = 2;
  return size;
}

CharLmParallelSize size_of(const CaseContext& context) { return with_params(accumulating(), context.params); }

class Parallel : public CharLmParallel {
 public:
  Parallel(const CaseContext& context, const CharLmParallelSize& size)
      : CharLmParallel(context, size, load_python_sources(context.data_dir), join_ranks(context, patience)) {}
};

std::unique_ptr<Workload> make_unchanged(const CaseContext& context) {
  return std::make_unique<Parallel>(context, size_of(context));
}

/// Gradients are exchanged after each micro-step, twice as often as needed.
std::unique_ptr<Workload> make_sync_each(const CaseContext& context) {
  CharLmParallelSize size = size_of(context);
  size.sync_each = true;
  return std::make_unique<Parallel>(context, size);
}

/// Each rank draws different weights.
std::unique_ptr<Workload> make_other_weights(const CaseContext& context) {
  torch::manual_seed(context.seed + static_cast<std::uint64_t>(context.rank));
  return make_unchanged(context);
}

/// Rank 1 ends or hangs in the third step of each pass.
template <void (*final_act)()>
class SecondRankEnds : public Parallel {
 public:
  explicit SecondRankEnds(const CaseContext& context) : Parallel(context, size_of(context)), rank_(context.rank) {}
  torch::Tensor forward(const Batch& batch) override {
    if (++steps_ == 3 && rank_ == 1) final_act();
    return Parallel::forward(batch);
  }

 private:
  std::int64_t rank_;
  std::int64_t steps_ = 0;
};

void fail() { throw std::runtime_error("the second rank is broken"); }

void crash() { std::raise(SIGSEGV); }

void hang() {
  for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
}

template <typename Faulty>
std::unique_ptr<Workload> make(const CaseContext& context) {
  return std::make_unique<Faulty>(context);
}

struct Fault {
  std::string_view name;
  std::unique_ptr<Workload> (*make)(const CaseContext&);
};

constexpr auto faults = std::to_array<Fault>({
    {"none", make_unchanged},
    {"sync_each", make_sync_each},
    {"other_weights", make_other_weights},
    {"throw", make<SecondRankEnds<fail>>},
    {"crash", make<SecondRankEnds<crash>>},
    {"hang", make<SecondRankEnds<hang>>},
});

const Fault* find_fault(std::string_view name) {
  for (const Fault& fault : faults) {
    if (fault.name == name) return &fault;
  }
  return nullptr;
}

}  // namespace
}  // namespace stepgate

int main(int argc, char** argv) {
  const char* asked = std::getenv("STEPGATE_TEST_FAULT");
  const auto* fault = stepgate::find_fault(asked == nullptr ? "none" : asked);
  if (fault == nullptr) {
    std::fprintf(stderr, "faulty_char_lm_parallel: STEPGATE_TEST_FAULT=%s is not known\n", asked);
    return 2;
  }
  return stepgate::run_perftest(argc, argv,
                                {{.name = "language/char_lm_parallel/tiny",
                                  .make = fault->make,
                                  .params = stepgate::params_of(stepgate::accumulating()),
                                  .ranks = 2}});
}
