#include "cli/commands/command_baseline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "baseline/accept.h"
#include "baseline/baseline_path.h"
#include "baseline/diff.h"
#include "baseline/find_baseline.h"
#include "baseline/leftovers.h"
#include "baseline/lint.h"
#include "baseline/pending.h"
#include "cli/command_texts.h"
#include "cli/options/groups/cases.h"
#include "cli/options/groups/reason_row.h"
#include "cli/output.h"
#include "core/error.h"
#include "core/text/utc_time.h"
#include "experiment/plan/project.h"
#include "experiment/plan/selection.h"
#include "experiment/results/nothing_pending.h"
#include "experiment/results/pending_files.h"
#include "report/baselines/baseline_diff_report.h"
#include "report/baselines/baseline_report.h"
#include "report/baselines/lint_report.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

bool is_file_argument(const std::string& word) { return word.ends_with(".json"); }

/// Pending files of the named cases and of the half that --tier names, all of them without names; words that end in
/// .json are files themselves.
std::vector<fs::path> chosen_pending(const Project& project, const std::vector<std::string>& words, TierChoice half) {
  std::vector<fs::path> chosen;
  for (const std::string& word : words)
    if (is_file_argument(word)) chosen.emplace_back(word);
  const bool all = words.empty();
  for (const fs::path& file : pending_files(project.out)) {
    const Baseline pending = read_pending_file(file);
    const std::string& name = pending.case_name;
    if (!holds_half(pending, half)) continue;
    if (all || std::find(words.begin(), words.end(), name) != words.end()) chosen.push_back(file);
  }
  if (!chosen.empty()) return chosen;
  const std::string nothing = fmt::format(
      "no pending file{} in {}{}", half == TierChoice::all ? "" : fmt::format(" of the {} half", name_of(half)),
      (project.out / "pending").string(), all ? "" : fmt::format(" for {}", fmt::join(words, ", ")));
  const std::string why = why_nothing_is_pending(project, words);
  if (!why.empty())
    throw Error(ErrorKind::usage, fmt::format("{}\n{}", nothing, why), "stepgate report shows the verdicts");
  throw Error(ErrorKind::usage, nothing,
              "measure first: stepgate gate CASE; or name the files, or another folder of results with --out");
}

std::vector<fs::path> pending_of_new_metrics(const Project& project, TierChoice half) {
  const NewMetricFiles found = new_metric_files(project, half);
  constexpr std::string_view why = "the pending file of its verdict is gone, or another run has replaced it";
  if (found.files.empty() && !found.without.empty())
    throw Error(ErrorKind::usage, fmt::format("{}: {}", fmt::join(found.without, ", "), why),
                fmt::format("measure again: stepgate gate {}", fmt::join(found.without, " ")));
  if (found.files.empty())
    throw Error(ErrorKind::usage,
                fmt::format("no stored verdict in {} passes and leaves a new metric unjudged", project.out.string()),
                "stepgate report shows the verdicts; name the cases that you mean");
  for (const std::string& name : found.without)
    print_line(stdout, "{0}: left out: {1}; measure it again: stepgate gate {0}", name, why);
  return found.files;
}

void need_no_names(const BaselineAcceptCommand& o) {
  if (o.arguments.empty() && !o.all) return;
  throw Error(ErrorKind::usage, "--new-metrics chooses the cases by their verdicts, and others were asked for, too",
              "leave out the names and --all; or leave out --new-metrics");
}

/// Without names every pending file is meant, and a person may have forgotten those of an earlier run.
void refuse_leftovers(const Project& project, const std::vector<PendingFile>& files) {
  const std::vector<PendingFile> old = leftovers(files);
  if (old.empty()) return;
  std::string list;
  for (const PendingFile& file : old) list += "\n  " + describe(file, project.start.unix_s);
  throw Error(ErrorKind::usage,
              fmt::format("{} of {} pending files are of an earlier run:{}", old.size(), files.size(), list),
              "name the cases that you mean, add --all, or remove these files");
}

std::map<std::string, std::int64_t> fewest_processes(const Project& project, const std::vector<PendingFile>& files) {
  std::map<std::string, std::int64_t> fewest;
  for (const PendingFile& file : files) {
    const std::string suite = file.case_name.substr(0, file.case_name.find('/'));
    fewest[file.case_name] = read_policy(project, suite).min_clean_replicates;
  }
  return fewest;
}

void print_accepted(const Accepted& one, const Project& project) {
  const Provenance& measured = one.measured;
  std::string origin;
  if (const auto then = unix_seconds(measured.utc)) origin = ", " + age_text(project.start.unix_s - *then);
  if (!measured.options.empty()) origin += ", " + measured.options;
  print_line(stdout, "{}: {}{}{}", name_of(one.kind), one.file.string(),
             one.moved.empty() ? "" : " (" + one.moved + ")", origin);
  for (const FingerprintMismatch& fact : one.key_changes) {
    print_line(stdout, "  key: {} was {}, is {}", fact.key, fact.expected,
               fact.found.empty() ? "(unknown)" : fact.found);
  }
  for (const std::string& note : one.notes) print_line(stdout, "  note: {}", note);
}

}  // namespace

OptionRows rows_of(BaselineAcceptCommand& o) {
  return joined({rows_of(o.places),
                 {tier_row(o.tier), reason_row(o.reason)},
                 {{Topic::baselines, "append", "", "",
                   "add the session even if the step time has moved by more than 5 %", switch_on(o.append)},
                  {Topic::baselines, "replace", "", "",
                   "drop the stored sessions of this runner class, and start with the new one", switch_on(o.replace)},
                  {Topic::baselines, "other-options", "", "",
                   "accept values that were measured with other options (--seed, --steps) than a gate without any",
                   switch_on(o.other_options)},
                  {Topic::baselines, "all", "", "", "accept what earlier runs left, too", switch_on(o.all)},
                  {Topic::baselines,
                   "new-metrics",
                   "",
                   "",
                   "only cases that pass without a waiver and whose baseline lacks a metric that gates",
                   switch_on(o.new_metrics),
                   {[&o] { need_no_names(o); }}},
                  {Topic::baselines, "local", "", "", "note in the file that it was measured on somebody's own machine",
                   switch_on(o.local)}}});
}

int command_baseline_accept(const BaselineAcceptCommand& o) {
  const Project project = read_project(project_options(o.places));
  AcceptRequest request;
  request.baseline_root = project.baseline_root;
  request.reason = o.reason;
  request.ci = in_ci();
  request.local = o.local;
  request.append = o.append;
  request.replace = o.replace;
  request.other_options = o.other_options;
  request.utc = project.start.utc;
  request.commit = project.commit;
  // Refused before files are looked for: under CI the answer is no, whatever lies there.
  if (!request.ci && !request.reason.empty()) {
    request.pending =
        o.new_metrics ? pending_of_new_metrics(project, o.tier) : chosen_pending(project, o.arguments, o.tier);
    const auto files = read_pending(request.pending);
    if (o.arguments.empty() && !o.all) refuse_leftovers(project, files);
    request.fewest_processes = fewest_processes(project, files);
  }
  for (const Accepted& one : accept(request)) print_accepted(one, project);
  std::vector<fs::path> used;
  for (const fs::path& file : request.pending)
    if (file.string().find("/pending/") != std::string::npos) used.push_back(file);
  reject_pending(used);
  // Without the intent to add, git diff shows nothing of a file that is new.
  const std::string folder = shell_quoted(project.baseline_root.string());
  print_line(stdout, "Review and commit: git add --intent-to-add -- {0} && git diff -- {0}", folder);
  return 0;
}

OptionRows rows_of(BaselineDiffCommand& o) {
  return joined({{build_row(o.build), out_row(o.out), baseline_dir_row(o.baseline_root), verbose_row(o.style)},
                 rows_of(o.style.table)});
}

int command_baseline_diff(const BaselineDiffCommand& o) {
  const Project project = read_project({.build = o.build, .baseline_root = o.baseline_root, .out = o.out});
  std::vector<BaselineDiff> diffs;
  for (const fs::path& file : chosen_pending(project, o.arguments, TierChoice::all)) {
    const Baseline pending = read_pending_file(file);
    const auto committed = find_baseline(project.baseline_root, name_of(pending));
    diffs.push_back(diff_baselines(committed ? &*committed : nullptr, pending));
  }
  print_page(stdout, render_baseline_diffs(diffs, console_style(o.style)), console_style(o.style));
  return 0;
}

OptionRows rows_of(BaselineLintCommand& o) { return {build_row(o.build), baseline_dir_row(o.baseline_root)}; }

int command_baseline_lint(const BaselineLintCommand& o) {
  const Project project = read_project({.build = o.build, .baseline_root = o.baseline_root});
  const LintResult result = lint_baselines(project.baseline_root, &project.manifest);
  print_text(stdout, render_lint(result.problems, result.files));
  if (result.dirty > 0) print_line(stdout, "{} of them measured from a tree with uncommitted changes", result.dirty);
  return result.problems.empty() ? 0 : 5;
}

OptionRows rows_of(BaselineShowCommand& o) {
  return joined(
      {{build_row(o.build), baseline_dir_row(o.baseline_root), runner_class_row(o.runner_class), verbose_row(o.style)},
       rows_of(o.style.table)});
}

int command_baseline_show(const BaselineShowCommand& o) {
  const Project project =
      read_project({.build = o.build, .baseline_root = o.baseline_root, .runner_class = o.runner_class});
  if (o.arguments.size() != 1)
    throw Error(ErrorKind::usage, "baseline show needs one case", "e.g. stepgate baseline show language/char_lm/tiny");
  const std::string& name = o.arguments.front();
  std::string shown;
  for (const BaselineName& file : baseline_names(o.runner_class, name)) {
    const auto baseline = find_baseline(project.baseline_root, file);
    if (!baseline) continue;
    shown += (shown.empty() ? "" : "\n") +
             render_baseline(*baseline, diff_baselines(nullptr, *baseline), console_style(o.style));
  }
  if (shown.empty()) {
    case_named(project.manifest, name);  // an unknown name is a mistake, and gets the nearest one
    throw Error(ErrorKind::baseline,
                fmt::format("no baseline of '{}' below {}, neither portable nor of runner class {}", name,
                            project.baseline_root.string(), o.runner_class),
                "cases that have a baseline: stepgate list, with the same --build");
  }
  print_page(stdout, shown, console_style(o.style));
  return 0;
}

}  // namespace stepgate
