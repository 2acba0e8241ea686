// What a tree changes of its limits, in the words that every report uses.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/verdict/run_report.h"

namespace stepgate {

/// One change: "loosened", "policy language: margins.matter 0.05 -> 999".
struct LimitLine {
  std::string_view label;
  std::string text;
  bool loosens = false;
};

/// Every change, loosened ones first, then what could not be compared.
std::vector<LimitLine> limit_lines(const LimitReview& review);

/// Whether there is anything to tell: a change, or something that could not be compared.
bool tells_limits(const RunReport& report);

/// "Limits of this tree, against the base 4be1c0ffee12"
std::string limits_heading(const LimitReview& review);

/// "3 limits loosened without consent", "2 limits loosened, allowed by jane"; "" where none is loosened.
std::string loosened_words(const RunReport& report);

/// The two ways out where consent is missing; otherwise "".
std::string consent_advice(const LimitReview& review);

/// A baseline edited in a thousand places must not hide the verdicts: a report for a person shows so many changes.
inline constexpr std::size_t shown_limit_lines = 30;

/// The first `most` lines, and a line that counts the others.
std::vector<LimitLine> first_lines(std::vector<LimitLine> lines, std::size_t most);

}  // namespace stepgate
