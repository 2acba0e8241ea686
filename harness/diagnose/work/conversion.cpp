#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "core/boundary.h"
#include "core/text/number_format.h"
#include "diagnose/float64_calls.h"
#include "diagnose/questions.h"
#include "diagnose/work/operator_difference.h"
#include "diagnose/work/source_of_change.h"

namespace stepgate {
namespace {

/// What Tensor::to() and Module::to() call, on a tensor that they convert and on one that is as wanted.
bool is_of_conversion(const std::string& name) {
  constexpr std::array<std::string_view, 7> operators = {"aten::to",
                                                         "aten::_to_copy",
                                                         "aten::copy_",
                                                         "aten::empty_strided",
                                                         "aten::empty_like",
                                                         "aten::empty",
                                                         "aten::_has_compatible_shallow_copy_type"};
  return std::find(operators.begin(), operators.end(), name) != operators.end();
}

bool only_converts(const std::vector<OperatorChange>& changes, std::string_view boundary) {
  return std::all_of(changes.begin(), changes.end(), [&](const OperatorChange& change) {
    return change.boundary != boundary || change.difference() <= 0 || is_of_conversion(change.name);
  });
}

std::string what_is_done(double calls, double copies) {
  if (copies <= 0)
    return fmt::format(".to() is called {} times more per step; nothing is converted, but each call is checked",
                       count_text(calls));
  const auto whole = whole_calls(copies);
  const std::string tensors =
      whole ? counted(*whole, "more tensor per step is", "more tensors per step are") : "more tensors are";
  return tensors + " converted or moved by .to()";
}

}  // namespace

std::vector<Finding> explain_conversions(const JudgedComparison& input) {
  std::vector<Finding> findings;
  if (input.verdict.status != Status::regressed) return findings;
  const auto changes = operator_difference(input);
  constexpr const char* converter = "aten::_to_copy";
  for (const Boundary boundary : all_boundaries) {
    const std::string name(name_of(boundary));
    const double calls = calls_more(changes, name, "aten::to");
    // Backward converts gradients back if forward converted: nobody wrote code for that.
    if (boundary == Boundary::backward || calls <= 0 || !only_converts(changes, name)) continue;
    const bool to_float64 = makes_float64(input, {name, converter, sources_of(input, name, converter)});
    findings.push_back(
        {.code = FindingCode::conversion_added,
         .severity = Severity::cause,
         .message = fmt::format("{}: {}{}", name, what_is_done(calls, calls_more(changes, name, converter)),
                                to_float64 ? ", to float64" : ""),
         .advice = ".to() copies wherever type or device differ: convert once, before the loop, or make "
                   "the tensor with the type and device that it needs.",
         .metric = "operators_per_step",
         .boundary = name,
         .sources = sources_of(input, name, "aten::to")});
  }
  return findings;
}

}  // namespace stepgate
