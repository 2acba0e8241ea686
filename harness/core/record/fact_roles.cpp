#include "core/record/fact_roles.h"

#include <utility>

#include "core/record/fact_table.h"
#include "core/record/fingerprint_mismatches.h"

namespace stepgate {
namespace {

bool is_on_cpu(const Fingerprint& found) {
  const auto device = found.find("device");
  return device != found.end() && device->second == "cpu";
}

}  // namespace

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
