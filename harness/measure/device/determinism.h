// LibTorch's deterministic mode, and what it cannot give. The numerics pass and the self-test of a GPU share it.
#pragma once

#include <c10/util/Exception.h>

#include <exception>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace stepgate {

enum class Determinism {
  strict,           ///< an operator without a deterministic implementation throws
  where_it_exists,  ///< such an operator warns and runs; attention then takes its non-deterministic backward
};

/// LibTorch's deterministic mode for the lifetime of this object; the destructor restores the settings. It does not
/// fill uninitialised memory, because that would add work.
class DeterministicScope {
 public:
  explicit DeterministicScope(Determinism wanted);
  ~DeterministicScope();
  DeterministicScope(const DeterministicScope&) = delete;
  DeterministicScope& operator=(const DeterministicScope&) = delete;

 private:
  bool algorithms_;
  bool warn_only_;
  bool fill_;
  bool cudnn_deterministic_;
  bool cudnn_benchmark_;
};

/// Whether LibTorch threw because an operator has no deterministic implementation, under Determinism::strict.
bool refuses_determinism(const std::exception& failure);

/// The operator that a warning of Determinism::where_it_exists names, as LibTorch writes it: "put_", "Flash Attention".
/// "" for a warning of another kind.
std::string nondeterministic_operator(std::string_view warning);

/// Collects these operators from its construction to its end, and passes each warning on, equal ones once. Make and
/// destroy it on the thread that calls backward: autograd hands the warnings of its threads to that one.
class NondeterminismWatch final : public c10::WarningHandler {
 public:
  NondeterminismWatch();
  ~NondeterminismWatch() override;
  NondeterminismWatch(const NondeterminismWatch&) = delete;
  NondeterminismWatch& operator=(const NondeterminismWatch&) = delete;

  void process(const c10::Warning& warning) override;
  /// In alphabetical order, each once.
  std::vector<std::string> operators() const;

 private:
  c10::WarningHandler* next_;
  bool warned_always_;
  mutable std::mutex mutex_;
  std::set<std::string> told_;  ///< texts of warnings
  std::set<std::string> operators_;
};

}  // namespace stepgate
