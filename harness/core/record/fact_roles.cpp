#include "core/record/fact_roles.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "core/record/fact_table.h"

namespace stepgate {
namespace {

std::optional<double> whole_number(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size() && number > 0;
  return whole ? std::optional(static_cast<double>(number)) : std::nullopt;
}

bool within_one_percent(const std::string& a, const std::string& b) {
  const auto first = whole_number(a);
  const auto second = whole_number(b);
  return first && second && std::abs(*first - *second) <= 0.01 * std::max(*first, *second);
}

bool is_on_cpu(const Fingerprint& found) {
  const auto device = found.find("device");
  return device != found.end() && device->second == "cpu";
}

}  // namespace

bool same_fact(std::string_view name, const std::string& a, const std::string& b) {
  if (a == b) return true;
  const FactRow* const row = find_fact(name);
  return row != nullptr && row->comparison == FactComparison::within_one_percent && within_one_percent(a, b);
}

RunnerKeyChanges runner_key_changes(const Fingerprint& stored, const Fingerprint& found) {
  RunnerKeyChanges changes;
  for (FingerprintMismatch& fact : mismatches(stored, found)) {
    const FactRow* const row = find_fact(fact.key);
    if (row == nullptr || row->runner != FactRole::undecides_times) {
      changes.mismatches.push_back(std::move(fact));
    } else if (!is_on_cpu(found)) {
      changes.of_times.push_back(std::move(fact));
    }
  }
  return changes;
}

}  // namespace stepgate
