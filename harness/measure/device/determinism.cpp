#include "measure/device/determinism.h"

#include <ATen/Context.h>

#include <array>
#include <utility>

namespace stepgate {
namespace {

/// A text of LibTorch 2.9 to 2.11 that follows the name of the operator.
constexpr std::array<std::string_view, 3> after_the_name = {
    " does not have a deterministic implementation",  // Context::alertNotDeterministic()
    " defaults to a non-deterministic algorithm",     // attention, whose backward has both kinds
    " is not deterministic",
};
/// CuBLAS without a fixed workspace is not named in front of such a text.
constexpr std::string_view about_cublas = "because it uses CuBLAS";

std::string message_of_failure(const std::exception& failure) {
  const auto* torch_failure = dynamic_cast<const c10::Error*>(&failure);  // its what() contains a backtrace
  return torch_failure == nullptr ? failure.what() : torch_failure->what_without_backtrace();
}

/// Without what precedes the name: "In forward: put_" is "put_".
std::string_view last_part(std::string_view text) {
  const std::size_t colon = text.rfind(": ");
  return colon == std::string_view::npos ? text : text.substr(colon + 2);
}

}  // namespace

DeterministicScope::DeterministicScope(Determinism wanted)
    : algorithms_(at::globalContext().deterministicAlgorithms()),
      warn_only_(at::globalContext().deterministicAlgorithmsWarnOnly()),
      fill_(at::globalContext().deterministicFillUninitializedMemory()),
      cudnn_deterministic_(at::globalContext().deterministicCuDNN()),
      cudnn_benchmark_(at::globalContext().benchmarkCuDNN()) {
  at::Context& context = at::globalContext();
  context.setDeterministicAlgorithms(true, /*warn_only=*/wanted == Determinism::where_it_exists);
  context.setDeterministicFillUninitializedMemory(false);
  context.setDeterministicCuDNN(true);
  context.setBenchmarkCuDNN(false);
}

DeterministicScope::~DeterministicScope() {
  at::Context& context = at::globalContext();
  context.setDeterministicAlgorithms(algorithms_, warn_only_);
  context.setDeterministicFillUninitializedMemory(fill_);
  context.setDeterministicCuDNN(cudnn_deterministic_);
  context.setBenchmarkCuDNN(cudnn_benchmark_);
}

bool refuses_determinism(const std::exception& failure) {
  return !nondeterministic_operator(message_of_failure(failure)).empty();
}

std::string nondeterministic_operator(std::string_view warning) {
  if (warning.find(about_cublas) != std::string_view::npos) return "cuBLAS";
  for (const std::string_view after : after_the_name) {
    const std::size_t at = warning.find(after);
    if (at != std::string_view::npos && at > 0) return std::string(last_part(warning.substr(0, at)));
  }
  return "";
}

NondeterminismWatch::NondeterminismWatch()
    : next_(c10::WarningUtils::get_warning_handler()), warned_always_(c10::WarningUtils::get_warnAlways()) {
  c10::WarningUtils::set_warning_handler(this);
  c10::WarningUtils::set_warnAlways(true);  // attention warns once in a process, and a rank may have warned before
}

NondeterminismWatch::~NondeterminismWatch() {
  c10::WarningUtils::set_warnAlways(warned_always_);
  c10::WarningUtils::set_warning_handler(next_);
}

void NondeterminismWatch::process(const c10::Warning& warning) {
  {
    const std::lock_guard lock(mutex_);
    if (!told_.insert(warning.msg()).second) return;
    std::string name = nondeterministic_operator(warning.msg());
    if (!name.empty()) operators_.insert(std::move(name));
  }
  next_->process(warning);
}

std::vector<std::string> NondeterminismWatch::operators() const {
  const std::lock_guard lock(mutex_);
  return {operators_.begin(), operators_.end()};
}

}  // namespace stepgate
