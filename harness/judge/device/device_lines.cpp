#include "judge/device/device_lines.h"

#include <fmt/format.h>

#include <vector>

#include "core/record/fingerprint.h"
#include "judge/device/device_judgement.h"

namespace stepgate {
namespace {

struct DeviceLineRow {
  std::string_view name;
  std::string_view question;
  bool essential = false;
  std::vector<std::string_view> runs;  ///< each must have measured
  DeviceJudgement (*judge)(const DeviceCheckRuns&) = nullptr;
  std::string_view unseen_if_emulated = {};  ///< why an emulated GPU cannot show it; "" where it counts like a real one
};

constexpr std::string_view no_times = "an emulated GPU has no times";
constexpr std::string_view no_values = "kernels of an emulated GPU do nothing here";

// The columns of a row: name, question, whether verdicts rest on it, the runs it needs, function, what an emulated GPU
// cannot show.
const std::vector<DeviceLineRow>& line_table() {
  static const std::vector<DeviceLineRow> rows = {
      {"device", "does the GPU open, and does its UUID name it?", true, {"device"}, judge_device_found},
      {"event_order", "do events of two streams share one clock?", true, {"event_order"}, judge_event_order, no_times},
      {"growth_race",
       "does an event order a new buffer before its copy?",
       true,
       {"growth_race"},
       judge_growth_race,
       no_values},
      {"syncs_by_warning", "does LibTorch report its host syncs?", true, {"syncs_by_warning"}, judge_syncs_by_warning},
      {"syncs_by_cupti", "does CUPTI report every host sync?", true, {"syncs_by_cupti"}, judge_syncs_by_cupti},
      {"allocator_trace",
       "does the memory trace equal the statistics?",
       true,
       {"allocator_trace"},
       judge_allocator_trace},
      {"work_counts",
       "do CUPTI and Kineto count the same work?",
       true,
       {"work_by_cupti", "work_by_kineto"},
       judge_work_counts},
      {"same_training",
       "do two processes train bit for bit alike?",
       true,
       {"training", "training_again"},
       judge_same_training,
       no_values},
      {"event_cost", "what does an event cost?", false, {"event_cost"}, judge_event_cost, no_times},
      {"pinning", "what does pinned memory cost, and does it wait?", false, {"pinning"}, judge_pinning, no_times},
      {"copy_rate", "do copies reach the rate of the link?", false, {"copy_rate"}, judge_copy_rate, no_times},
      {"clock",
       "does the driver's clock equal the one that work sees?",
       false,
       {"busy", "nvml"},
       judge_clock,
       no_times},
      {"process_list", "does the driver list our process?", false, {"busy", "nvml"}, judge_process_list},
      {"nvml_cost", "what does a sample of the evidence cost?", false, {"nvml"}, judge_nvml_cost, no_times},
  };
  return rows;
}

const DeviceCheckRun* run_named(const DeviceCheckRuns& runs, std::string_view name) {
  const auto found = runs.find(name);
  return found == runs.end() ? nullptr : &found->second;
}

DeviceJudgement without_figures(std::string_view run, const std::string& reason) {
  return {DeviceVerdict::crashed, fmt::format("check {}: {}", run, reason),
          "nothing is known, so that nothing may rest on it",
          run == "nvml" ? std::string("look at nvidia-smi on this machine")
                        : fmt::format("run it alone: stepgate_device_check --check {}",
                                      run == "training_again" ? "training" : run)};
}

/// The first run tells whose GPU it is.
bool is_emulated(const DeviceCheckRuns& runs) {
  const DeviceCheckRun* run = run_named(runs, "device");
  return run != nullptr && is_on_emulated_gpu(run->figures.texts);
}

DeviceJudgement judged(const DeviceLineRow& row, const DeviceCheckRuns& runs) {
  for (const std::string_view name : row.runs) {
    const DeviceCheckRun* run = run_named(runs, name);
    if (run == nullptr) return without_figures(name, "it did not run");
    if (run->end != CheckEnd::measured) return without_figures(name, run->reason);
  }
  if (!row.unseen_if_emulated.empty() && is_emulated(runs)) {
    return {DeviceVerdict::cannot_see, std::string(row.unseen_if_emulated), "what rests on it needs a GPU", ""};
  }
  try {
    return row.judge(runs);
  } catch (const MissingFigure& missing) {
    if (missing.reason.empty()) return without_figures(row.runs.front(), "it gave no " + missing.name);
    return {DeviceVerdict::cannot_see, missing.reason,
            "what rests on it is absent in every measurement, with this reason", ""};
  }
}

}  // namespace

double value_of(const DeviceCheckRuns& runs, std::string_view run, const std::string& name) {
  const DeviceFigures& figures = run_named(runs, run)->figures;
  if (const auto found = figures.values.find(name); found != figures.values.end()) return found->second;
  const auto why = figures.absent.find(name);
  throw MissingFigure{name, why == figures.absent.end() ? "" : why->second};
}

std::string text_of(const DeviceCheckRuns& runs, std::string_view run, const std::string& name) {
  const DeviceFigures& figures = run_named(runs, run)->figures;
  if (const auto found = figures.texts.find(name); found != figures.texts.end()) return found->second;
  const auto why = figures.absent.find(name);
  throw MissingFigure{name, why == figures.absent.end() ? "" : why->second};
}

std::vector<DeviceLine> judge_device(const DeviceCheckRuns& runs) {
  std::vector<DeviceLine> lines;
  for (const DeviceLineRow& row : line_table()) {
    DeviceJudgement found = judged(row, runs);
    lines.push_back({.name = std::string(row.name),
                     .question = std::string(row.question),
                     .essential = row.essential,
                     .verdict = found.verdict,
                     .figure = std::move(found.figure),
                     .meaning = std::move(found.meaning),
                     .remedy = std::move(found.remedy)});
  }
  return lines;
}

}  // namespace stepgate
