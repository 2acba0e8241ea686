#include "report/history/history_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

std::string creep_line(const HistoryReport& report, const HistoryEpoch& epoch) {
  std::vector<std::string> steps;
  for (const std::size_t step : epoch.creep->steps) {
    const HistoryChange& change = epoch.changes[step];
    steps.push_back(fmt::format("{} {}", history_change_text(change), commits_text(report, epoch, change)));
  }
  const HistoryPoint& best = epoch.points[epoch.levels[epoch.creep->since_level].begin];
  return fmt::format("{} worse (at least {}) than the level of {}, in {}: {}", change_text(epoch.creep->change),
                     change_text(epoch.creep->lower_bound), day_of(first_session(report, best)),
                     counted(steps.size(), "step"), fmt::join(steps, "; "));
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
  if (epoch.creep) page.paragraph("creep", creep_line(report, epoch));
}

std::string series_heading(const HistorySeries& series, const ConsolePage& page) {
  return page.painted(page.clean(text_of(series.name)), has_alert(series) ? Status::regressed : Status::pass);
}

void add_series(const HistoryReport& report, const HistorySeries& series, ConsolePage& page) {
  page.line(series_heading(series, page));
  page.paragraph("levels", series.not_analysed.empty() ? "" : "none: " + series.not_analysed);
  for (std::size_t i = 0; i < series.epochs.size(); ++i) {
    if (i > 0) page.paragraph("new key", key_change_text(report, series.epochs[i - 1], series.epochs[i]));
    add_epoch(report, series, series.epochs[i], page);
  }
}

std::string text_of(const AcknowledgeCommand& acknowledge, const std::string& series, const std::string& commit) {
  const std::string folder =
      acknowledge.history.empty() ? "" : " --history " + shell_quoted(acknowledge.history.string());
  return fmt::format("{} history ack {} {} --reason \"...\"{}", acknowledge.program, shell_quoted(series), commit,
                     folder);
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
    if (epoch.creep) {
      page.paragraph("creep", creep_line(report, epoch));
      open.insert(epoch.changes[epoch.creep->steps.back()].index);
    }
    for (const std::size_t index : open) {
      const std::string commit = short_commit(first_session(report, epoch.points[index]).commit);
      page.verbatim("accept", text_of(acknowledge, text_of(series.name), commit));
    }
  }
}

}  // namespace

std::string render_history(const HistoryReport& report, const ConsoleStyle& style) {
  ConsolePage page(style);
  for (const HistorySeries& series : report.series) {
    if (&series != &report.series.front()) page.blank();
    add_series(report, series, page);
  }
  if (report.series.empty()) page.line("no series to show");
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
  const std::string looked_at = fmt::format("{}, {}", counted(report.series.size(), "series", "series"),
                                            counted(report.sessions.size(), "session"));
  page.line(alarming == 0 ? fmt::format("no change asks for attention ({})", looked_at)
                          : fmt::format("{} with an alert that nobody acknowledged ({})",
                                        counted(alarming, "series", "series"), looked_at));
  return page.text();
}

}  // namespace stepgate
