#include "report/studies/sweep_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "core/metric.h"
#include "core/text/number_format.h"
#include "core/text/text_lines.h"
#include "report/studies/sweep_text.h"
#include "report/text/clean_text.h"
#include "report/text/console_page.h"

namespace stepgate {
namespace {

struct Beside {
  const char* key;
  const char* heading;
};

/// Metrics that explain a throughput, in the order of the data flow; shown if any setting has them.
constexpr Beside explaining[] = {
    {"data_wait_ratio", "data wait"}, {"stall_ratio", "stall"}, {"supply_ratio", "supply"}};

MetricUnit unit_of(const Sweep& sweep) {
  const Metric* metric = find_metric(sweep.metric);
  return metric == nullptr ? MetricUnit::none : metric->unit;
}

using Cells = std::vector<std::string>;

/// The unit of a rate is in the heading, to avoid repeating it in every cell. A duration has its own unit.
std::string cell_text(MetricUnit unit, double value) {
  std::string text = quantity_text(unit, value);
  if (is_rate(unit)) text.resize(text.size() - name_of(unit).size() - 1);
  return text;
}

std::string beside_text(const std::string& key, double value) {
  if (key == "supply_ratio") return fmt::format("{:.2f}", value);
  return share_text(value);
}

bool any_has(const Sweep& sweep, const std::string& key) {
  return std::any_of(sweep.settings.begin(), sweep.settings.end(),
                     [&](const SweepSetting& setting) { return setting.beside.contains(key); });
}

Cells heading_of(const Sweep& sweep) {
  Cells cells = {""};
  for (const SweptParameter& parameter : sweep.parameters) cells.push_back(parameter.name);
  const MetricUnit unit = unit_of(sweep);
  cells.push_back(is_rate(unit) ? fmt::format("median {}", name_of(unit)) : "median");
  cells.insert(cells.end(), {"95 % interval", "behind best"});
  for (const Beside& beside : explaining) {
    if (any_has(sweep, beside.key)) cells.emplace_back(beside.heading);
  }
  return cells;
}

std::string interval_text(const Interval& interval, MetricUnit unit) {
  return fmt::format("{} .. {}", cell_text(unit, interval.lower), cell_text(unit, interval.upper));
}

std::string mark_of(const SettingRank& rank) {
  switch (rank.standing) {
    case Standing::best:
      return "best";
    case Standing::within_noise:
      return "as good";
    case Standing::behind:
      return "";
    case Standing::unknown:
      return "unknown";
    case Standing::not_ranked:
      break;
  }
  return "not ranked";
}

std::string behind_text(const SettingRank& rank) {
  if (!rank.behind) return rank.standing == Standing::unknown ? "no common round" : "";
  const std::string change = change_text(*rank.behind);
  if (!rank.behind_interval) return change + " [one round]";
  if (rank.standing == Standing::unknown) return change + " [too few rounds]";
  return change + " " + change_bounds_text(*rank.behind_interval);
}

Cells row_of(const Sweep& sweep, const SettingRank& rank) {
  const SweepSetting& setting = sweep.settings[rank.setting];
  const MetricUnit unit = unit_of(sweep);
  Cells cells = {mark_of(rank)};
  cells.insert(cells.end(), setting.values.begin(), setting.values.end());
  cells.push_back(rank.median ? cell_text(unit, *rank.median) : "-");
  cells.push_back(rank.interval ? interval_text(*rank.interval, unit) : "-");
  cells.push_back(behind_text(rank));
  for (const Beside& beside : explaining) {
    if (!any_has(sweep, beside.key)) continue;
    const auto found = setting.beside.find(beside.key);
    cells.push_back(found == setting.beside.end() ? "-" : beside_text(beside.key, found->second));
  }
  return cells;
}

std::vector<std::size_t> widths_of(const std::vector<Cells>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const Cells& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns(row[i]));
  }
  return widths;
}

/// Parameters and text are left-aligned, figures right-aligned.
std::string line_of(const Cells& row, const std::vector<std::size_t>& widths, std::size_t parameters) {
  std::string line = "  ";
  for (std::size_t i = 0; i < row.size(); ++i) {
    const bool is_text = i <= parameters || i == parameters + 3;
    if (widths[i] == 0) continue;
    line += (is_text ? padded_right(row[i], widths[i]) : padded_left(row[i], widths[i])) + "  ";
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

void add_table(const Sweep& sweep, ConsolePage& page) {
  std::vector<Cells> rows = {heading_of(sweep)};
  for (const SettingRank& rank : sweep.ranking.ranks) rows.push_back(row_of(sweep, rank));
  for (Cells& row : rows) {
    for (std::string& cell : row) cell = page.clean(cell);
  }
  const auto widths = widths_of(rows);
  for (const Cells& row : rows) page.line(line_of(row, widths, sweep.parameters.size()));
}

std::string title_of(const Sweep& sweep) {
  std::size_t processes = 0;
  for (const SweepSetting& setting : sweep.settings) processes += setting.by_round.size();
  const std::string took = sweep.seconds > 0 ? fmt::format("{:.0f} s, ", std::ceil(sweep.seconds)) : "";
  return fmt::format("{}: {} over {}, {}, {}, {}seed {}", sweep.case_name, label_of(sweep.metric),
                     counted(sweep.settings.size(), "setting"), counted(sweep.rounds, "round"),
                     counted(processes, "clean process", "clean processes"), took, sweep.seed);
}

void add_best(const Sweep& sweep, ConsolePage& page) {
  const std::string as_good = settings_text(sweep, Standing::within_noise);
  const std::string unknown = settings_text(sweep, Standing::unknown);
  page.paragraph("best", settings_text(sweep, Standing::best));
  page.paragraph("as good", as_good.empty() ? "" : as_good + ": within noise of the best");
  page.paragraph("unknown", unknown.empty() ? "" : unknown + ": too few rounds; add --replicates");
}

/// The last lines of a program usually name the error and a remedy; sweep.json has the whole output.
void add_tail(const std::string& tail, ConsolePage& page) {
  constexpr std::size_t shown = 3;
  for (const std::string& line : last_lines(tail, shown)) page.paragraph("", line);
}

void add_failures(const Sweep& sweep, ConsolePage& page) {
  for (const SettingRank& rank : sweep.ranking.ranks) {
    const SweepSetting& setting = sweep.settings[rank.setting];
    if (setting.failure.empty()) continue;
    page.paragraph("failed", setting_text(sweep, rank.setting) + ": " + setting.failure);
    add_tail(setting.output_tail, page);
  }
}

void add_nodes(const Sweep& sweep, ConsolePage& page) {
  std::map<std::string, std::int64_t> rounds;
  for (const std::string& place : sweep.places) {
    if (!place.empty()) ++rounds[place];
  }
  std::vector<std::string> nodes;
  for (const auto& [place, count] : rounds) nodes.push_back(fmt::format("{} ({})", place, counted(count, "round")));
  if (nodes.empty()) return;
  page.paragraph("note", fmt::format("each round ran on one node, so settings are compared within nodes: {}",
                                     fmt::join(nodes, ", ")));
}

void add_notes(const Sweep& sweep, ConsolePage& page) {
  add_nodes(sweep, page);
  if (sweep.cpus_had < sweep.cpus) {
    page.paragraph("note", fmt::format("threads and loader workers need {} and share {}: the gain of more of them is "
                                       "understated here",
                                       counted(sweep.cpus, "CPU"), sweep.cpus_had));
  }
  std::int64_t tainted = 0;
  for (const SweepSetting& setting : sweep.settings) tainted += setting.tainted;
  if (tainted > 0) {
    page.paragraph("note", fmt::format("{} discarded for interference from outside, after retries",
                                       counted(tainted, "process", "processes")));
  }
  if (sweep.interrupted) page.paragraph("note", "stopped by a signal: later rounds are missing");
}

}  // namespace

std::string render_sweep(const Sweep& sweep, const ConsoleStyle& style) {
  ConsolePage page(style);
  page.line(page.clean(title_of(sweep)));
  page.blank();
  add_table(sweep, page);
  page.blank();
  add_best(sweep, page);
  for (const Knee& knee : sweep.ranking.knees) page.paragraph("more?", knee.parameter + ": " + knee_text(knee));
  add_failures(sweep, page);
  add_notes(sweep, page);
  return page.text();
}

}  // namespace stepgate
