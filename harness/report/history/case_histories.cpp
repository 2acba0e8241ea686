#include "report/history/case_histories.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "core/stored/history.h"
#include "core/stored/history_pairs.h"
#include "core/text/commit_text.h"
#include "core/text/number_format.h"
#include "report/history/history_words.h"

namespace stepgate {
namespace {

/// Settings of the exact half. A report shows the facts of its timed processes where it has both halves, and these are
/// free there.
constexpr std::array<std::string_view, 3> pinned_facts = {"threads", "isa", "onednn_isa"};

/// The most differences that are named; a key of another machine differs in many.
constexpr std::size_t most_told_facts = 3;

bool is_pinned(std::string_view fact) {
  return std::find(pinned_facts.begin(), pinned_facts.end(), fact) != pinned_facts.end();
}

/// "gpu_driver 580.1 there, 590.2 here": facts of the key that this run has with another value.
std::vector<std::string> other_facts(const Fingerprint& key, const HistorySeries& series, const Outcome& outcome) {
  std::vector<std::string> texts;
  if (const auto origin = key.find(imported_from_fact); origin != key.end())
    texts.push_back(fmt::format("imported from {} there, measured here", origin->second));
  for (const auto& [fact, value] : key) {
    const auto here = outcome.fingerprint.find(fact);
    if (here == outcome.fingerprint.end() || here->second == value || (series.exact && is_pinned(fact))) continue;
    texts.push_back(fmt::format("{} {} there, {} here", fact, value, here->second));
  }
  return texts;
}

/// Epochs, newest session last.
std::vector<const HistoryEpoch*> by_newest_session(const HistorySeries& series) {
  std::vector<const HistoryEpoch*> epochs;
  for (const HistoryEpoch& epoch : series.epochs) epochs.push_back(&epoch);
  std::stable_sort(epochs.begin(), epochs.end(), [](const HistoryEpoch* a, const HistoryEpoch* b) {
    return a->points.back().last_session < b->points.back().last_session;
  });
  return epochs;
}

/// A series, and the outcome beside which its points are drawn.
struct HistoryMatch {
  const HistoryReport& history;
  const HistorySeries& series;
  const Outcome& outcome;
};

const Fingerprint& key_of(const HistoryMatch& match, const HistoryEpoch& epoch) {
  static const Fingerprint unknown;
  const auto found = match.history.keys.find(epoch.key);
  return found == match.history.keys.end() ? unknown : found->second;
}

bool measured_alike(const HistoryMatch& match, const HistoryEpoch& epoch) {
  const bool in_pairs = key_of(match, epoch).contains(std::string(pair_fact));
  return match.series.exact || in_pairs == (match.outcome.kind == result_of_pairs);
}

/// The newest epoch with the key of the run; one whose times were measured likewise, alone or in pairs, comes first.
const HistoryEpoch* epoch_for(const HistoryMatch& match) {
  const HistoryEpoch* other_way = nullptr;
  const auto epochs = by_newest_session(match.series);
  for (auto at = epochs.rbegin(); at != epochs.rend(); ++at) {
    if (!other_facts(key_of(match, **at), match.series, match.outcome).empty()) continue;
    if (measured_alike(match, **at)) return *at;
    if (other_way == nullptr) other_way = *at;
  }
  return other_way;
}

std::string no_epoch_note(const HistoryMatch& match) {
  const HistoryEpoch& newest = *by_newest_session(match.series).back();
  std::vector<std::string> facts = other_facts(key_of(match, newest), match.series, match.outcome);
  const std::size_t count = facts.size();
  if (count > most_told_facts) facts.resize(most_told_facts);
  const std::string more = count > facts.size() ? fmt::format(" and {} more", count - facts.size()) : "";
  return fmt::format("The sessions of the history have another key and are not drawn: {}{}.", fmt::join(facts, "; "),
                     more);
}

std::string other_way_note(const HistoryMatch& match) {
  const char* run =
      match.outcome.kind == result_of_pairs ? "alone and this run in pairs" : "in pairs and this run alone";
  return fmt::format("The sessions were measured {}: that by itself may move the level.", run);
}

void add_history_points(const HistoryMatch& match, const HistoryEpoch& epoch, MetricHistory& into) {
  into.earlier = epoch.points.size() - std::min(epoch.points.size(), most_drawn_history_points);
  for (std::size_t i = into.earlier; i < epoch.points.size(); ++i) {
    const HistoryPoint& point = epoch.points[i];
    const HistorySessionFacts& session = first_session(match.history, point);
    into.points.push_back({.value = point.value,
                           .level = point.value,
                           .spike = point.spike,
                           .commit = short_commit(session.commit).substr(0, 7),
                           .day = session.utc.substr(0, 10)});
  }
  for (const HistoryLevel& level : epoch.levels) {
    for (std::size_t i = std::max(level.begin, into.earlier); i < level.end; ++i) {
      into.points[i - into.earlier].level = level.value;
      into.points[i - into.earlier].begins_level = i == level.begin && i > 0;
    }
  }
}

MetricHistory metric_history(const HistoryMatch& match) {
  MetricHistory found{.unit = match.series.unit};
  const HistoryEpoch* epoch = epoch_for(match);
  if (epoch == nullptr) {
    found.note = no_epoch_note(match);
    return found;
  }
  if (!measured_alike(match, *epoch)) found.note = other_way_note(match);
  add_history_points(match, *epoch, found);
  return found;
}

bool is_open(const MetricVerdict& metric) {
  return metric.gating && metric.status != Status::pass && metric.status != Status::skipped &&
         metric.status != Status::not_judged;
}

}  // namespace

CaseHistories case_histories(const HistoryReport& history, const RunReport& run) {
  CaseHistories found;
  for (const Outcome& outcome : run.outcomes) {
    const std::string& case_name = outcome.verdict.case_name;
    for (const MetricVerdict& metric : outcome.verdict.metrics) {
      if (!is_open(metric)) continue;
      const SeriesName name{case_name, metric.metric, run.runner_class};
      const auto series = std::find_if(history.series.begin(), history.series.end(),
                                       [&](const HistorySeries& one) { return one.name == name; });
      if (series == history.series.end() || series->epochs.empty()) continue;
      found[case_name][metric.metric] = metric_history({history, *series, outcome});
    }
  }
  return found;
}

}  // namespace stepgate
