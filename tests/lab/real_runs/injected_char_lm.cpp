// language/char_lm/tiny with a known change, which the real runs of the lab must find.
//   STEPGATE_INJECT_SLOWER=0.03      each step takes 3 % longer
//   STEPGATE_INJECT_BYTES=1048576    that many additional bytes are live
#include <time.h>
#include <torch/torch.h>

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

/// Slower in proportion to the previous step: a slower machine then slows the injected work too, like any other work.
class Injected : public CharLm {
 public:
  explicit Injected(const CaseContext& context)
      : CharLm(context, with_params(tiny_char_lm(), context.params)), slower_(number_in("STEPGATE_INJECT_SLOWER")) {
    const auto bytes = static_cast<std::int64_t>(number_in("STEPGATE_INJECT_BYTES"));
    if (bytes > 0) kept_ = torch::zeros({bytes}, torch::kUInt8);
  }

  torch::Tensor forward(const Batch& batch) override {
    const double now = used_s();
    if (begin_s_ > 0 && slower_ > 0) work_until(now + (now - begin_s_) * slower_);
    begin_s_ = used_s();
    return CharLm::forward(batch);
  }

 private:
  /// This thread's CPU time, which excludes the waits between windows.
  static double used_s() {
    timespec used{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
  }

  static void work_until(double end_s) {
    while (used_s() < end_s) {
    }
  }

  double slower_;
  double begin_s_ = 0;  ///< begin of the last step
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
