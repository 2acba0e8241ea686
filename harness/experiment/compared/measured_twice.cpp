#include "experiment/compared/measured_twice.h"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "core/error.h"
#include "experiment/plan/measurement_files.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// The files of a results folder by their place in it ("language/char_lm/tiny/exact"). Those of single pairs lie
/// deeper, in folders of other names.
std::map<std::string, fs::path> measurement_files(const fs::path& folder) {
  std::map<std::string, fs::path> files;
  std::error_code failed;
  for (fs::recursive_directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    const fs::path& file = at->path();
    if (file.filename() != "measurement.json") continue;
    const fs::path place = file.parent_path().lexically_relative(folder);
    if (place == "." || tier_choice_named(place.filename().string())) files[place.string()] = file;
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
  MeasuredTwice twice{.base = read_measurement(base),
                      .head = read_measurement(head),
                      .base_file = base,
                      .head_file = head,
                      .tier = TierChoice::all};
  require_same(twice, twice.base.case_name, twice.head.case_name);
  require_same(twice, std::string(name_of(twice.base.plan.device)), std::string(name_of(twice.head.plan.device)));
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

Notice only_in(const fs::path& where, const std::string& what) {
  return {Severity::warning, fmt::format("{} is only in {}: not compared", what, where.string())};
}

MatchedMeasurements in_both(const fs::path& base, const fs::path& head) {
  const auto of_base = measurement_files(base);
  const auto of_head = measurement_files(head);
  MatchedMeasurements all;
  for (const auto& [place, file] : of_base) {
    const auto found = of_head.find(place);
    if (found == of_head.end())
      all.notices.push_back(only_in(base, place));
    else
      all.matched.push_back(read_both(file, found->second));
  }
  for (const auto& [place, file] : of_head) {
    if (!of_base.contains(place)) all.notices.push_back(only_in(head, place));
  }
  return all;
}

/// Whether both measured that half. A notice names a half that only one side has.
bool both_measured(const MeasuredTwice& twice, Group group, std::vector<Notice>& notices) {
  const bool in_base = has_group(twice.base, group);
  const bool in_head = has_group(twice.head, group);
  if (in_base != in_head) {
    notices.push_back(only_in(in_base ? twice.base_file : twice.head_file,
                              fmt::format("the {} half of {}", name_of(group), twice.head.case_name)));
  }
  return in_base && in_head;
}

std::optional<TierChoice> shared_half(const MeasuredTwice& twice, TierChoice wanted, std::vector<Notice>& notices) {
  const bool exact = wants_exact(wanted) && both_measured(twice, Group::exact, notices);
  const bool timed = wants_timed(wanted) && both_measured(twice, Group::timed, notices);
  if (exact && timed) return TierChoice::all;
  if (exact) return TierChoice::exact;
  return timed ? std::optional(TierChoice::timed) : std::nullopt;
}

}  // namespace

MatchedMeasurements match_measurements(const fs::path& base, const fs::path& head, TierChoice wanted) {
  require_two(base, head);
  MatchedMeasurements found = fs::is_directory(base)
                                  ? in_both(base, head)
                                  : MatchedMeasurements{.matched = {read_both(base, head)}, .notices = {}};
  MatchedMeasurements shared{.matched = {}, .notices = std::move(found.notices)};
  for (MeasuredTwice& twice : found.matched) {
    const auto half = shared_half(twice, wanted, shared.notices);
    if (!half) continue;
    twice.tier = *half;
    shared.matched.push_back(std::move(twice));
  }
  return shared;
}

}  // namespace stepgate
