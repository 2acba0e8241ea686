// How an experiment talks with the program that called it. An experiment prints nothing and reads no command line.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/record/measurement.h"
#include "core/verdict/measured_times.h"
#include "core/verdict/run_report.h"
#include "core/verdict/tier_choice.h"

namespace stepgate {

/// One thing that a person should know.
struct Notice {
  Severity severity = Severity::note;  ///< `warning`: something is not as it was asked for
  std::string text;                    ///< one sentence, without a full stop
  std::string next = {};               ///< what to do about it, "" for nothing
};

/// Sent before each process starts.
struct ProcessProgress {
  std::string case_name;
  Group group = Group::timed;
  std::int64_t index = 0;    ///< index of the replicate within its group
  std::int64_t attempt = 0;  ///< above 0: repeated after taint
  std::int64_t started = 0;  ///< processes of the experiment before this one
  std::int64_t planned = 0;
  std::optional<double> remaining_s = {};  ///< an estimate; absent until one is possible
};

/// What an experiment reports while it runs. Each function is called in the thread of the experiment, on_report and
/// on_set_aside from several threads at the same time too, each call for a folder of its own.
struct Observer {
  std::function<void(const ProcessProgress&)> on_progress = [](const ProcessProgress&) {};
  std::function<void(const Notice&)> on_notice = [](const Notice&) {};
  /// A measurement.json was written.
  std::function<void(const std::filesystem::path& file, const Measurement&)> on_measured =
      [](const std::filesystem::path&, const Measurement&) {};
  /// The times of that measurement, where `run` measured it.
  std::function<void(const MeasuredTimes&)> on_times = [](const MeasuredTimes&) {};
  /// A verdict.json is about to be written into `folder`: other formats of the same report belong beside it.
  std::function<void(const std::filesystem::path& folder, const RunReport&)> on_report =
      [](const std::filesystem::path&, const RunReport&) {};
  /// The verdict.json in `folder` is about to move aside: the other formats beside it go.
  std::function<void(const std::filesystem::path& folder)> on_set_aside = [](const std::filesystem::path&) {};
};

/// The commands that a report offers for copying. Only the command line knows how it was called. Several threads may
/// ask at the same time.
struct CommandTexts {
  std::function<std::string(const std::string& case_name, TierChoice)> gate = [](const std::string&, TierChoice) {
    return std::string();
  };
  /// All cases; against a base build that the reader has to name, where it is asked for.
  std::function<std::string(TierChoice, bool against_base)> gate_all = [](TierChoice, bool) { return std::string(); };
  std::function<std::string(const std::string& case_name, TierChoice)> accept = [](const std::string&, TierChoice) {
    return std::string();
  };
  std::function<std::string(const std::string& case_name, std::uint64_t order_seed)> ab =
      [](const std::string&, std::uint64_t) { return std::string(); };
  std::function<std::string(const std::filesystem::path& base, const std::filesystem::path& head, TierChoice)> compare =
      [](const std::filesystem::path&, const std::filesystem::path&, TierChoice) { return std::string(); };
};

struct Caller {
  Observer observer = {};
  CommandTexts commands = {};
  const std::atomic<int>& interrupted;  ///< the number of a signal; 0 until one came
};

/// What a judging experiment hands back.
struct JudgedRun {
  RunReport report;
  /// Notices that matter for how the verdicts are read. The observer was told them as well, at once.
  std::vector<Notice> notices = {};
  int interrupted_by = 0;  ///< the number of the signal that ended it; then `report` is not complete
};

/// Tells the observer, and keeps the notice with the result.
inline void tell(const Caller& caller, Notice notice, std::vector<Notice>& kept) {
  caller.observer.on_notice(notice);
  kept.push_back(std::move(notice));
}

}  // namespace stepgate
