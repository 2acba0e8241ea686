#include "report/studies/break_even_report.h"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <vector>

#include "core/metric.h"
#include "core/text/number_format.h"
#include "report/text/clean_text.h"
#include "report/text/text_table.h"

namespace stepgate {
namespace {

constexpr const char* not_measured = "-";

std::string value_cell(const PacedCase& one, const Metric& metric) {
  const auto found = one.values.find(std::string(metric.name));
  return found == one.values.end() ? not_measured : quantity_text(metric.unit, found->second);
}

std::string compile_cell(const PacedCase& one) {
  return one.compile_seconds ? fmt::format("{} s", *one.compile_seconds) : not_measured;
}

std::vector<std::vector<std::string>> paced_rows(const BreakEvenStudy& study) {
  std::set<std::string_view> names;
  for (const PacedCase* one : {&study.fast, &study.twin}) {
    for (const auto& [name, value] : one->values) names.insert(name);
  }
  std::vector<std::vector<std::string>> rows = {
      {"", terminal_text(study.fast.case_name, false), terminal_text(study.twin.case_name, false)}};
  if (study.fast.compile_seconds || study.twin.compile_seconds)
    rows.push_back({"compiled ahead of time", compile_cell(study.fast), compile_cell(study.twin)});
  for (const Metric& metric : known_metrics(names)) {
    rows.push_back({std::string(metric.label), value_cell(study.fast, metric), value_cell(study.twin, metric)});
  }
  return rows;
}

std::string after_text(const std::optional<std::int64_t>& steps) {
  return steps ? fmt::format("after {}", counted(*steps, "step")) : "never";
}

}  // namespace

std::string render_break_even(const BreakEvenStudy& study) {
  std::string text;
  for (const std::string& line : table_of(paced_rows(study), {Align::left, Align::right, Align::right}))
    text += line + "\n";
  text += fmt::format("\ncaught up with its twin: {}\n", after_text(study.steps));
  if (study.fast.compile_seconds)
    text += fmt::format("compiled for this run alone: {}\n", after_text(study.steps_with_compiling));
  return text;
}

}  // namespace stepgate
