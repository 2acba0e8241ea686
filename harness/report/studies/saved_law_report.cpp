#include "report/studies/saved_law_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <vector>

#include "core/text/number_format.h"
#include "report/text/clean_text.h"
#include "report/text/text_table.h"

namespace stepgate {
namespace {

std::string whole_text(std::int64_t number) { return count_text(static_cast<double>(number)); }

double bytes_per_token(const SavedStep& step) {
  return static_cast<double>(step.bytes) / static_cast<double>(step.rows * step.length);
}

/// "length=16"
std::string setting_text(const SavedLawStudy& study, const SavedSetting& setting) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(study.parameters.size(), setting.values.size()); ++i) {
    parts.push_back(study.parameters[i] + "=" + setting.values[i]);
  }
  return terminal_text(fmt::format("{}", fmt::join(parts, " ")), false);
}

struct Row {
  std::string setting;
  SavedStep step;
};

/// Each size once for a setting.
std::vector<Row> rows_of(const SavedLawStudy& study) {
  std::vector<Row> rows;
  for (const SavedSetting& setting : study.settings) {
    const std::string name = setting_text(study, setting);
    for (const SavedStep& step : setting.steps) {
      const bool known = std::any_of(rows.begin(), rows.end(),
                                     [&](const Row& row) { return row.setting == name && row.step == step; });
      if (!known) rows.push_back({name, step});
    }
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return bytes_per_token(a.step) < bytes_per_token(b.step); });
  return rows;
}

std::string table_text(const SavedLawStudy& study) {
  std::vector<std::vector<std::string>> cells = {{"setting", "rows", "length T", "saved bytes", "per token"}};
  for (const Row& row : rows_of(study)) {
    cells.push_back({row.setting, whole_text(row.step.rows), whole_text(row.step.length), whole_text(row.step.bytes),
                     fmt::format("{:.1f}", bytes_per_token(row.step))});
  }
  std::string text;
  for (const std::string& line :
       table_of(cells, {Align::left, Align::right, Align::right, Align::right, Align::right})) {
    text += "  " + line + "\n";
  }
  for (const SavedSetting& setting : study.settings) {
    if (!setting.failure.empty())
      text += fmt::format("  {}: {}\n", setting_text(study, setting), terminal_text(setting.failure, false));
  }
  return text;
}

std::set<std::int64_t> lengths_of(const SavedLawStudy& study) {
  std::set<std::int64_t> lengths;
  for (const SavedSetting& setting : study.settings) {
    for (const SavedStep& step : setting.steps) lengths.insert(step.length);
  }
  return lengths;
}

bool nothing_measured(const SavedLawStudy& study) {
  return !study.settings.empty() &&
         std::all_of(study.settings.begin(), study.settings.end(),
                     [](const SavedSetting& setting) { return setting.steps.empty() && !setting.failure.empty(); });
}

/// For the lengths that were measured and for twice the longest.
std::string fitting_text(const SavedLawStudy& study, const SavedLaw& law, std::int64_t memory_bytes) {
  std::string text =
      fmt::format("\nlargest batch whose saved bytes fit in {} (parameters, gradients and temporaries come on top):\n",
                  exact_bytes_text(memory_bytes));
  std::set<std::int64_t> lengths = lengths_of(study);
  if (!lengths.empty()) lengths.insert(2 * *lengths.rbegin());
  for (const std::int64_t length : lengths) {
    const auto rows = most_rows(law, length, memory_bytes);
    text += fmt::format("  length {}: {}\n", whole_text(length), rows ? counted(*rows, "row") : "any number of rows");
  }
  return text;
}

std::string growth_text(const SavedLaw& law, std::int64_t most) {
  if (law.growth <= most)
    return fmt::format("\ngrowth {} B per token and length, at most {} allowed: holds\n", law.growth, most);
  return fmt::format(
      "\ngrowth {} B per token and length, at most {} allowed: exceeded. Something of the size length x length is kept "
      "for each row: look for attention that is written out, and use torch::scaled_dot_product_attention().\n",
      law.growth, most);
}

}  // namespace

std::string law_text(const SavedLaw& law) {
  std::string text = fmt::format("saved bytes per token = {} + {} T exactly", whole_text(law.per_token), law.growth);
  const auto add = [&](std::int64_t bytes, const char* of_what) {
    if (bytes != 0) text += fmt::format(", and {}{}", whole_text(bytes), of_what);
  };
  add(law.per_row, " bytes a row");
  add(law.per_position, " T bytes a step");
  add(law.per_pair, " T^2 bytes a step");
  add(law.fixed, " bytes a step");
  return text;
}

std::string render_saved_law(const SavedLawStudy& study, const SavedLawQuestion& question) {
  std::string text =
      fmt::format("{}: bytes saved for backward\n\n{}\n", terminal_text(study.case_name, false), table_text(study));
  if (study.fit.law) {
    text += fmt::format("{}\nholds for {} to the byte, {} of them beyond those that it was found from\n",
                        law_text(*study.fit.law), counted(study.fit.law->sizes, "size"), study.fit.law->checked);
  } else if (nothing_measured(study)) {
    text += "no law: no setting was measured; what failed stands beside each setting above\n";
  } else {
    text += fmt::format("no such law: {}\n", terminal_text(study.fit.reason, false));
  }
  if (study.interrupted) text += "interrupted: some settings were not measured\n";
  if (study.fit.law && question.memory_bytes) text += fitting_text(study, *study.fit.law, *question.memory_bytes);
  if (study.fit.law && question.most_growth) text += growth_text(*study.fit.law, *question.most_growth);
  return text;
}

}  // namespace stepgate
