#include "experiment/ab_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "experiment/result_files.h"
#include "experiment/seed_runs.h"
#include "experiment/selection.h"
#include "judge/reduce/paired_values.h"
#include "launch/pair_order.h"
#include "system/file.h"

namespace stepgate {
namespace {

/// What the control is judged by: every case has it.
constexpr const char* control_metric = "step_time_ns";

std::filesystem::path seed_file(const Options& options) { return options.out / "ab-unfinished.txt"; }

/// Too little to speak of leaves the next case to be the control.
void keep_control(ControlResult result, AbRun& run) {
  constexpr std::size_t fewest = 2;  // pairs: check_control() needs a spread
  if (result.pairs.size() >= fewest) run.control = std::move(result);
}

}  // namespace

std::optional<std::uint64_t> unfinished_seed(const Options& options) {
  const auto text = read_text_file_if_present(seed_file(options));
  if (!text) return std::nullopt;
  const std::uint64_t seed = std::strtoull(text->c_str(), nullptr, 10);
  if (options.order_seed && *options.order_seed != seed) return std::nullopt;
  return seed;
}

void mark_unfinished(const Context& head, std::uint64_t seed) {
  prepare_result_folder(head.options.out);
  write_file_atomically(seed_file(head.options), fmt::format("{}\n", seed));
}

void mark_finished(const Context& head) { std::filesystem::remove(seed_file(head.options)); }

std::vector<ManifestCase> control_first(std::vector<ManifestCase> cases, std::uint64_t seed) {
  if (cases.empty()) return cases;
  const auto at = static_cast<std::ptrdiff_t>(control_case(seed, cases.size()));
  std::rotate(cases.begin(), cases.begin() + at, cases.begin() + at + 1);
  return cases;
}

bool is_new_case(const Context& base, const ManifestCase& entry) {
  if (has_case(base.manifest, entry.name)) return false;
  fmt::print(stderr, "stepgate: {} is only in the head build: new, not compared\n", entry.name);
  return true;
}

std::optional<AbDone> run_ab_case(AbRun& run, const ManifestCase& entry) {
  const Context& context = run.head;
  const bool timed = wants(context, entry, "timed");
  AbDone done{open_ab_case(context, run.base, entry, {timed && !run.control, run.resuming}), {}};
  if (wants(context, entry, "exact")) {
    done.measured.exact = measure_exact_sides(done.ab, context, run.interrupted);
    if (run.interrupted.load() != 0) return std::nullopt;
    if (run.decides_bytes && bytes_need_confirmation(context, done.ab, *done.measured.exact)) {
      done.measured.exact = with_more_processes(done.ab, context, run.interrupted, std::move(*done.measured.exact));
      if (run.interrupted.load() != 0) return std::nullopt;
    }
    const bool failed = has_failed(done.measured.exact->base) || has_failed(done.measured.exact->head);
    if (done.ab.plan.seeds > 0 && !failed)
      done.measured.trajectories = measure_seeds(done.ab, context, run.interrupted);
    if (run.interrupted.load() != 0) return std::nullopt;
  }
  if (timed) {
    const auto decided = [&](const PairsSoFar& so_far) { return pairs_decide(context, done.ab, so_far); };
    done.measured.timed = measure_pairs(done.ab, context, run.interrupted, decided);
    if (run.interrupted.load() != 0) return std::nullopt;
    if (done.ab.plan.control) keep_control(control_result(done.measured.timed.control, control_metric), run);
    done.measured.control = run.control;
  }
  close_ab_case(done.ab);
  return done;
}

}  // namespace stepgate
