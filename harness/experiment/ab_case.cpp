#include "experiment/ab_case.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "experiment/pipeline.h"
#include "experiment/result_files.h"
#include "experiment/selection.h"
#include "json/stored/ab_plan_json.h"
#include "judge/interval/pair_plan.h"
#include "system/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

fs::path plan_file(const AbCase& ab) { return ab.folder / "ab.json"; }

/// About ten times what is compared step by step (policy.h): long enough for a loss to have an end.
constexpr std::int64_t default_seed_steps = 200;

/// Windows in turns cancel what drifts within a pair (docs/figures.md: a third of the spread), but only
/// where a process that waits for its turn is idle. Loader workers fill their queues meanwhile, ranks wait for each
/// other elsewhere, idle OpenMP threads may spin, and two processes on one GPU share its memory: those run one by one.
bool wants_alternating_windows(const Context& context, const AbCase& ab) {
  const std::string& wanted = context.options.interleave;
  const bool idle_when_waiting =
      ab.request.benchmark.empty() && ab.entry.device == "cpu" && ab.entry.cpus <= 1 && ab.request.plan.threads <= 1;
  if (wanted == "windows" && !idle_when_waiting) {
    fmt::print(stderr, "stepgate: {} runs its processes one after the other: windows in turns are for one CPU\n",
               ab.entry.name);
  }
  return wanted != "processes" && idle_when_waiting;
}

AbPlan plan_of(const Context& head, const Context& base, const AbCase& ab) {
  const std::int64_t most = head.options.pairs.value_or(most_pairs(default_pair_plan()));
  return {.case_name = ab.entry.name,
          .utc = head.start.utc,
          .order_seed = order_seed(head),
          .most_pairs = most,
          .alternating_windows = wants_alternating_windows(head, ab),
          .control = false,
          .base_digest = ab.builds.base_digest,
          .head_digest = ab.builds.head_digest,
          .base_commit = base.commit,
          .head_commit = head.commit,
          .seeds = head.options.seeds.value_or(0),
          .seed_steps = head.options.seed_steps.value_or(default_seed_steps),
          .plan = ab.request.plan,
          .complete = false};
}

void refuse_other_kind(const ManifestCase& head, const ManifestCase& base) {
  const auto refuse = [&](const char* what, const std::string& of_base, const std::string& of_head) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: {} is '{}' in the base build and '{}' in the head", head.name, what, of_base, of_head),
                "two builds can be compared where the case is the same: give the new one a new name");
  };
  if (head.device != base.device) refuse("the device", base.device, head.device);
  if (head.benchmark != base.benchmark) refuse("the benchmark", base.benchmark, head.benchmark);
}

/// Whether what lies in the folder is an interrupted run of the same comparison.
std::optional<AbPlan> interrupted_run(const AbCase& ab, const Options& options, bool resuming) {
  const auto text = read_text_file_if_present(plan_file(ab));
  if (!text) return std::nullopt;
  AbPlan before = ab_plan_from_text(*text, plan_file(ab).string());
  const bool other_order = options.order_seed && *options.order_seed != before.order_seed;
  if ((before.complete && !resuming) || other_order || !same_comparison(before, ab.plan)) return std::nullopt;
  return before;
}

}  // namespace

std::uint64_t order_seed(const Context& context) {
  return context.options.order_seed.value_or(static_cast<std::uint64_t>(context.start.unix_s));
}

Context base_context(const Context& head) {
  Options options = head.options;
  options.build = head.options.base_build;
  if (!fs::exists(options.build / "stepgate-manifest.json")) {
    throw Error(ErrorKind::usage, fmt::format("--base-build: no stepgate-manifest.json in {}", options.build.string()),
                "build the other side first and name its build folder; ci/ab REF does both");
  }
  Context base = read_context(options);
  refuse_debug_build(base.manifest);
  if (base.manifest.build_type == head.manifest.build_type) return base;
  throw Error(ErrorKind::usage,
              fmt::format("--base-build: {} is a {} build, {} a {} build", base.manifest.path.string(),
                          base.manifest.build_type, head.manifest.path.string(), head.manifest.build_type),
              "build both sides with the same flags");
}

AbCase open_ab_case(const Context& head, const Context& base, const ManifestCase& entry, const AbOpening& opening) {
  const ManifestCase other = select_cases(base.manifest, {entry.name}, {}).front();
  refuse_other_kind(entry, other);
  AbCase ab;
  ab.entry = entry;
  ab.entry.cpus = std::max(entry.cpus, other.cpus);  // both sides get the same: workers may be new, or gone
  ab.folder = head.options.out / entry.name / "ab";
  ab.budget_s = head.options.budget_s;
  prepare_result_folder(ab.folder);
  ab.builds = stage_builds(head.options.out / "ab-builds" / entry.program.filename(), other.program, entry.program);
  ab.request = request_for(head, ab.entry);
  ab.request.plan.timed_replicates = 1;
  ab.plan = plan_of(head, base, ab);
  ab.plan.control = opening.control;
  if (const auto before = interrupted_run(ab, head.options, opening.resuming)) {
    ab.plan.order_seed = before->order_seed;
    ab.plan.utc = before->utc;
    ab.plan.complete = before->complete;
    fmt::print(stderr, "stepgate: {}: going on with the run of {}\n", entry.name, before->utc);
    return ab;
  }
  for (const char* old : {"pairs", "control", "exact", "seeds"}) fs::remove_all(ab.folder / old);
  write_file_atomically(plan_file(ab), to_text(ab.plan));
  return ab;
}

void close_ab_case(AbCase& ab) {
  ab.plan.complete = true;
  write_file_atomically(plan_file(ab), to_text(ab.plan));
}

}  // namespace stepgate
