#include "report/exports/openmetrics_text.h"

#include <fmt/format.h>

#include <map>

#include "report/text/clean_text.h"

namespace stepgate {
namespace {

std::string label_value(const std::string& text) {
  std::string escaped;
  for (const char letter : xml_text(text)) {
    if (letter == '\n') {
      escaped += "\\n";
      continue;
    }
    if (letter == '"' || letter == '\\') escaped += '\\';
    escaped += letter;
  }
  return escaped;
}

/// The name of the gauge: letters, digits and '_'.
std::string gauge_name(const ExportedSeries& series) {
  std::string name = "stepgate_";
  for (const char letter : series.metric.substr(0, series.metric.find('['))) {
    const bool plain =
        (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9');
    name += plain ? letter : '_';
  }
  if (series.unit == MetricUnit::ns && name.ends_with("_ns")) name.replace(name.size() - 3, 3, "_seconds");
  return name;
}

std::string sample_line(const std::string& name, const ExportedSeries& series, const std::string& runner_class) {
  std::string labels = fmt::format("case=\"{}\"", label_value(series.case_name));
  if (const std::string member(member_name(series.metric)); !member.empty())
    labels += fmt::format(",member=\"{}\"", label_value(member));
  labels += fmt::format(",runner_class=\"{}\"", label_value(runner_class));
  const double value = name.ends_with("_seconds") ? series.value * 1e-9 : series.value;
  return fmt::format("{}{{{}}} {}\n", name, labels, value);
}

}  // namespace

std::string openmetrics_text(const ExportedRun& run) {
  std::map<std::string, std::string> samples;
  for (const ExportedSeries& series : run.series) {
    const std::string name = gauge_name(series);
    samples[name] += sample_line(name, series, run.runner_class);
  }
  std::string text;
  for (const auto& [name, lines] : samples) {
    text += fmt::format("# TYPE {} gauge\n", name);
    if (name.ends_with("_seconds")) text += fmt::format("# UNIT {} seconds\n", name);
    text += lines;
  }
  return text + "# EOF\n";
}

}  // namespace stepgate
