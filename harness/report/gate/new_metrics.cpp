#include "report/gate/new_metrics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "core/metric.h"

namespace stepgate {
namespace {

struct NewMetric {
  std::string metric;
  std::vector<std::string> cases;
};

/// A command that names one case or several: "stepgate baseline accept A B --reason TEXT".
struct CaseCommand {
  std::string before;  ///< the cases
  std::vector<std::string> cases;
  std::string after;
};

void add_once(const std::string& text, std::vector<std::string>& list) {
  if (!text.empty() && std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
}

/// Commands that differ in nothing but their case become one.
void add_command(const Outcome& outcome, std::vector<CaseCommand>& commands) {
  const std::string& command = outcome.accept_command;
  if (command.empty()) return;
  const std::string name = " " + outcome.verdict.case_name + " ";
  const std::size_t at = command.find(name);
  const bool named = at != std::string::npos;
  const CaseCommand own = {command.substr(0, at), {}, named ? command.substr(at + name.size()) : ""};
  auto same = std::find_if(commands.begin(), commands.end(), [&](const CaseCommand& each) {
    return each.before == own.before && each.after == own.after;
  });
  if (same == commands.end()) same = commands.insert(commands.end(), own);
  if (named) add_once(outcome.verdict.case_name, same->cases);
}

std::string command_text(const CaseCommand& command) {
  return command.cases.empty() ? command.before
                               : fmt::format("{} {} {}", command.before, fmt::join(command.cases, " "), command.after);
}

NewMetric& entry_of(const std::string& metric, std::vector<NewMetric>& found) {
  const auto at =
      std::find_if(found.begin(), found.end(), [&](const NewMetric& each) { return each.metric == metric; });
  return at == found.end() ? found.emplace_back(NewMetric{metric, {}}) : *at;
}

std::string list_of(const std::vector<NewMetric>& found) {
  std::string text;
  for (const NewMetric& each : found) {
    const std::string where = each.cases.size() == 1 ? each.cases.front() : fmt::format("{} cases", each.cases.size());
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", label_of(each.metric), where);
  }
  return text;
}

}  // namespace

NewMetrics new_metrics(const RunReport& report) {
  std::vector<NewMetric> found;
  std::vector<CaseCommand> commands;
  for (const Outcome& outcome : report.outcomes) {
    for (const MetricVerdict& metric : outcome.verdict.metrics) {
      if (!metric.gating || metric.status != Status::not_judged || metric.reason != ReasonCode::new_metric) continue;
      add_once(outcome.verdict.case_name, entry_of(metric.metric, found).cases);
      add_command(outcome, commands);
    }
  }
  NewMetrics result{.list = list_of(found), .commands = {}};
  std::transform(commands.begin(), commands.end(), std::back_inserter(result.commands), command_text);
  return result;
}

}  // namespace stepgate
