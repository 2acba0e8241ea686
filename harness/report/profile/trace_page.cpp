#include "report/profile/trace_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/text/number_format.h"
#include "report/text/clean_text.h"
#include "report/text/console_page.h"
#include "report/text/text_table.h"

namespace stepgate {
namespace {

constexpr double smallest_shown = 0.0005;  ///< share of the span: less would print as 0.0 %
constexpr std::size_t bar_columns = 24;

std::string title_of(const TraceAccount& account) {
  std::string title = fmt::format("trace {}   {}", account.source, account.of);
  if (account.rank) {
    title += fmt::format("   rank {}{}", *account.rank,
                         account.ranks ? fmt::format(" of {}", *account.ranks) : std::string());
  }
  return title + fmt::format("   {}", counted(account.events, "event"));
}

std::string steps_text(const TraceAccount& account) {
  if (account.steps == 0) return fmt::format("none marked; the account covers {}", duration_text(account.span_ns));
  const StepStatistics& step = account.step;
  return fmt::format("{} in {}, {} each; at the host: median {}, mean {}, sd {}, p95 {}, min {}, max {}", account.steps,
                     duration_text(account.span_ns),
                     duration_text(account.span_ns / static_cast<double>(account.steps)), duration_text(step.median_ns),
                     duration_text(step.mean_ns), duration_text(step.sd_ns), duration_text(step.p95_ns),
                     duration_text(step.min_ns), duration_text(step.max_ns));
}

std::string bar_of(double share) {
  return std::string(static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * bar_columns)), '#');
}

/// The label before the first line and blanks before the others.
void add_lines(std::string_view label, const std::vector<std::string>& lines, ConsolePage& page) {
  for (const std::string& line : lines) {
    page.line(fmt::format("  {:<10} {}", &line == &lines.front() ? label : "", line));
  }
}

void add_account(const TraceAccount& account, ConsolePage& page) {
  std::vector<std::vector<std::string>> rows;
  for (const AccountPart& part : account.parts) {
    if (part.share < smallest_shown && !page.style().verbose) continue;
    rows.push_back({page.clean(part.label), duration_text(part.ns), share_text(part.share), bar_of(part.share)});
  }
  add_lines("account", table_of(rows, {Align::left, Align::right, Align::right, Align::left}), page);
}

void add_bottlenecks(const TraceAccount& account, ConsolePage& page) {
  if (account.bottlenecks.empty()) {
    page.paragraph("limits", account.steps > 0 ? "no part that has a threshold is above it"
                                               : "not judged: without marked steps the set-up counts too");
  }
  for (const BottleneckVerdict& verdict : account.bottlenecks) {
    page.paragraph(name_of(verdict.proof), fmt::format("{}: {}", name_of(verdict.kind), verdict.says));
  }
}

void add_largest(const TraceAccount& account, ConsolePage& page) {
  if (!account.largest.empty()) page.paragraph("largest", account.largest);
}

void add_costs(const TraceAccount& account, ConsolePage& page) {
  std::vector<std::vector<std::string>> rows;
  const std::size_t name_width = page.width() - std::min<std::size_t>(page.width() - 20, 44);
  for (const TraceCost& cost : account.costliest) {
    rows.push_back({duration_text(cost.ns), share_text(cost.share), fmt::format("{} x", cost.calls),
                    shortened(page.clean(cost.name), name_width, page.style().ascii)});
  }
  add_lines(account.on_device ? "kernels" : "operators",
            table_of(rows, {Align::right, Align::right, Align::right, Align::left}), page);
}

}  // namespace

std::string render_trace_account(const TraceAccount& account, const ConsoleStyle& style) {
  ConsolePage page(style);
  page.line(page.clean(title_of(account)));
  page.blank();
  page.paragraph("steps", steps_text(account));
  add_account(account, page);
  page.blank();
  add_bottlenecks(account, page);
  add_largest(account, page);
  page.blank();
  add_costs(account, page);
  page.blank();
  for (const std::string& note : account.notes) page.paragraph("note", note);
  page.paragraph("note", "a trace alone proves nothing: stepgate profile CASE removes or delays what may be the limit");
  return page.text();
}

}  // namespace stepgate
