#include "experiment/nodes/node_machines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <set>
#include <string_view>
#include <vector>

namespace stepgate {
namespace {

constexpr std::array<std::string_view, 5> telling_facts = {"cpu_model", "gpu", "gpu_driver", "torch", "cuda_runtime"};

void add_telling(const Fingerprint& facts, Fingerprint& machine) {
  for (const std::string_view name : telling_facts) {
    const auto at = facts.find(std::string(name));
    if (at != facts.end()) machine.insert(*at);
  }
}

void add_facts_of(const Measurement& measurement, Fingerprint& machine) {
  add_telling(measurement.host, machine);
  for (const Replicate& replicate : measurement.replicates) {
    if (replicate.record) add_telling(replicate.record->fingerprint, machine);
  }
}

/// Facts of which the nodes that know them have several values.
std::set<std::string> differing(const std::map<std::string, Fingerprint>& by_place) {
  std::map<std::string, std::set<std::string>> values;
  for (const auto& [place, facts] : by_place) {
    for (const auto& [name, value] : facts) values[name].insert(value);
  }
  std::set<std::string> names;
  for (const auto& [name, different] : values) {
    if (different.size() > 1) names.insert(name);
  }
  return names;
}

}  // namespace

Fingerprint machine_facts(const NodeResult& result) {
  Fingerprint machine;
  add_facts_of(result.base, machine);
  for (const Measurement& setting : result.settings) add_facts_of(setting, machine);
  return machine;
}

std::string unlike_nodes(const std::map<std::string, Fingerprint>& by_place) {
  const std::set<std::string> names = differing(by_place);
  std::vector<std::string> nodes;
  for (const auto& [place, facts] : by_place) {
    std::vector<std::string> own;
    for (const std::string& name : names) {
      const auto at = facts.find(name);
      if (at != facts.end()) own.push_back(name + " " + at->second);
    }
    if (!own.empty()) nodes.push_back(fmt::format("{}: {}", place, fmt::join(own, ", ")));
  }
  return fmt::format("{}", fmt::join(nodes, "; "));
}

}  // namespace stepgate
