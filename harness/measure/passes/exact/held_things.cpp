#include "measure/passes/exact/held_things.h"

#include <algorithm>

namespace stepgate {

std::optional<HeldThing> what_rose(const HeldThings& before, const HeldThings& after) {
  HeldThings rises = after;
  for (const auto& [thing, amount] : before) rises[thing] -= amount;
  std::map<std::string, std::int64_t> by_kind;
  for (const auto& [thing, rise] : rises) by_kind[thing.kind] += rise;
  const auto by_amount = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto kind = std::max_element(by_kind.begin(), by_kind.end(), by_amount);
  if (kind == by_kind.end() || kind->second <= 0) return std::nullopt;
  std::erase_if(rises, [&](const auto& entry) { return entry.first.kind != kind->first; });
  return std::max_element(rises.begin(), rises.end(), by_amount)->first;
}

}  // namespace stepgate
