#include "experiment/pairs/resumption.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "core/error.h"
#include "core/text/utc_time.h"
#include "experiment/plan/measurement_files.h"
#include "json/stored/ab_plan_json.h"
#include "json/text/read_back.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

fs::path seed_file(const fs::path& out) { return out / "ab-unfinished.txt"; }
fs::path plan_file(const fs::path& folder) { return folder / "ab.json"; }

/// The folders that the processes of a plan write.
constexpr const char* parts_of_case[] = {"pairs", "control", "exact", "seeds", "observed"};

void write_plan(const fs::path& folder, const AbPlan& plan) {
  const fs::path file = plan_file(folder);
  write_file_atomically(file, text_that_reads_back(plan, file.string(), ab_plan_from_text));
}

/// What mark_unfinished() wrote. Another order than the interrupted one would be measured under its name.
std::uint64_t seed_in(const std::string& text, const fs::path& file) {
  std::uint64_t seed = 0;
  const char* const last = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data(), last, seed);
  if (error == std::errc() && std::string_view(after, last) == "\n") return seed;
  throw Error(ErrorKind::measure, fmt::format("{}: expected the number that drew the order of sides", file.string()),
              "remove the file: the run begins anew");
}

/// When the newest complete process below the folder of a case began; 0 where there is none.
std::int64_t newest_process(const fs::path& folder) {
  std::int64_t newest = 0;
  for (const char* part : parts_of_case) {
    std::error_code none;
    for (fs::recursive_directory_iterator at(folder / part, none), end; !none && at != end; at.increment(none)) {
      if (at->path().filename() == "measurement.json") newest = std::max(newest, read_measurement(at->path()).unix_s);
    }
  }
  return newest;
}

}  // namespace

std::optional<std::uint64_t> unfinished_seed(const fs::path& out, std::optional<std::uint64_t> wanted) {
  const auto text = read_text_file_if_present(seed_file(out));
  if (!text) return std::nullopt;
  const std::uint64_t seed = seed_in(*text, seed_file(out));
  if (wanted && *wanted != seed) return std::nullopt;
  return seed;
}

void mark_unfinished(const fs::path& out, std::uint64_t seed) {
  prepare_result_folder(out);
  write_file_atomically(seed_file(out), fmt::format("{}\n", seed));
}

void mark_finished(const fs::path& out) { fs::remove(seed_file(out)); }

std::string too_long_ago(const std::vector<fs::path>& folders, std::int64_t now_unix_s) {
  std::int64_t newest = 0;
  for (const fs::path& folder : folders) newest = std::max(newest, newest_process(folder));
  if (newest == 0 || std::abs(now_unix_s - newest) < longest_pause_s) return "";
  return fmt::format("its last process is {}, and {} min may lie between two", age_text(now_unix_s - newest),
                     longest_pause_s / 60);
}

Resumption interrupted_plan(const fs::path& folder, const AbPlan& wanted, const Resumable& allowed) {
  const auto text = read_text_file_if_present(plan_file(folder));
  if (!text) return {};
  AbPlan before = ab_plan_from_text(*text, plan_file(folder).string());
  if (before.complete && !allowed.complete) return {};
  if (std::string other = difference_between(before, wanted); !other.empty()) return {.refusal = std::move(other)};
  if (!before.complete) {
    if (std::string pause = too_long_ago({folder}, allowed.now_unix_s); !pause.empty())
      return {.refusal = std::move(pause)};
  }
  if (!allowed.any_order && before.order_seed != wanted.order_seed)
    return {.refusal = "the order of its sides is another one"};
  return {.plan = std::move(before)};
}

void begin_plan(const fs::path& folder, const AbPlan& plan) {
  fs::remove(plan_file(folder));  // first: a complete plan beside pairs that are half removed would be taken up
  for (const char* part : parts_of_case) fs::remove_all(folder / part);
  write_plan(folder, plan);
}

void complete_plan(const fs::path& folder, AbPlan& plan) {
  plan.complete = true;
  write_plan(folder, plan);
}

}  // namespace stepgate
