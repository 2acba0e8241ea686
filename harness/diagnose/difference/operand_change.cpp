#include "diagnose/difference/operand_change.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace stepgate {
namespace {

constexpr std::size_t most_lines = 4;

/// Sizes where they differ, else strides: strides follow from sizes.
std::vector<std::string> changes_of(const ObservedTensor& base, const ObservedTensor& head) {
  std::vector<std::string> changes;
  if (base.dtype != head.dtype) changes.push_back(fmt::format("{} -> {}", base.dtype, head.dtype));
  if (base.sizes != head.sizes) {
    changes.push_back(fmt::format("sizes {} -> {}", base.sizes, head.sizes));
  } else if (base.strides != head.strides) {
    changes.push_back(fmt::format("strides {} -> {}", base.strides, head.strides));
  }
  if (base.from != head.from && !base.from.empty() && !head.from.empty()) {
    changes.push_back(fmt::format("made by {} -> {}", base.from, head.from));
  }
  return changes;
}

void add_changes(std::string_view kind, const std::vector<ObservedTensor>& base,
                 const std::vector<ObservedTensor>& head, std::vector<std::string>& lines) {
  if (base.size() != head.size()) lines.push_back(fmt::format("{} {}s -> {}", base.size(), kind, head.size()));
  for (std::size_t i = 0; i < std::min(base.size(), head.size()); ++i) {
    const std::vector<std::string> changes = changes_of(base[i], head[i]);
    if (!changes.empty()) lines.push_back(fmt::format("{} {}: {}", kind, i, fmt::join(changes, ", ")));
  }
}

}  // namespace

std::vector<std::string> operand_changes(const OperatorSite& base, const OperatorSite& head) {
  std::vector<std::string> lines;
  add_changes("input", base.inputs, head.inputs, lines);
  add_changes("output", base.outputs, head.outputs, lines);
  if (lines.size() > most_lines) lines.resize(most_lines);
  return lines;
}

}  // namespace stepgate
