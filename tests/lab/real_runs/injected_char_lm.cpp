// language/char_lm/tiny with a known change: what the real runs of the lab must find.
//   STEPGATE_INJECT_SLOWER=0.03      each step takes 3 % longer
//   STEPGATE_INJECT_BYTES=1048576    so many bytes more are live
#include <torch/torch.h>

#include <chrono>
#include <cstdlib>
#include <memory>

#include "language/char_lm.h"
#include "stepgate/perftest.h"

namespace stepgate {
namespace {

double number_in(const char* variable) {
  const char* text = std::getenv(variable);
  return text == nullptr ? 0 : std::strtod(text, nullptr);
}

/// Slower in proportion to the step before: a machine that slows down slows the injected work as well, as it would any
/// other work.
class Injected : public CharLm {
 public:
  explicit Injected(const CaseContext& context)
      : CharLm(context, with_params(tiny_char_lm(), context.params)), slower_(number_in("STEPGATE_INJECT_SLOWER")) {
    const auto bytes = static_cast<std::int64_t>(number_in("STEPGATE_INJECT_BYTES"));
    if (bytes > 0) kept_ = torch::zeros({bytes}, torch::kUInt8);
  }

  torch::Tensor forward(const Batch& batch) override {
    const auto now = Clock::now();
    if (begin_ != Clock::time_point()) spin(now, now - begin_);
    begin_ = Clock::now();
    return CharLm::forward(batch);
  }

 private:
  using Clock = std::chrono::steady_clock;

  void spin(Clock::time_point start, Clock::duration step) const {
    if (!(slower_ > 0)) return;
    const auto end = start + std::chrono::duration_cast<Clock::duration>(step * slower_);
    while (Clock::now() < end) {
    }
  }

  double slower_;
  Clock::time_point begin_;
  torch::Tensor kept_;
};

std::unique_ptr<Workload> make(const CaseContext& context) { return std::make_unique<Injected>(context); }

}  // namespace
}  // namespace stepgate

int main(int argc, char** argv) {
  return stepgate::run_perftest(argc, argv,
                                {{.name = "language/char_lm/tiny",
                                  .make = stepgate::make,
                                  .params = stepgate::params_of(stepgate::tiny_char_lm())}});
}
