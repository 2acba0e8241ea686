#include "report/studies/device_check_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/text/number_format.h"
#include "report/text/clean_text.h"
#include "report/text/console_page.h"

namespace stepgate {
namespace {

constexpr std::size_t verdict_width = 16;  // "cannot see" and a gap

Status colour_of_verdict(DeviceVerdict verdict) {
  switch (verdict) {
    case DeviceVerdict::ok:
      return Status::pass;
    case DeviceVerdict::bad:
    case DeviceVerdict::crashed:
      return Status::regressed;
    default:
      return Status::inconclusive;
  }
}

void add_device_title(const DeviceReport& report, ConsolePage& page) {
  std::vector<std::string> parts = {"self-test of a GPU"};
  const auto add = [&](const char* key, const char* before) {
    const auto fact = report.gpu.find(key);
    if (fact != report.gpu.end()) parts.push_back(before + fact->second);
  };
  add("gpu", "");
  add("gpu_pci_bus_id", "");
  add("gpu_driver", "driver ");
  add("cuda_runtime", "CUDA ");
  for (const std::string& line : wrapped(fmt::format("{}", fmt::join(parts, page.separator())), page.width())) {
    page.line(page.clean(line));
  }
}

/// Wrapped under the text of the heading.
void add_device_text(const std::string& text, ConsolePage& page) {
  if (text.empty()) return;
  for (const std::string& part : wrapped(page.clean(text), page.width() - verdict_width)) {
    page.line(std::string(verdict_width, ' ') + part);
  }
}

void add_device_line(const DeviceLine& line, ConsolePage& page) {
  page.blank();
  const std::string verdict(name_of(line.verdict));
  std::string margin = page.painted(verdict, colour_of_verdict(line.verdict)) +
                       std::string(verdict_width - std::min(verdict_width, verdict.size()), ' ');
  const std::string page_heading = page.clean(fmt::format("{}: {}", line.name, line.question));
  for (const std::string& part : wrapped(page_heading, page.width() - verdict_width)) {
    page.line(margin + part);
    margin.assign(verdict_width, ' ');
  }
  add_device_text(line.figure, page);
  add_device_text(line.meaning, page);
  if (!line.remedy.empty()) add_device_text("remedy: " + line.remedy, page);
}

std::string figures_text(const DeviceFigures& figures) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : figures.values)
    parts.push_back(
        fmt::format("{} {}", name, std::abs(value) < 1e6 ? fmt::format("{:.6g}", value) : count_text(value)));
  for (const auto& [name, text] : figures.texts) parts.push_back(fmt::format("{} {}", name, text));
  for (const auto& [name, reason] : figures.absent) parts.push_back(fmt::format("no {}: {}", name, reason));
  return fmt::format("{}", fmt::join(parts, "; "));
}

void add_device_figures(const DeviceReport& report, ConsolePage& page) {
  if (!page.style().verbose) return;
  page.blank();
  page.line("figures of the processes");
  for (const auto& [name, run] : report.runs) {
    const std::string text = run.end == CheckEnd::measured ? figures_text(run.figures) : run.reason;
    page.paragraph("", fmt::format("{}: {}", name, text));
  }
}

std::string tally_of(const DeviceReport& report) {
  std::vector<std::string> parts;
  for (const DeviceVerdictRow& row : device_verdict_rows) {
    const auto count = std::count_if(report.lines.begin(), report.lines.end(),
                                     [&](const DeviceLine& line) { return line.verdict == row.verdict; });
    if (count > 0) parts.push_back(fmt::format("{} {}", count, row.name));
  }
  return fmt::format("{}: {}", counted(report.lines.size(), "line"), fmt::join(parts, ", "));
}

/// Only lines that verdicts rest on count here.
std::string conclusion_of(const DeviceReport& report) {
  std::vector<std::string> broken;
  std::vector<std::string> unseen;
  for (const DeviceLine& line : report.lines) {
    if (breaks_verdicts(line)) broken.push_back(line.name);
    if (line.essential && line.verdict == DeviceVerdict::cannot_see) unseen.push_back(line.name);
  }
  if (!broken.empty()) {
    return fmt::format("verdicts on this runner would rest on what does not hold ({}): exit status 3",
                       fmt::join(broken, ", "));
  }
  if (!unseen.empty()) {
    return fmt::format("nothing that verdicts rest on fails here; {} could not be seen ({}): exit status 0",
                       counted(unseen.size(), "line"), fmt::join(unseen, ", "));
  }
  return "what verdicts rest on holds here: exit status 0";
}

void add_device_end(const DeviceReport& report, ConsolePage& page) {
  page.blank();
  page.line(tally_of(report));
  for (const std::string& line : wrapped(page.clean(conclusion_of(report)), page.width())) page.line(line);
}

}  // namespace

std::string render_device(const DeviceReport& report, const ConsoleStyle& style) {
  ConsolePage page(style);
  add_device_title(report, page);
  if (!report.missing.empty()) {
    page.blank();
    page.paragraph("no GPU", report.missing);
    page.paragraph("next", "run it on a machine with an NVIDIA GPU: exit status 77");
    return page.text();
  }
  for (const DeviceLine& line : report.lines) add_device_line(line, page);
  add_device_figures(report, page);
  add_device_end(report, page);
  return page.text();
}

}  // namespace stepgate
