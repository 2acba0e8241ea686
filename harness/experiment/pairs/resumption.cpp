#include "experiment/pairs/resumption.h"

#include <fmt/format.h>

#include <cstdlib>

#include "experiment/plan/measurement_files.h"
#include "json/stored/ab_plan_json.h"
#include "system/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

fs::path seed_file(const fs::path& out) { return out / "ab-unfinished.txt"; }
fs::path plan_file(const fs::path& folder) { return folder / "ab.json"; }

}  // namespace

std::optional<std::uint64_t> unfinished_seed(const fs::path& out, std::optional<std::uint64_t> wanted) {
  const auto text = read_text_file_if_present(seed_file(out));
  if (!text) return std::nullopt;
  const std::uint64_t seed = std::strtoull(text->c_str(), nullptr, 10);
  if (wanted && *wanted != seed) return std::nullopt;
  return seed;
}

void mark_unfinished(const fs::path& out, std::uint64_t seed) {
  prepare_result_folder(out);
  write_file_atomically(seed_file(out), fmt::format("{}\n", seed));
}

void mark_finished(const fs::path& out) { fs::remove(seed_file(out)); }

std::optional<AbPlan> interrupted_plan(const fs::path& folder, const AbPlan& wanted, const Resumable& allowed) {
  const auto text = read_text_file_if_present(plan_file(folder));
  if (!text) return std::nullopt;
  AbPlan before = ab_plan_from_text(*text, plan_file(folder).string());
  const bool other_order = !allowed.any_order && before.order_seed != wanted.order_seed;
  if ((before.complete && !allowed.complete) || other_order || !same_comparison(before, wanted)) return std::nullopt;
  return before;
}

void begin_plan(const fs::path& folder, const AbPlan& plan) {
  fs::remove(plan_file(folder));  // first: a complete plan beside pairs that are half removed would be taken up
  for (const char* old : {"pairs", "control", "exact", "seeds"}) fs::remove_all(folder / old);
  write_file_atomically(plan_file(folder), to_text(plan));
}

void complete_plan(const fs::path& folder, AbPlan& plan) {
  plan.complete = true;
  write_file_atomically(plan_file(folder), to_text(plan));
}

}  // namespace stepgate
