#include "report/studies/doctor_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <vector>

#include "report/studies/knob_lines.h"
#include "report/text/clean_text.h"
#include "report/text/console_page.h"
#include "report/text/next_steps.h"
#include "report/text/text_table.h"

namespace stepgate {
namespace {

std::vector<std::string> title_parts(const DoctorReport& report) {
  std::vector<std::string> parts = {std::string(name_of(report.place.kind))};
  const auto add = [&](const char* key, const char* before, const char* after) {
    const auto fact = report.host.find(key);
    if (fact != report.host.end()) parts.push_back(before + fact->second + after);
  };
  add("cpu_model", "", "");
  add("cpu_count", "", " CPUs");
  add("kernel", "Linux ", "");
  add("gpu_driver", "GPU driver ", "");
  return parts;
}

/// Lines break between two facts, never inside one.
void add_heading(const DoctorReport& report, ConsolePage& page) {
  std::string line;
  for (const std::string& part : title_parts(report)) {
    const std::string longer = line.empty() ? part : fmt::format("{}{}{}", line, page.separator(), part);
    const bool fits = columns(longer) <= page.width();
    if (!fits) page.line(page.clean(line));
    line = fits ? longer : "  " + part;
  }
  page.line(page.clean(line));
}

void add_place(const DoctorReport& report, ConsolePage& page) {
  page.paragraph("because", fmt::format("{}", fmt::join(report.place.reasons, "; ")));
  if (page.style().verbose) {
    for (const auto& [key, value] : report.host) page.paragraph("fact", key + ": " + value);
  }
  for (const std::string& warning : report.place.warnings) page.paragraph("warning", warning);
  for (const std::string& warning : report.warnings) page.paragraph("warning", warning);
  if (report.stale_journal) page.paragraph("warning", "a killed run left host knobs changed");
}

void add_cpus(const DoctorReport& report, ConsolePage& page) {
  std::string text = report.measured_cpus.empty() ? "" : "measured " + report.measured_cpus;
  if (!report.siblings.empty()) text += "; left idle " + report.siblings;
  if (!report.housekeeping.empty()) text += "; everything else " + report.housekeeping;
  page.paragraph("CPUs", text);
  const bool warned =
      std::find(report.warnings.begin(), report.warnings.end(), report.cpu_reason) != report.warnings.end();
  if (!warned) page.paragraph(text.empty() ? "CPUs" : "", report.cpu_reason);
}

void add_knobs(const DoctorReport& report, ConsolePage& page) {
  const auto has = [&](GuardMode mode) {
    return std::any_of(report.knobs.begin(), report.knobs.end(), [&](const auto& knob) { return knob.mode == mode; });
  };
  if (has(GuardMode::process)) {
    page.blank();
    page.line("process: set for each measured process, ends with it");
    add_knob_lines(report.knobs, GuardMode::process, page);
  }
  if (has(GuardMode::host)) {
    page.blank();
    page.line("host: set for the whole machine while a run lasts, only with --guard host");
    add_knob_lines(report.knobs, GuardMode::host, page);
  }
}

/// Counters that are missing for the same reason share one line.
void add_evidence(const DoctorReport& report, ConsolePage& page) {
  if (report.watched.empty() && report.unwatched.empty()) return;
  page.blank();
  page.line("evidence: what shows interference from outside");
  page.paragraph("watched", fmt::format("{}", fmt::join(report.watched, ", ")));
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const auto& [key, reason] : report.unwatched) by_reason[reason].push_back(key);
  for (const auto& [reason, keys] : by_reason) {
    page.paragraph("unseen", fmt::format("{}: {}", fmt::join(keys, ", "), reason));
  }
}

/// What would disturb a measurement that began now.
void add_running(const DoctorReport& report, ConsolePage& page) {
  if (report.looked_s <= 0) return;
  page.blank();
  page.line(fmt::format("running now: what used a CPU for {:.0f} s", report.looked_s));
  for (const BusyProcess& process : report.busy) {
    page.paragraph(process.on_measured ? "disturbs" : "beside",
                   text_of(process) + (process.on_measured ? ", which is measured" : ""));
  }
  if (report.busy.empty()) page.paragraph("quiet", "no process that is visible here used 2 % of a CPU");
}

/// Default settings are only counted, because a reader looks for settings that somebody changed.
void add_settings(const DoctorReport& report, ConsolePage& page) {
  if (report.settings.empty()) return;
  std::vector<std::vector<std::string>> rows;
  for (const EffectiveSetting& setting : report.settings) {
    if (setting.source == "default" && !page.style().verbose) continue;
    rows.push_back({page.clean(setting.name), page.clean(setting.value), page.clean(setting.source)});
  }
  page.blank();
  page.line("settings and their sources");
  for (const std::string& line : table_of(rows, {Align::left, Align::left, Align::left})) page.line("  " + line);
  const std::size_t rest = report.settings.size() - rows.size();
  if (rest > 0) page.line(rows.empty() ? "  all at their defaults" : fmt::format("  {} more at the default", rest));
}

void add_next(const DoctorReport& report, ConsolePage& page) {
  page.blank();
  for (const NextStep& step : next_steps(report)) {
    page.paragraph("next", step.text);
    page.verbatim("", step.command);
  }
}

}  // namespace

std::string render_doctor(const DoctorReport& report, const ConsoleStyle& style) {
  ConsolePage page(style);
  add_heading(report, page);
  add_place(report, page);
  add_cpus(report, page);
  add_knobs(report, page);
  add_evidence(report, page);
  add_running(report, page);
  add_settings(report, page);
  add_next(report, page);
  return page.text();
}

}  // namespace stepgate
