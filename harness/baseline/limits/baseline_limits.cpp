#include "baseline/limits/baseline_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "baseline/diff.h"
#include "core/metric.h"
#include "core/stored/metric_margins.h"
#include "core/stored/varying_metric.h"
#include "core/text/commit_text.h"
#include "core/text/number_format.h"
#include "json/stored/baseline_json.h"

namespace stepgate {
namespace {

LimitChange file_change(const BaselineSides& sides, LimitMove move, std::string key = {}) {
  return {.subject = LimitSubject::baseline,
          .move = move,
          .suite = sides.suite,
          .place = sides.file,
          .key = std::move(key)};
}

/// "accepted 2026-11-09 at 9f2c1: new attention"
std::string acceptance(const Provenance& provenance) {
  std::string text = "accepted";
  if (!provenance.utc.empty()) text += " " + provenance.utc.substr(0, 10);
  if (!provenance.commit.empty()) text += " at " + short_commit(provenance.commit);
  return provenance.reason.empty() ? text : text + ": " + provenance.reason;
}

/// Whether anything but the provenance differs.
bool other_values(const Baseline& base, Baseline head) {
  head.provenance = base.provenance;
  return to_text(base) != to_text(head);
}

/// Each acceptance writes its own time.
bool is_edited_by_hand(const Baseline& base, const Baseline& head) {
  return base.provenance.utc == head.provenance.utc && other_values(base, head);
}

bool is_judged(const std::string& metric) {
  const Metric* known = find_metric(metric);
  return known == nullptr || known->gates;
}

MetricUnit unit_of(const std::string& metric) {
  const Metric* known = find_metric(metric);
  return known == nullptr ? MetricUnit::count : known->unit;
}

/// The values of a metric that both sides have: "412 -> 413", and "+0.24 %".
void add_values(const BaselineDiffRow& row, LimitChange& change) {
  const TwoQuantities both = two_quantities(unit_of(row.metric), *row.before, *row.after);
  change.before = both.first;
  change.after = both.second;
  if (row.change && *row.change != 0) change.note = change_text(*row.change);
  if (*row.before == *row.after) change.note = "the same on average, with other values";
}

/// Sessions are added with every acceptance, and move each time a little.
bool is_small_move(const BaselineSides& sides, const BaselineDiffRow& row) {
  const Metric* known = find_metric(row.metric);
  if (known == nullptr || known->tier != Tier::timed || !row.change) return false;
  return std::abs(*row.change) < margins_of(sides.policy, row.metric).ignore;
}

LimitMove direction_of(const BaselineDiffRow& row) {
  const Metric* known = find_metric(row.metric);
  if (known == nullptr || known->direction == Direction::neither || *row.before == *row.after)
    return LimitMove::changed;
  const bool more = *row.after > *row.before;
  return more == (known->direction == Direction::lower_is_better) ? LimitMove::accepted : LimitMove::tightened;
}

/// Where only the number of steps differs, every metric has other values and the same mean.
bool is_other_length(const BaselineSides& sides, const BaselineDiffRow& row) {
  return row.before == row.after && counted_steps(sides.base->exact) != counted_steps(sides.head->exact);
}

/// Only what differs has an entry.
void add_row(const BaselineSides& sides, const BaselineDiffRow& row, std::vector<LimitChange>& changes) {
  if (!row.moved || !is_judged(row.metric)) return;
  if (!row.before) {
    changes.push_back(file_change(sides, LimitMove::added, row.metric));
  } else if (!row.after) {
    if (!varies(sides.varying, row.metric)) changes.push_back(file_change(sides, LimitMove::removed, row.metric));
  } else if (!is_small_move(sides, row) && !is_other_length(sides, row)) {
    LimitChange change = file_change(sides, direction_of(row), row.metric);
    add_values(row, change);
    change.note += (change.note.empty() ? "" : ", ") + acceptance(sides.head->provenance);
    changes.push_back(std::move(change));
  }
}

std::size_t numeric_steps(const Baseline& baseline) { return baseline.numerics ? baseline.numerics->loss.size() : 0; }

struct Amount {
  const char* key;
  std::size_t before = 0;
  std::size_t after = 0;
  LimitMove fewer = LimitMove::loosened;
};

/// Fewer steps look at less. Fewer sessions or processes know less of the noise; whoever accepted them said why.
void add_amounts(const BaselineSides& sides, std::vector<LimitChange>& changes) {
  const Baseline &base = *sides.base, &head = *sides.head;
  const auto count = [](std::int64_t value) { return static_cast<std::size_t>(std::max<std::int64_t>(0, value)); };
  const Amount amounts[] = {
      {"counted steps", counted_steps(base.exact), counted_steps(head.exact)},
      {"steps of the loss", numeric_steps(base), numeric_steps(head)},
      {"sessions", base.sessions.size(), head.sessions.size(), LimitMove::accepted},
      {"processes", count(base.provenance.replicates), count(head.provenance.replicates), LimitMove::accepted},
  };
  for (const Amount& amount : amounts) {
    if (amount.after >= amount.before || amount.after == 0) continue;
    LimitChange change = file_change(sides, amount.fewer, amount.key);
    change.before = fmt::format("{}", amount.before);
    change.after = fmt::format("{}", amount.after);
    change.note = acceptance(head.provenance);
    changes.push_back(std::move(change));
  }
}

/// Other conditions: the values on both sides are not of the same work, machine or versions.
void add_conditions(const BaselineSides& sides, const BaselineDiff& diff, std::vector<LimitChange>& changes) {
  for (const FingerprintMismatch& fact : diff.key_facts) {
    LimitChange change = file_change(sides, LimitMove::changed, "key." + fact.key);
    change.before = fact.expected;
    change.after = fact.found;
    changes.push_back(std::move(change));
  }
}

/// "operators_per_step 412 -> 413 (+0.24 %)", the move that is farthest; otherwise what else differs.
LimitChange edited_file(const BaselineSides& sides, const BaselineDiff& diff) {
  LimitChange change = file_change(sides, LimitMove::edited_by_hand);
  change.note = largest_move(diff);
  const auto moved = static_cast<std::size_t>(
      std::count_if(diff.rows.begin(), diff.rows.end(), [](const BaselineDiffRow& row) { return row.moved; }));
  if (change.note.empty()) {
    change.note =
        moved > 0 ? counted(moved, "metric") + " with other values" : "no metric, but other parts of the file";
  } else if (moved > 1) {
    change.note += fmt::format(", and {}", counted(moved - 1, "more metric"));
  }
  return change;
}

}  // namespace

std::vector<LimitChange> baseline_changes(const BaselineSides& sides) {
  if (sides.base == nullptr && sides.head == nullptr) return {};
  if (sides.base == nullptr) {
    LimitChange added = file_change(sides, LimitMove::added);
    added.note = acceptance(sides.head->provenance);
    return {added};
  }
  if (sides.head == nullptr) return {file_change(sides, LimitMove::removed)};
  if (!other_values(*sides.base, *sides.head)) return {};
  const BaselineDiff diff = diff_baselines(sides.base, *sides.head);
  if (is_edited_by_hand(*sides.base, *sides.head)) return {edited_file(sides, diff)};
  std::vector<LimitChange> changes;
  for (const BaselineDiffRow& row : diff.rows) add_row(sides, row, changes);
  add_amounts(sides, changes);
  add_conditions(sides, diff, changes);
  return changes;
}

}  // namespace stepgate
