#include "diagnose/inference/recording_lines.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/text/source_text.h"
#include "diagnose/patterns/site_reading.h"
#include "diagnose/work/source_of_change.h"

namespace stepgate {
namespace {

using CallStack = std::vector<SourceFrame>;

const CallStack* stack_of(const ObservedWork& work, const OperatorSite& site) {
  const bool known = site.place && *site.place < work.places.size() && !work.places[*site.place].frames.empty();
  return known ? &work.places[*site.place].frames : nullptr;
}

/// The sites with a known place, the largest value first.
std::vector<const OperatorSite*> placed_sites(const ObservedWork& work, std::int64_t OperatorSite::*value) {
  std::vector<const OperatorSite*> sites;
  for (const OperatorSite& site : work.sites) {
    if (site.*value > 0 && stack_of(work, site) != nullptr) sites.push_back(&site);
  }
  std::stable_sort(sites.begin(), sites.end(),
                   [&](const OperatorSite* a, const OperatorSite* b) { return a->*value > b->*value; });
  return sites;
}

/// CallStack from the outermost one inwards that both stacks have.
std::size_t common_calls(const CallStack& one, const CallStack& other) {
  const auto differ = std::mismatch(one.rbegin(), one.rend(), other.rbegin(), other.rend());
  return static_cast<std::size_t>(differ.first - one.rbegin());
}

}  // namespace

std::vector<SourceFrame> recording_lines(const ObservedWork& work) {
  const auto sites = placed_sites(work, &OperatorSite::saved_bytes);
  if (sites.empty()) return {};
  const CallStack& first = *stack_of(work, *sites.front());
  std::size_t common = first.size();
  for (const OperatorSite* site : sites) common = std::min(common, common_calls(first, *stack_of(work, *site)));
  if (common > 0) {
    const SourceFrame& innermost = first[first.size() - common];
    if (!source_text(innermost).empty()) return {innermost};
  }
  std::vector<SourceFrame> lines;
  for (const OperatorSite* site : sites) add_sources({stack_of(work, *site)->front()}, lines);
  return lines;
}

std::vector<SourceFrame> training_lines(const ObservedWork& work) {
  constexpr std::array<std::string_view, 4> told = {"aten::batch_norm", "aten::instance_norm", "aten::dropout",
                                                    "aten::rrelu"};
  std::vector<SourceFrame> lines;
  for (const OperatorSite* site : placed_sites(work, &OperatorSite::calls)) {
    const bool depends_on_mode = std::find(told.begin(), told.end(), site->name) != told.end();
    if (depends_on_mode && first_flag(*site).value_or(false)) add_sources({stack_of(work, *site)->front()}, lines);
  }
  return lines;
}

}  // namespace stepgate
