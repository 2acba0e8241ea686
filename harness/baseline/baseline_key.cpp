#include "baseline/baseline_key.h"

#include <string>

#include "core/record/fact_table.h"

namespace stepgate {
namespace {

Fingerprint key_of(const Fingerprint& facts, FactRole FactRow::*scope) {
  Fingerprint kept;
  for (const FactRow& row : fact_table()) {
    if (row.*scope == FactRole::recorded) continue;
    const auto at = facts.find(std::string(row.name));
    if (at != facts.end()) kept.insert(*at);
  }
  return kept;
}

}  // namespace

Fingerprint portable_key(const Fingerprint& exact_fingerprint) { return key_of(exact_fingerprint, &FactRow::portable); }

Fingerprint runner_key(const Fingerprint& timed_fingerprint) {
  Fingerprint key = key_of(timed_fingerprint, &FactRow::runner);
  const auto device = key.find("device");
  if (device != key.end() && device->second == "cpu") key.erase("gpu_driver");
  return key;
}

Fingerprint device_exact_key(const Fingerprint& exact_fingerprint) {
  Fingerprint key = key_of(exact_fingerprint, &FactRow::device);
  if (const auto driver = exact_fingerprint.find("gpu_driver"); driver != exact_fingerprint.end())
    key["gpu_driver_major"] = driver->second.substr(0, driver->second.find('.'));
  return key;
}

Fingerprint numerics_key(const Fingerprint& exact_fingerprint) {
  Fingerprint key;
  if (!is_on_emulated_gpu(exact_fingerprint)) return key;
  for (const FactRow& row : fact_table()) {
    const auto at = exact_fingerprint.find(std::string(row.name));
    const bool of_a_cpu = row.portable == FactRole::key && row.device == FactRole::recorded;
    if (of_a_cpu && at != exact_fingerprint.end()) key.insert(*at);
  }
  return key;
}

Fingerprint switches_beside_key(const Fingerprint& facts, Scope scope) {
  FactRole FactRow::*const role = scope == Scope::runner     ? &FactRow::runner
                                  : scope == Scope::portable ? &FactRow::portable
                                                             : &FactRow::device;
  Fingerprint kept;
  for (const FactRow& row : fact_table()) {
    const auto at = facts.find(std::string(row.name));
    if (row.kind == FactKind::program && row.*role == FactRole::recorded && at != facts.end()) kept.insert(*at);
  }
  return kept;
}

}  // namespace stepgate
