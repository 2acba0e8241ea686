// Patterns of work that cost more than they need, found in what the observer saw of a step. The same functions serve
// causes of a red (diagnose/causes), advice and checklist of a profile.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/observed_work.h"
#include "core/verdict/finding_code.h"
#include "diagnose/patterns/pattern_match.h"

namespace stepgate {

struct Pattern {
  FindingCode code;
  std::string_view name;  ///< for a line of a checklist: "copy after a permutation"
  std::string_view advice;
  bool gpu_only = false;  ///< it costs nothing on a CPU
  std::vector<PatternMatch> (*find)(const ObservedWork&) = nullptr;
  /// Time of the observed steps that a mend wins in a boundary; null: all that the matches take there, with what they
  /// call.
  double (*won_ns)(const ObservedWork&, std::string_view boundary) = nullptr;
};

/// Every pattern that work alone shows (docs/design/causes.md, "Patterns").
std::span<const Pattern> pattern_table();

/// nullptr where there is none.
const Pattern* find_pattern(FindingCode code);

/// The user's lines of a site, innermost first; empty where they are not known.
std::vector<SourceFrame> frames_of(const ObservedWork& work, std::size_t site);

}  // namespace stepgate
