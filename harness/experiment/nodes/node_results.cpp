#include "experiment/nodes/node_results.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/text/number_format.h"
#include "experiment/nodes/node_machines.h"
#include "json/stored/shard_plan_json.h"
#include "judge/reduce/pairs/reduce_pairs.h"
#include "judge/verdict/control_check.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// Whole files only: one that is being written has a name that begins with a dot.
std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code none;
  for (fs::recursive_directory_iterator at(folder, none), end; at != end; at.increment(none)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with('.') && name.ends_with(".json")) files.push_back(at->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool plans_case(const ShardPlan& plan, const std::string& name) {
  return std::any_of(plan.cases.begin(), plan.cases.end(),
                     [&](const PlannedCase& planned) { return planned.plan.case_name == name; });
}

}  // namespace

std::vector<Notice> uncounted_results(const NodeResults& results) {
  std::vector<Notice> notices;
  if (!results.foreign().empty()) {
    notices.push_back({Severity::warning,
                       fmt::format("{} of another plan left out, {} first", counted(results.foreign().size(), "result"),
                                   results.foreign().front()),
                       ""});
  }
  if (const std::int64_t twice = results.duplicates(); twice > 0) {
    notices.push_back(
        {Severity::note, fmt::format("{} came twice; the lower attempt counts", counted(twice, "result")), ""});
  }
  return notices;
}

MeasuredPair measured_pair(const NodeResult& result) {
  return {.index = result.index, .head_first = result.head_first, .base = result.base, .head = result.head};
}

void NodeResults::read_new() {
  for (const char* part : {"control", "exact", "pairs", "rounds"}) {
    for (const fs::path& file : files_below(opened_.folder / part)) {
      if (seen_.contains(file.string())) continue;
      take(node_result_from_text(read_text_file(file), file.string()), file.string());
      seen_.insert(file.string());
    }
  }
}

void NodeResults::take(NodeResult result, const std::string& file) {
  if (result.plan_digest != opened_.digest || !plans_case(opened_.plan, result.case_name)) {
    foreign_.push_back(file);
    return;
  }
  machines_[result.place].merge(machine_facts(result));
  const std::int64_t attempt = result.attempt;
  switch (result.kind) {
    case NodeResultKind::pair:
    case NodeResultKind::round: {
      const Key key{result.case_name, result.index};
      pairs_[key].emplace(attempt, std::move(result));
      return;
    }
    case NodeResultKind::exact: {
      const std::string name = result.case_name;
      exact_[name].emplace(attempt, std::move(result));
      return;
    }
    case NodeResultKind::control: {
      const std::pair<std::int64_t, std::int64_t> node{result.shard, attempt};
      const std::int64_t index = result.index;
      controls_[node].emplace(index, std::move(result));
      return;
    }
  }
}

const NodeResult* NodeResults::pair(const std::string& case_name, std::int64_t index) const {
  const auto found = pairs_.find({case_name, index});
  return found == pairs_.end() ? nullptr : &found->second.begin()->second;
}

const NodeResult* NodeResults::exact(const std::string& case_name) const {
  const auto found = exact_.find(case_name);
  return found == exact_.end() ? nullptr : &found->second.begin()->second;
}

std::vector<NodeControl> NodeResults::controls() const {
  std::vector<NodeControl> all;
  for (const auto& [node, by_index] : controls_) {
    if (std::ssize(by_index) < node_control_pairs) continue;
    std::vector<MeasuredPair> pairs;
    for (const auto& [index, result] : by_index) pairs.push_back(measured_pair(result));
    NodeControl control{.place = by_index.begin()->second.place, .result = control_result(pairs)};
    const ControlCheck check = check_control(control.result);
    control.rejected = check.outcome == ControlCheck::Outcome::moved;
    control.largest_shift = check.largest;
    all.push_back(std::move(control));
  }
  return all;
}

std::set<std::string> NodeResults::rejected_places() const {
  std::set<std::string> places;
  for (const NodeControl& control : controls()) {
    if (control.rejected) places.insert(control.place);
  }
  return places;
}

PlanSequence NodeResults::sequence(const PlannedCase& planned, bool all) const {
  const std::set<std::string> rejected = rejected_places();
  PlanSequence found;
  for (; found.end < planned.tries; ++found.end) {
    const NodeResult* one = pair(planned.plan.case_name, found.end);
    if (one == nullptr) {
      if (!all && !is_lost(opened_, planned.plan.case_name, found.end)) break;
      found.missing.push_back(found.end);
    } else if (!rejected.contains(one->place)) {
      found.pairs.push_back(one);
    }
  }
  return found;
}

std::int64_t NodeResults::duplicates() const {
  std::int64_t count = 0;
  for (const auto& [key, attempts] : pairs_) count += std::ssize(attempts) - 1;
  for (const auto& [name, attempts] : exact_) count += std::ssize(attempts) - 1;
  return count;
}

}  // namespace stepgate
