#include "cli/options/option_table.h"

#include <fmt/format.h>

#include "cli/options/history_rows.h"
#include "cli/options/node_rows.h"
#include "cli/options/pair_rows.h"
#include "cli/options/profile_rows.h"
#include "core/error.h"
#include "core/text/excerpt.h"
#include "environment/process/child_environment.h"
#include "report/exports/export_formats.h"
#include "system/step_count_list.h"

namespace stepgate {
namespace {

using Rows = std::vector<OptionRow>;

// Commands that share options.
constexpr std::string_view measuring = "run, gate, ab, plan ab, plan sweep, sweep, profile, ablate";
constexpr std::string_view on_this_machine = "run, gate, ab, plan ab, plan sweep, shard run, sweep, profile, ablate";
constexpr std::string_view judging = "gate, check, report, ab, merge";
constexpr std::string_view rendering = "gate, check, report, ab, merge, compare";

// Far above what anybody measures; a number beyond is a typing error.
constexpr CountRange process_counts{.least = 1, .most = 10'000};
constexpr CountRange clock_mhz{.least = 1, .most = 100'000};
constexpr double week_s = 7 * 24 * 3600;

/// `doctor --device` looks at a GPU, not at what reduces noise.
void need_whole_host(const Options& o) {
  if (!o.device) return;
  throw Error(ErrorKind::usage, "--device examines a GPU, and the options that name a build or the host have no effect",
              "leave them out: stepgate doctor --device");
}

void need_device(const Options& o) {
  if (o.command != "doctor" || o.device) return;
  throw Error(ErrorKind::usage, "--device-check and --timeout of doctor need --device",
              "add --device: stepgate doctor --device");
}

// The columns of a row: name, value, variable, commands, help, setter, what it needs of other options.

Rows place_rows() {
  return {
      OptionRow{
          "build", "DIR", "STEPGATE_MANIFEST_DIR",
          "list, run, check, gate, ab, plan ab, plan sweep, compare, report, sweep, profile, doctor, ablate, baseline "
          "accept, "
          "baseline "
          "diff, "
          "baseline lint, baseline show",
          "folder with stepgate-manifest.json (default: this folder, build/release, build or that of a CMake preset)",
          path_into(&Options::build, "a build folder"), need_whole_host},
      OptionRow{"base-build", "DIR", "STEPGATE_BASE_BUILD", "gate, ab, plan ab, profile",
                "build folder to compare with, e.g. of the merge base",
                path_into(&Options::base_build, "a build folder")},
      OptionRow{"head-build", "DIR", "", "gate, ab, plan ab, profile", "the same as --build; it goes with --base-build",
                path_into(&Options::build, "a build folder")},
      OptionRow{"out", "DIR", "STEPGATE_OUT",
                "run, check, gate, ab, plan ab, plan sweep, merge, report, sweep, profile, ablate, baseline accept, "
                "baseline diff",
                "folder of results (default: stepgate-out in the build folder)", path_into(&Options::out, "a folder")},
      OptionRow{"baseline-dir", "DIR", "STEPGATE_BASELINE_DIR",
                "list, check, gate, ab, plan ab, report, baseline accept, baseline diff, baseline lint, baseline show",
                "folder of baselines (default: the one in the manifest)",
                path_into(&Options::baseline_root, "a folder")},
      OptionRow{"policy-dir", "DIR", "", "run, check, gate, ab, plan ab, plan sweep, compare, sweep, profile, ablate",
                "folder of policies (default: the one in the manifest)", path_into(&Options::policy_root, "a folder")},
      OptionRow{"data", "DIR", "STEPGATE_DATA_DIR", measuring,
                "folder of training data (default: DATA_ROOT of the case)", path_into(&Options::data_dir, "a folder")},
      // baseline accept does not need it, but the accept command that a report prints names it.
      OptionRow{"runner-class", "NAME", "STEPGATE_RUNNER_CLASS",
                "run, check, gate, ab, plan ab, plan sweep, report, sweep, profile, doctor, ablate, baseline accept, "
                "baseline show, "
                "history import",
                "name of this kind of machine (default local)",
                text_into(&Options::runner_class, "a name, e.g. ci-small"), need_whole_host},
  };
}

Rows case_rows() {
  return {
      OptionRow{"filter", "GLOB", "", "list, run, gate, ab, plan ab, compare, report",
                "only cases whose name matches, e.g. 'language/*'; may be repeated",
                texts_into(&Options::filters, "a pattern, e.g. 'language/*'")},
      OptionRow{"tier", "exact|timed|all", "", "run, check, gate, ab, plan ab, compare, baseline accept",
                "the exact half (counts, bytes, losses), the timed half, or both (default all)",
                choice_into(&Options::tier, "exact|timed|all")},
  };
}

void need_known_steps(const Options& o) { read_step_counts(o.steps, "--steps"); }

/// Options set what decides a measurement.
void need_passable_variables(const Options& o) {
  for (const std::string& name : o.pass_env) {
    if (!changes_a_measurement(name)) continue;
    throw Error(ErrorKind::usage, fmt::format("--pass-env {}: this variable changes what is measured", excerpt(name)),
                "leave it out; options set threads and malloc: stepgate gate --help");
  }
}

Rows measuring_rows() {
  return {
      OptionRow{"replicates", "N", "STEPGATE_REPLICATES", "run, gate, ab, sweep, plan sweep, profile",
                "fresh processes of the timed half, rounds of a sweep (default 5), or those of a profile that "
                "experiment (default 4)",
                count_into(&Options::replicates, process_counts), need_single_build},
      OptionRow{"exact-replicates", "N", "", "run, gate, ab, plan ab", "fresh processes of the exact half (default 2)",
                count_into(&Options::exact_replicates, process_counts)},
      OptionRow{"threads", "N", "", measuring, "intra-op threads of the timed half (default 1)",
                count_into(&Options::threads, CountRange{.least = 1, .most = 4096})},
      OptionRow{"seed", "N", "", measuring, "seed of data and weights", seed_into(&Options::seed)},
      OptionRow{"steps", "e2e=60,...", "", measuring, "step counts by name, instead of those of the case",
                text_into(&Options::steps, "counts by name, e.g. e2e=60,window=10"), need_known_steps},
      OptionRow{"pass-env", "NAME,...", "STEPGATE_PASS_ENV", measuring,
                "variables of your environment that measured processes get too; may be repeated",
                variable_names_into(&Options::pass_env), need_passable_variables},
      OptionRow{"malloc", "tuned|system", "", measuring,
                "malloc of measured processes: keep freed memory (tuned, the default), or glibc's own settings",
                choice_into(&Options::malloc_policy, "tuned|system")},
      OptionRow{"timeout", "S", "", "run, gate, ab, plan ab, plan sweep, sweep, profile, ablate, doctor",
                "seconds that one process may take (default: the limit of the case)",
                seconds_into(&Options::timeout_s, SecondsRange{.zero_too = false, .most_s = week_s}), need_device},
      OptionRow{"session-gap", "S", "", "check, gate, ab",
                "sessions closer than S seconds count as one (default: from the policy)",
                seconds_into(&Options::session_gap_s, SecondsRange{.zero_too = true, .most_s = 365 * 24 * 3600.0})},
  };
}

void need_guard_host(const Options& o) {
  need_whole_host(o);
  if (o.guard == "host") return;
  throw Error(ErrorKind::usage,
              fmt::format("{} needs --guard host, and --guard is {}",
                          o.gpu_clock ? "--gpu-clock" : "--gpu-memory-clock", o.guard),
              "add --guard host; stepgate locks the clock of a GPU in this mode only");
}

Rows machine_rows() {
  constexpr std::string_view guarded = "run, gate, ab, plan ab, plan sweep, shard run, sweep, profile, ablate, doctor";
  return {
      OptionRow{"guard", "observe|process|host", "STEPGATE_GUARD", guarded,
                "what stepgate may set to reduce noise: nothing, measured processes (default), or the host too",
                choice_into(&Options::guard, "observe|process|host"), need_whole_host},
      OptionRow{"knobs", "A,B,...", "", on_this_machine, "set only these knobs; stepgate doctor lists their names",
                text_into(&Options::knobs, "names with commas between them, e.g. affinity,priority")},
      OptionRow{"gpu-clock", "MHZ", "", guarded, "with --guard host: lock the core clock of the GPU during the run",
                count_into(&Options::gpu_clock, clock_mhz), need_guard_host},
      OptionRow{"gpu-memory-clock", "MHZ", "", guarded,
                "with --guard host: lock the memory clock of the GPU during the run",
                count_into(&Options::gpu_memory_clock, clock_mhz), need_guard_host},
      OptionRow{"state-dir", "DIR", "STEPGATE_STATE_DIR",
                "run, gate, ab, shard run, sweep, profile, ablate, doctor, recover",
                "journal of --guard host (default /var/lib/stepgate)", path_into(&Options::state_folder, "a folder"),
                need_whole_host},
      OptionRow{
          "device", "", "", "doctor",
          "examine the GPU instead of the host: does what measurements rely on hold here? (60 s a check, or --timeout)",
          switch_on(&Options::device)},
      OptionRow{"device-check", "PROGRAM", "", "doctor",
                "with --device: the program that makes the checks (default: stepgate_device_check beside stepgate)",
                path_into(&Options::device_check, "a program"), need_device},
      OptionRow{"wait-lock", "S", "", on_this_machine, "seconds to wait for another run on this machine (default 600)",
                seconds_into(&Options::wait_lock_s, SecondsRange{.zero_too = true, .most_s = week_s})},
      OptionRow{
          "run-lock", "FILE", "STEPGATE_RUN_LOCK", "shard run",
          "lock that a node holds while it measures (default: the one of the machine); nodes that share a machine "
          "but no CPU have one each",
          path_into(&Options::run_lock, "a file")},
  };
}

Rows baseline_rows() {
  return {
      OptionRow{"reason", "TEXT", "", "baseline accept, history ack",
                "why the baseline or the level may change; it is kept in the file",
                text_into(&Options::reason, "a sentence in quotes")},
      OptionRow{"append", "", "", "baseline accept", "add the session even if the step time has moved by more than 5 %",
                switch_on(&Options::append)},
      OptionRow{"replace", "", "", "baseline accept",
                "drop the stored sessions of this runner class, and start with the new one",
                switch_on(&Options::replace)},
      OptionRow{"other-options", "", "", "baseline accept",
                "accept values that were measured with other options (--seed, --steps) than a gate without any",
                switch_on(&Options::other_options)},
      OptionRow{"all", "", "", "baseline accept", "accept what earlier runs left, too", switch_on(&Options::all)},
      OptionRow{"local", "", "", "baseline accept", "note in the file that it was measured on somebody's own machine",
                switch_on(&Options::local)},
      OptionRow{"require-baseline", "", "STEPGATE_REQUIRE_BASELINE", judging,
                "a missing baseline, an inconclusive case and a skipped CPU case are failures, under CTest too",
                switch_on(&Options::require_baseline)},
      OptionRow{"require-gpu", "", "STEPGATE_REQUIRE_GPU", judging,
                "a skipped case is a failure, whatever is missing here", switch_on(&Options::require_gpu)},
      OptionRow{"may-skip", "CASE,...", "STEPGATE_MAY_SKIP", judging,
                "cases that this runner never runs: they stay skipped, whatever is required",
                text_into(&Options::may_skip, "names of cases, e.g. mine/mlp/two,mine/mlp/large")},
  };
}

void need_table(const Options& o) {
  if (!o.json) return;
  throw Error(ErrorKind::usage, "--ledger prints a table, and --json asks for a document",
              "leave out --json; the ledger as JSON is in measurement.json of each case, below memory");
}

void need_table_of_twin(const Options& o) {
  if (!o.json) return;
  throw Error(ErrorKind::usage, "--twin prints a table, and --json asks for a document",
              "leave out --json; the values are in measurement.json of both cases");
}

/// Refused before anything is measured.
void need_known_formats(const Options& o) {
  for (const std::string& text : o.exports) export_request(text);
}

void need_no_report_of_verdicts(const Options& o) {
  if (o.markdown.empty() && o.junit.empty() && o.html.empty() && o.exports.empty() && !o.github) return;
  throw Error(
      ErrorKind::usage,
      "--distribution prints times instead of verdicts, and --markdown, --junit, --html, --export and --github ask for "
      "verdicts",
      "leave them out, or give two commands: one with --distribution and one without");
}

void need_a_result_with_a_page(const Options& o) {
  const bool difference = o.command == "profile" && !o.base_build.empty();
  if (o.law.empty() && o.trace.empty() && !difference) return;
  throw Error(ErrorKind::usage, "--html: there is no page for a law, a trace or the difference of two profiles",
              "leave out --html; these results are printed");
}

Rows output_rows() {
  constexpr std::string_view shown =
      "check, gate, ab, merge, compare, report, sweep, profile, doctor, ablate, baseline diff, baseline show";
  constexpr std::string_view coloured =
      "check, gate, ab, merge, compare, report, sweep, profile, doctor, ablate, baseline diff, baseline show, history "
      "show, history check";
  return {
      OptionRow{"json", "", "", "check, gate, ab, merge, compare, report, sweep, profile, doctor, ablate",
                "print the document for programs instead of the table", switch_on(&Options::json)},
      OptionRow{"markdown", "FILE", "", rendering, "also write the summary for a pull request",
                path_into(&Options::markdown, "a file")},
      OptionRow{"junit", "FILE", "", rendering, "also write JUnit XML", path_into(&Options::junit, "a file")},
      OptionRow{"html", "FILE", "", "gate, check, report, ab, merge, compare, sweep, profile, ablate",
                "also write the report page: one file for a browser, without script",
                path_into(&Options::html, "a file"), need_a_result_with_a_page},
      OptionRow{"export", "FORMAT=FILE", "", rendering,
                "also write the run for another tool (docs/exports.md); may be repeated",
                texts_into(&Options::exports, "a format and a file, e.g. openmetrics=metrics.txt"), need_known_formats},
      OptionRow{"github", "", "", rendering, "also print annotations, and append the summary to $GITHUB_STEP_SUMMARY",
                switch_on(&Options::github)},
      OptionRow{"ctest", "", "", judging,
                "for CTest: print measurements; inconclusive and no baseline exit with 77 (skipped)",
                switch_on(&Options::ctest)},
      OptionRow{"ledger", "", "", "report", "print what was in memory at the peak, instead of verdicts",
                switch_on(&Options::ledger), need_table},
      OptionRow{"twin", "CASE", "", "report",
                "print after how many steps a compiled case has caught up with this eager one, instead of verdicts",
                text_into(&Options::twin, "a case"), need_table_of_twin},
      OptionRow{"distribution", "", "", "report",
                "print how the times are spread over steps and processes, instead of verdicts",
                switch_on(&Options::distribution), need_no_report_of_verdicts},
      OptionRow{"timeline", "FILE", "", "report",
                "write the memory during the step with the peak, for Perfetto or chrome://tracing",
                path_into(&Options::timeline, "a file, or - for stdout")},
      OptionRow{"own-loop", "", "", "init", "a project around a training loop with marks, instead of a workload class",
                switch_on(&Options::own_loop)},
      OptionRow{"begin", "", "", "report", "start a new suite run: no older verdict counts",
                switch_on(&Options::begin)},
      OptionRow{"expect-all", "", "", "report", "exit with 0 only where every case of the manifest was measured",
                switch_on(&Options::expect_all)},
      OptionRow{"verbose", "", "", shown, "show everything, not only what changed", switch_on(&Options::verbose)},
      OptionRow{"quiet", "", "", on_this_machine, "show no progress", switch_on(&Options::quiet)},
      OptionRow{"color", "auto|always|never", "", coloured, "colours (default auto, which respects NO_COLOR)",
                choice_into(&Options::color, "auto|always|never")},
      OptionRow{"help", "", "", "", "print this text; -h too", switch_on(&Options::help)},
      OptionRow{"version", "", "", "", "print the version", switch_on(&Options::version)},
  };
}

}  // namespace

const std::vector<OptionTopic>& option_table() {
  static const std::vector<OptionTopic> table = {
      OptionTopic{"Folders and names", place_rows()},
      OptionTopic{"Cases", case_rows()},
      OptionTopic{"Measuring", measuring_rows()},
      OptionTopic{"Quiet machine", machine_rows()},
      OptionTopic{"Pairs, seeds and sweeps", pair_rows()},
      OptionTopic{"Many machines", node_rows()},
      OptionTopic{"Profile", profile_rows()},
      OptionTopic{"History", history_rows()},
      OptionTopic{"Baselines and failures", baseline_rows()},
      OptionTopic{"Output", output_rows()},
  };
  return table;
}

const OptionRow* find_option(std::string_view name) {
  for (const OptionTopic& topic : option_table()) {
    for (const OptionRow& row : topic.rows) {
      if (row.name == name) return &row;
    }
  }
  return nullptr;
}

bool takes(std::string_view command, const OptionRow& option) {
  if (command.empty() || option.commands.empty()) return true;
  return fmt::format(", {}, ", option.commands).find(fmt::format(", {}, ", command)) != std::string::npos;
}

}  // namespace stepgate
