#include "core/stored/function_calls.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <unordered_map>

namespace stepgate {
namespace {

struct CalledFrom {
  SourceFrame caller;
  std::string callee;

  bool operator<(const CalledFrom& other) const {
    return std::tie(caller.function, caller.file, caller.line, callee) <
           std::tie(other.caller.function, other.caller.file, other.caller.line, other.callee);
  }
};

/// Way from the call to an operator, as a hash of its frames -> calls of the operator on it.
using WaysBelow = std::unordered_map<std::size_t, std::int64_t>;

std::size_t joined(std::size_t hash, std::size_t more) {
  constexpr std::size_t golden_ratio = 0x9e3779b97f4a7c15;  // spreads the bits, as hashes are usually combined
  return hash ^ (more + golden_ratio + (hash << 6U) + (hash >> 2U));
}

std::size_t hash_of(const SourceFrame& frame) {
  const std::hash<std::string> text;
  return joined(joined(text(frame.function), text(frame.file)), std::hash<std::int64_t>{}(frame.line));
}

const std::vector<SourceFrame>* frames_at(const ObservedWork& work, const OperatorSite& site) {
  const bool known = !site.for_forward && site.place && *site.place < work.places.size();
  return known ? &work.places[*site.place].frames : nullptr;
}

}  // namespace

std::vector<CallFromLine> calls_from_lines(const ObservedWork& work) {
  std::map<CalledFrom, WaysBelow> found;
  for (const OperatorSite& site : work.sites) {
    const auto* frames = frames_at(work, site);
    if (frames == nullptr) continue;
    std::size_t way = joined(std::hash<std::string>{}(site.boundary), std::hash<std::string>{}(site.name));
    if (site.parent.empty() && !frames->empty()) found[{frames->front(), site.name}][way] += site.calls;
    for (std::size_t i = 0; i < frames->size(); ++i) {
      way = joined(way, hash_of((*frames)[i]));
      const SourceFrame caller = i + 1 < frames->size() ? (*frames)[i + 1] : SourceFrame{};
      if (!(*frames)[i].function.empty()) found[{caller, (*frames)[i].function}][way] += site.calls;
    }
  }
  std::vector<CallFromLine> calls;
  for (const auto& [from, ways] : found) {
    const auto [least, most] =
        std::minmax_element(ways.begin(), ways.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    calls.push_back({from.caller, {from.callee, least->second, most->second}});
  }
  return calls;
}

FunctionCalls function_calls(const ObservedWork& work) {
  FunctionCalls calls;
  for (const CallFromLine& call : calls_from_lines(work)) calls[call.caller.function].push_back(call.call);
  return calls;
}

}  // namespace stepgate
