#include "json/records/evidence_value.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "system/nearest_name.h"

namespace stepgate {
namespace {

/// Files list the keys in the order of their names.
template <typename Value>
std::map<std::string, Value> by_name(const std::map<EvidenceKey, Value>& by_key) {
  std::map<std::string, Value> named;
  for (const auto& [key, value] : by_key) named.emplace(name_of(key), value);
  return named;
}

template <typename Value>
std::map<EvidenceKey, Value> by_known_key(const std::map<std::string, Value>& named) {
  std::map<EvidenceKey, Value> by_key;
  for (const auto& [name, value] : named) {
    if (const auto key = evidence_key_named(name)) by_key.emplace(*key, value);
  }
  return by_key;
}

[[noreturn]] void fail_unknown_evidence(const Reader& reader, std::string_view name) {
  std::vector<std::string_view> names;
  for (const EvidenceRow& row : evidence_rows) names.push_back(row.name);
  const auto nearest = nearest_name(name, names);
  reader.fail(
      fmt::format("unknown evidence \"{}\"{}", name, nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : ""));
}

}  // namespace

Json value_of(const Evidence& evidence) {
  return {{"values", by_name(evidence.values)}, {"absent", by_name(evidence.absent)}};
}

Evidence evidence_at(Reader reader) {
  return {.values = by_known_key(reader.at("values").map_of(&Reader::number)),
          .absent = by_known_key(reader.at("absent").text_map())};
}

Json value_of(const TaintLimits& limits) { return by_name(limits); }

TaintLimits taint_limits_at(const Reader& reader, double (*read)(const Reader&)) {
  TaintLimits limits;
  for (const auto& [name, value] : reader.map_of(read)) {
    const auto key = evidence_key_named(name);
    if (!key) fail_unknown_evidence(reader, name);
    limits.emplace(*key, value);
  }
  return limits;
}

}  // namespace stepgate
