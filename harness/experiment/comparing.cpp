#include "experiment/comparing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "baseline/make_baseline.h"
#include "core/error.h"
#include "experiment/advice.h"
#include "experiment/pipeline.h"
#include "experiment/selection.h"
#include "json/records/measurement_json.h"
#include "judge/reduce/case_values.h"
#include "system/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// The files of a results folder by their place in it ("language/char_lm/tiny/exact"). Those of single pairs lie
/// deeper, in folders that are no tier.
std::map<std::string, fs::path> measurement_files(const fs::path& folder) {
  static const std::set<std::string> tiers = {"exact", "timed", "all"};
  std::map<std::string, fs::path> files;
  std::error_code failed;
  for (fs::recursive_directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    const fs::path& file = at->path();
    if (file.filename() != "measurement.json") continue;
    const fs::path place = file.parent_path().lexically_relative(folder);
    if (place == "." || tiers.contains(place.filename().string())) files[place.string()] = file;
  }
  if (!failed) return files;
  throw Error(ErrorKind::usage, fmt::format("{} cannot be read: {}", folder.string(), failed.message()),
              "name a folder of results that can be read");
}

void require_same(const MeasuredTwice& twice, const std::string& base, const std::string& head) {
  if (base == head) return;
  throw Error(ErrorKind::usage,
              fmt::format("{} is of {}, {} of {}", twice.base_file.string(), base, twice.head_file.string(), head),
              "name two measurements of one case on one kind of device");
}

MeasuredTwice read_both(const fs::path& base, const fs::path& head) {
  MeasuredTwice twice{.base = measurement_from_text(read_text_file(base), base.string()),
                      .head = measurement_from_text(read_text_file(head), head.string()),
                      .base_file = base,
                      .head_file = head,
                      .tier = ""};
  require_same(twice, twice.base.case_name, twice.head.case_name);
  require_same(twice, twice.base.plan.device, twice.head.plan.device);
  return twice;
}

void require_two(const fs::path& base, const fs::path& head) {
  std::error_code failed;
  for (const fs::path& path : {base, head}) {
    if (!fs::exists(path, failed))
      throw Error(ErrorKind::usage, fmt::format("'{}' does not exist", path.string()),
                  "stepgate compare BEFORE AFTER: measurement.json files, or folders of results");
  }
  if (fs::equivalent(base, head, failed))
    throw Error(ErrorKind::usage, fmt::format("{} is given twice: there is nothing to compare", base.string()),
                "name the measurement from before the change, then the one from after it");
  if (fs::is_directory(base, failed) != fs::is_directory(head, failed))
    throw Error(ErrorKind::usage,
                fmt::format("{} and {}: one is a folder, the other a file", base.string(), head.string()),
                "name two files, or two folders of results (--out of stepgate run)");
}

void say_only_in(const fs::path& where, const std::string& what) {
  fmt::print(stderr, "stepgate: {} is only in {}: not compared\n", what, where.string());
}

std::vector<MeasuredTwice> in_both(const fs::path& base, const fs::path& head) {
  const auto of_base = measurement_files(base);
  const auto of_head = measurement_files(head);
  std::vector<MeasuredTwice> all;
  for (const auto& [place, file] : of_base) {
    const auto found = of_head.find(place);
    if (found == of_head.end())
      say_only_in(base, place);
    else
      all.push_back(read_both(file, found->second));
  }
  for (const auto& [place, file] : of_head) {
    if (!of_base.contains(place)) say_only_in(head, place);
  }
  return all;
}

bool measured(const Measurement& measurement, Group group) {
  return std::any_of(measurement.replicates.begin(), measurement.replicates.end(),
                     [&](const Replicate& replicate) { return replicate.group == group; });
}

/// Whether both measured that half; one that only one side has is no reason to be silent.
bool both_measured(const MeasuredTwice& twice, Group group) {
  const bool in_base = measured(twice.base, group);
  const bool in_head = measured(twice.head, group);
  if (in_base != in_head)
    say_only_in(in_base ? twice.base_file : twice.head_file,
                fmt::format("the {} half of {}", name_of(group), twice.head.case_name));
  return in_base && in_head;
}

std::string shared_tier(const MeasuredTwice& twice, const std::string& wanted) {
  const bool exact = wanted != "timed" && both_measured(twice, Group::exact);
  const bool timed = wanted != "exact" && both_measured(twice, Group::timed);
  if (exact && timed) return "all";
  return exact ? "exact" : timed ? "timed" : "";
}

/// Cases that are compared and not in the manifest at hand.
void add_cases(const std::vector<MeasuredTwice>& all, Manifest& manifest) {
  for (const MeasuredTwice& twice : all) {
    const std::string& name = twice.head.case_name;
    if (has_case(manifest, name)) continue;
    manifest.cases.push_back({.name = name,
                              .suite = name.substr(0, name.find('/')),
                              .program = twice.head.program,
                              .device = twice.head.plan.device});
  }
}

/// Limits and waivers decide: that they are not the project's own must not pass unseen.
void say_without_policies(const Context& context, const std::vector<MeasuredTwice>& all) {
  std::set<std::string> suites;
  for (const MeasuredTwice& twice : all) suites.insert(twice.head.case_name.substr(0, twice.head.case_name.find('/')));
  for (const std::string& suite : suites) {
    if (!context.policy_root.empty() && fs::exists(context.policy_root / suite / "policy.json")) continue;
    fmt::print(stderr,
               "stepgate: no policy of suite {} at hand: the default limits hold\n  next: --policy-dir DIR, or "
               "--build DIR\n",
               suite);
  }
}

/// One scope's half of the base in the place of a stored file.
std::optional<Baseline> stored_as(const MakeBaselineRequest& request, const fs::path& file, CaseValues& head) {
  try {
    return make_baseline(request);
  } catch (const Error& error) {
    head.failures.push_back(fmt::format("{}: {}; {}", file.string(), error.what(), error.remedy()));
    return std::nullopt;
  }
}

OtherSide base_side(const Context& context, const ManifestCase& entry, const MeasuredTwice& twice, CaseValues& head) {
  OtherSide other;
  other.base_group = case_values(twice.base);
  const CaseValues& base = *other.base_group;
  const bool exact = wants(context, entry, "exact");
  const bool timed = wants(context, entry, "timed");
  const bool discarded = base.clean_timed == 0 && base.tainted > 0;  // judged as too few, not as missing
  MakeBaselineRequest request{.values = base,
                              .scope = Scope::runner,
                              .runner_class = twice.base.runner_class,
                              .utc = twice.base.utc,
                              .unix_s = twice.base.unix_s,
                              .commit = twice.base.commit,
                              .with_times = timed && !discarded,
                              .keyed_by_exact = !timed};
  const bool on_cuda = entry.device == "cuda";
  if (request.with_times || (on_cuda && exact)) other.runner = stored_as(request, twice.base_file, head);
  request.scope = Scope::portable;
  if (!on_cuda && exact) other.portable = stored_as(request, twice.base_file, head);
  return other;
}

void describe(const MeasuredTwice& twice, Outcome& outcome) {
  const Measurement& base = twice.base;
  outcome.group = twice.tier == "all" ? "compare" : "compare-" + twice.tier;
  outcome.baseline_commit = base.commit;
  outcome.baseline_summary =
      fmt::format("{}, measured {}", base.commit.empty() ? "commit unknown" : base.commit, base.utc);
}

}  // namespace

std::vector<MeasuredTwice> measured_twice(const Options& options) {
  const fs::path base = options.arguments.at(0);
  const fs::path head = options.arguments.at(1);
  require_two(base, head);
  std::vector<MeasuredTwice> all =
      fs::is_directory(base) ? in_both(base, head) : std::vector<MeasuredTwice>{read_both(base, head)};
  for (MeasuredTwice& twice : all) twice.tier = shared_tier(twice, options.tier);
  std::erase_if(all, [](const MeasuredTwice& twice) { return twice.tier.empty(); });
  if (!all.empty()) return all;
  throw Error(ErrorKind::usage,
              fmt::format("{} and {} have nothing in common{}", base.string(), head.string(),
                          options.tier == "all" ? "" : " in the " + options.tier + " half"),
              "measure the same half of the same case twice: stepgate run CASE --tier exact --out DIR");
}

Context context_without_build(const Options& options, const std::vector<MeasuredTwice>& all) {
  Context context;
  context.options = options;
  context.options.runner_class = all.front().head.runner_class;
  context.manifest = manifest_if_at_hand(options);
  add_cases(all, context.manifest);
  context.policy_root = options.policy_root.empty() ? context.manifest.policy_root : options.policy_root;
  context.start = now();
  say_without_policies(context, all);
  return context;
}

Outcome compare_measurements(const Context& context, const ManifestCase& entry, const MeasuredTwice& twice) {
  CaseValues head = case_values(twice.head);
  for (const std::string& failure : case_values(twice.base).failures)
    head.failures.push_back(fmt::format("{}: {}", twice.base_file.string(), failure));
  OtherSide other;
  if (head.failures.empty()) other = base_side(context, entry, twice, head);
  Outcome outcome = explain(context, entry, head, other);
  add_failures(twice.base, outcome);
  add_failures(twice.head, outcome);
  outcome.reproduce_command = compare_command(context, twice.base_file, twice.head_file);
  describe(twice, outcome);
  return outcome;
}

}  // namespace stepgate
