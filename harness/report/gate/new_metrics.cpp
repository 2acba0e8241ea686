#include "report/gate/new_metrics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "core/metric.h"
#include "core/verdict/new_metric_cases.h"

namespace stepgate {
namespace {

struct NewMetric {
  std::string metric;
  std::set<std::string_view> cases;  ///< of the report
};

/// A command with more names is a line that no terminal shows and few people read.
constexpr std::size_t most_named_cases = 20;

/// A command that names one case or several: "stepgate baseline accept A B --reason TEXT".
struct CaseCommand {
  std::string before;  ///< the cases
  std::vector<std::string> cases;
  std::vector<std::string> waived = {};  ///< those that --new-metrics leaves out
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
  const CaseCommand own = {
      .before = command.substr(0, at), .cases = {}, .after = named ? command.substr(at + name.size()) : ""};
  auto same = std::find_if(commands.begin(), commands.end(), [&](const CaseCommand& each) {
    return each.before == own.before && each.after == own.after;
  });
  if (same == commands.end()) same = commands.insert(commands.end(), own);
  if (!named) return;
  add_once(outcome.verdict.case_name, same->cases);
  if (!passes_without_waiver(outcome.verdict)) add_once(outcome.verdict.case_name, same->waived);
}

std::string command_text(const CaseCommand& command, const std::string& cases) {
  return fmt::format("{} {} {}", command.before, cases, command.after);
}

std::vector<std::string> texts_of(const CaseCommand& command) {
  if (command.cases.empty()) return {command.before};
  if (command.cases.size() <= most_named_cases)
    return {command_text(command, fmt::format("{}", fmt::join(command.cases, " ")))};
  std::vector<std::string> texts = {command_text(command, "--new-metrics")};
  for (const std::string& name : command.waived) texts.push_back(command_text(command, name));
  return texts;
}

NewMetric& entry_of(const std::string& metric, std::vector<NewMetric>& found) {
  const auto at =
      std::find_if(found.begin(), found.end(), [&](const NewMetric& each) { return each.metric == metric; });
  return at == found.end() ? found.emplace_back(NewMetric{metric, {}}) : *at;
}

std::string list_of(const std::vector<NewMetric>& found) {
  std::string text;
  for (const NewMetric& each : found) {
    const std::string where =
        each.cases.size() == 1 ? std::string(*each.cases.begin()) : fmt::format("{} cases", each.cases.size());
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
      if (is_new_metric(metric)) entry_of(metric.metric, found).cases.insert(outcome.verdict.case_name);
    }
    // A case that does not pass has a command of its own beside its verdict: accepting it accepts what is red, too.
    if (outcome.verdict.status == Status::pass && has_new_metric(outcome.verdict)) add_command(outcome, commands);
  }
  NewMetrics result{.list = list_of(found), .commands = {}};
  for (const CaseCommand& command : commands) {
    for (std::string& text : texts_of(command)) result.commands.push_back(std::move(text));
  }
  return result;
}

}  // namespace stepgate
