#include "report/history/history_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <vector>

#include "core/text/commit_text.h"
#include "core/text/number_format.h"
#include "core/text/shell_quoted.h"
#include "report/history/history_words.h"
#include "report/text/console_page.h"
#include "report/text/sparkline.h"

namespace stepgate {
namespace {

std::string day_of(const HistorySessionFacts& session) { return session.utc.substr(0, 10); }

std::string change_line(const HistoryReport& report, const HistoryEpoch& epoch, const HistoryChange& change) {
  const std::string state = state_text(change);
  return fmt::format("{} {}, {}{}{}", history_change_text(change), commits_text(report, epoch, change),
                     day_of(first_session(report, epoch.points[change.index])), state.empty() ? "" : ": ", state);
}

std::string drift_line(const HistoryReport& report, const HistoryEpoch& epoch) {
  const HistoryDrift& drift = *epoch.drift;
  std::vector<std::string> steps;
  for (const std::size_t step : drift.steps) {
    const HistoryChange& change = epoch.changes[step];
    steps.push_back(fmt::format("{} {}", history_change_text(change), commits_text(report, epoch, change)));
  }
  const std::string in_steps =
      steps.empty() ? "" : fmt::format(", in {}: {}", counted(steps.size(), "step"), fmt::join(steps, "; "));
  return fmt::format("{} worse (at least {}) than the {} points from {} on, found {}; now {}{}{}",
                     change_text(drift.change), change_text(drift.lower_bound), drift.stretch,
                     day_of(first_session(report, epoch.points[drift.since])),
                     day_of(last_session(report, epoch.points[drift.found])), change_text(drift.change_now),
                     drift.machine ? ": the machine, the reference case drifted too" : "", in_steps);
}

/// The points before the last level, a bar, and the points of that level. A terminal without Unicode shows none.
std::string trend_of(const HistoryEpoch& epoch, const ConsoleStyle& style) {
  if (style.ascii) return "";
  const std::size_t split = epoch.levels.size() > 1 ? epoch.levels.back().begin : epoch.points.size();
  std::vector<double> earlier;
  std::vector<double> now;
  for (std::size_t i = 0; i < epoch.points.size(); ++i) (i < split ? earlier : now).push_back(epoch.points[i].value);
  return sparkline(earlier, now);
}

std::string levels_text(const HistorySeries& series, const HistoryEpoch& epoch) {
  if (epoch.levels.empty()) return "";
  const double last = epoch.levels.back().value;
  if (epoch.levels.size() == 1) return quantity_text(series.unit, last);
  const TwoQuantities both = two_quantities(series.unit, epoch.levels.front().value, last);
  return fmt::format("first {}, now {}", both.first, both.second);
}

void add_epoch(const HistoryReport& report, const HistorySeries& series, const HistoryEpoch& epoch, ConsolePage& page) {
  page.paragraph("points",
                 fmt::format("{}, {} to {}{}", epoch.points.size(), day_of(first_session(report, epoch.points.front())),
                             day_of(last_session(report, epoch.points.back())), origin_text(report, epoch)));
  page.verbatim("trend", trend_of(epoch, page.style()));
  page.paragraph("level", levels_text(series, epoch));
  for (const HistoryChange& change : epoch.changes) page.paragraph("change", change_line(report, epoch, change));
  if (epoch.drift) page.paragraph("drift", drift_line(report, epoch));
}

std::string left_out_text(const HistoryReport& report, const HistorySeries& series) {
  if (series.left_out.empty()) return "";
  return fmt::format("{} that {} not positive, the last one of {}", counted(series.left_out.size(), "value"),
                     series.left_out.size() == 1 ? "is" : "are",
                     short_commit(report.sessions[series.left_out.back()].commit));
}

std::string series_heading(const HistorySeries& series, const ConsolePage& page) {
  return page.painted(page.clean(text_of(series.name)), has_alert(series) ? Status::regressed : Status::pass);
}

void add_series(const HistoryReport& report, const HistorySeries& series, ConsolePage& page) {
  page.line(series_heading(series, page));
  page.paragraph("not judged", coverage_text(report, series));
  page.paragraph("left out", left_out_text(report, series));
  for (std::size_t i = 0; i < series.epochs.size(); ++i) {
    if (i > 0) page.paragraph("new key", key_change_text(report, series.epochs[i - 1], series.epochs[i]));
    add_epoch(report, series, series.epochs[i], page);
  }
}

std::string text_of(const AcknowledgeCommand& acknowledge, const std::string& series, const std::string& commit) {
  const std::string folder =
      acknowledge.history.empty() ? "" : " --history " + shell_quoted(acknowledge.history.string());
  return fmt::format("{} history ack {} {} --reason \"...\"{}", acknowledge.program, shell_quoted(series),
                     shell_quoted(commit), folder);
}

void add_alerts(const HistoryReport& report, const HistorySeries& series, const AcknowledgeCommand& acknowledge,
                ConsolePage& page) {
  page.line(series_heading(series, page));
  for (const HistoryEpoch& epoch : series.epochs) {
    std::set<std::size_t> open;  // points whose commits can be acknowledged
    for (const HistoryChange& change : epoch.changes) {
      if (change.state != ChangeState::alert) continue;
      page.paragraph("change", change_line(report, epoch, change));
      open.insert(change.index);
    }
    if (epoch.drift && !epoch.drift->machine) {
      page.paragraph("drift", drift_line(report, epoch));
      open.insert(epoch.points.size() - 1);  // whoever accepts a drift accepts where it has come to
    }
    for (const std::size_t index : open) {
      const std::string commit = short_commit(first_session(report, epoch.points[index]).commit);
      page.verbatim("accept", text_of(acknowledge, text_of(series.name), commit));
    }
  }
}

/// Series that were not judged, or not at every commit, and why. Returns how many of them keep a check from being
/// green.
std::size_t add_unjudged(const HistoryReport& report, const AcknowledgeCommand& acknowledge, ConsolePage& page) {
  std::size_t unjudged = 0;
  for (const HistorySeries& series : report.series) {
    const std::string why = coverage_text(report, series);
    if (series.coverage.why == NotJudged::gone || (why.empty() && series.left_out.empty())) continue;
    unjudged += is_covered(series) ? 0 : 1;
    page.line(page.painted(page.clean(text_of(series.name)), is_covered(series) ? Status::pass : Status::inconclusive));
    page.paragraph("not judged", why);
    page.paragraph("left out", left_out_text(report, series));
    if (series.coverage.why == NotJudged::stale)
      page.verbatim("gone", text_of(acknowledge, text_of(series.name), short_commit(newest_commit(report, series))));
    page.blank();
  }
  return unjudged;
}

/// Classes of runners on which nothing is measured any more.
void add_silent(const HistoryReport& report, const AcknowledgeCommand& acknowledge, ConsolePage& page) {
  for (const SilentClass& one : report.silent) {
    if (one.gone) continue;
    const std::string name = text_of_class(one.runner_class);
    page.line(page.painted(page.clean(name), Status::inconclusive));
    page.paragraph("not judged", fmt::format("stale: the newest {} of the history were not measured on this class; the "
                                             "last one that was is {}",
                                             counted(one.missed, "commit"), short_commit(one.commit)));
    page.verbatim("gone", text_of(acknowledge, name, short_commit(one.commit)));
    page.blank();
  }
}

/// Files that were left out, and commits without an order.
void add_unread(const HistoryReport& report, ConsolePage& page) {
  constexpr std::size_t most_named = 10;
  const std::string order = order_text(report);
  if (report.unreadable.empty() && order.empty()) return;
  if (!report.series.empty()) page.blank();
  for (std::size_t i = 0; i < std::min(report.unreadable.size(), most_named); ++i)
    page.paragraph("left out", report.unreadable[i].problem);
  if (report.unreadable.size() > most_named)
    page.paragraph("left out", counted(report.unreadable.size() - most_named, "more file"));
  if (std::any_of(report.unreadable.begin(), report.unreadable.end(),
                  [](const HistoryFault& one) { return one.newest; }))
    page.paragraph("not judged", "the newest session cannot be read");
  page.paragraph("order", order);
}

}  // namespace

std::string render_history(const HistoryReport& report, const ConsoleStyle& style) {
  ConsolePage page(style);
  for (const HistorySeries& series : report.series) {
    if (&series != &report.series.front()) page.blank();
    add_series(report, series, page);
  }
  if (report.series.empty()) page.line("no series to show");
  add_unread(report, page);
  return page.text();
}

std::string render_history_check(const HistoryReport& report, const AcknowledgeCommand& acknowledge,
                                 const ConsoleStyle& style) {
  ConsolePage page(style);
  std::size_t alarming = 0;
  for (const HistorySeries& series : report.series) {
    if (!has_alert(series)) continue;
    ++alarming;
    add_alerts(report, series, acknowledge, page);
    page.blank();
  }
  const std::size_t unjudged = add_unjudged(report, acknowledge, page);
  add_silent(report, acknowledge, page);
  add_unread(report, page);
  const std::string looked_at = fmt::format("{}, {}", counted(report.series.size(), "series", "series"),
                                            counted(report.sessions.size(), "session"));
  page.line(alarming == 0 ? fmt::format("no change asks for attention ({})", looked_at)
                          : fmt::format("{} with an alert that nobody acknowledged ({})",
                                        counted(alarming, "series", "series"), looked_at));
  const bool judged = std::any_of(report.series.begin(), report.series.end(), [](const HistorySeries& series) {
    return series.coverage.why == NotJudged::no || has_alert(series);
  });
  if (!judged && unjudged == 0) page.line("nothing was judged: no series has what a judgement needs");
  if (unjudged > 0)
    page.line(fmt::format("{} not judged, so silence about them means nothing", counted(unjudged, "series", "series")));
  return page.text();
}

}  // namespace stepgate
