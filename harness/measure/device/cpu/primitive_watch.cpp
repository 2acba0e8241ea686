#include "measure/device/cpu/primitive_watch.h"

#include <ATen/Context.h>
#include <ATen/native/verbose_wrapper.h>

#include "measure/device/cpu/captured_stdout.h"
#include "measure/device/cpu/primitive_lines.h"

namespace stepgate {
namespace {

/// Lines for primitives that are made, and for those that run.
constexpr int with_creations = 2;
constexpr int silent = 0;

class VerbosePrimitives final : public PrimitiveWatch {
 public:
  VerbosePrimitives() { torch::verbose::_mkldnn_set_verbose(with_creations); }
  ~VerbosePrimitives() override { torch::verbose::_mkldnn_set_verbose(silent); }
  VerbosePrimitives(const VerbosePrimitives&) = delete;
  VerbosePrimitives& operator=(const VerbosePrimitives&) = delete;

  void begin_step() override { read(); }
  std::int64_t end_step() override { return read(); }

 private:
  std::int64_t read() {
    const PrimitiveLines lines = primitive_lines(printed_.take());
    printed_.pass_on(lines.others);
    return lines.creations;
  }

  CapturedStdout printed_;  // before the first line is printed
};

}  // namespace

std::variant<std::unique_ptr<PrimitiveWatch>, std::string> open_primitive_watch() {
  if (!at::hasMKLDNN()) return "this LibTorch was built without oneDNN";
  return std::make_unique<VerbosePrimitives>();
}

}  // namespace stepgate
