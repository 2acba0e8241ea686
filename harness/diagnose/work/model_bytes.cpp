#include "diagnose/work/model_bytes.h"

#include <algorithm>
#include <string>

#include "diagnose/both_sides.h"

namespace stepgate {
namespace {

std::int64_t bytes_of(const MemoryLedger& ledger, const std::string& kind) {
  const auto at = ledger.bytes.find(kind);
  return at == ledger.bytes.end() ? 0 : at->second;
}

/// How much a kind of live memory rose; 0 where a ledger is missing.
std::int64_t rise_of(const JudgedComparison& input, const std::string& kind) {
  const Baseline* baseline = work_baseline(input);
  if (baseline == nullptr || !baseline->ledger || !input.current.ledger) return 0;
  return bytes_of(*input.current.ledger, kind) - bytes_of(*baseline->ledger, kind);
}

}  // namespace

std::int64_t more_parameter_bytes(const JudgedComparison& input) { return rise_of(input, "parameters"); }

bool has_equal_parameters(const JudgedComparison& input) {
  return input.current.ledger && bytes_of(*input.current.ledger, "parameters") > 0 && work_baseline(input) != nullptr &&
         work_baseline(input)->ledger && more_parameter_bytes(input) == 0;
}

std::int64_t more_model_bytes(const JudgedComparison& input) {
  std::int64_t bytes = 0;
  for (const char* kind : {"parameters", "gradients", "optimizer_state"})
    bytes += std::max<std::int64_t>(0, rise_of(input, kind));
  return bytes;
}

}  // namespace stepgate
