#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include "core/metric.h"
#include "measure/ranks/rank_merge_parts.h"
#include "system/fnv_hash.h"

namespace stepgate {
namespace {

using Totals = std::map<std::string, std::int64_t>;

const std::vector<std::int64_t>* sequence(const WorkCounts& counts, const std::string& metric) {
  const auto at = counts.per_step.find(metric);
  return at == counts.per_step.end() ? nullptr : &at->second;
}

bool equal_inputs(const WorkCounts& one, const WorkCounts& other) {
  // An amount that no rank declares is no difference. Bytes must be known: without them batches may differ unseen.
  const auto* const bytes = sequence(one, "h2d_bytes_per_step");
  return bytes != nullptr &&
         std::ranges::all_of(std::array{"samples_per_step", "padded_tokens_per_step", "h2d_bytes_per_step"},
                             [&](const char* metric) {
                               const auto* left = sequence(one, metric);
                               const auto* right = sequence(other, metric);
                               return left == nullptr || right == nullptr ? left == right : *left == *right;
                             });
}

/// Loading and logging may differ: often only one rank logs.
void require_equal_operators(const RunRecord& first, const RunRecord& other, std::int64_t rank) {
  for (const Boundary boundary : first.boundaries.order()) {
    if (boundary == Boundary::data_wait || boundary == Boundary::h2d || boundary == Boundary::logging) continue;
    const std::string where(first.boundaries.name(boundary));
    const auto of = [&](const WorkCounts& counts) {
      const auto at = counts.operators.find(where);
      return at == counts.operators.end() ? Totals{} : at->second;
    };
    if (of(*first.counts) != of(*other.counts))
      ranks_differ(fmt::format("operators in {}, on batches of equal size", where), rank);
  }
}

void add(Totals& into, const Totals& more) {
  for (const auto& [name, count] : more) into[name] += count;
}

void raise_to(Totals& into, const Totals& other) {
  for (const auto& [name, value] : other) {
    const auto [at, fresh] = into.emplace(name, value);
    if (!fresh) at->second = std::max(at->second, value);
  }
}

void raise_to(std::vector<std::int64_t>& into, const std::vector<std::int64_t>& other) {
  for (std::size_t i = 0; i < std::min(into.size(), other.size()); ++i) into[i] = std::max(into[i], other[i]);
}

void raise_to(BoundaryMemory& into, const BoundaryMemory& other) {
  into.peak_allocated_bytes = std::max(into.peak_allocated_bytes, other.peak_allocated_bytes);
  into.allocated_bytes = std::max(into.allocated_bytes, other.allocated_bytes);
  into.requested_bytes = std::max(into.requested_bytes, other.requested_bytes);
  into.active_bytes = std::max(into.active_bytes, other.active_bytes);
  into.reserved_bytes = std::max(into.reserved_bytes, other.reserved_bytes);
}

void add(std::vector<std::int64_t>& into, const std::vector<std::int64_t>& more) {
  for (std::size_t i = 0; i < std::min(into.size(), more.size()); ++i) into[i] += more[i];
}

/// Joins as the metric's row in the catalogue says.
void join(const Metric* metric, std::vector<std::int64_t>& into, const std::vector<std::int64_t>& more) {
  const bool highest = metric != nullptr && metric->over_ranks == OverRanks::highest;
  highest ? raise_to(into, more) : add(into, more);
}

void add_counts(WorkCounts& into, const WorkCounts& more, std::int64_t rank) {
  for (const auto& [metric, values] : more.per_step) {
    auto& joined = into.per_step[metric];
    if (joined.size() != values.size()) ranks_differ("counts of " + metric, rank);
    join(find_metric(metric), joined, values);
  }
  for (const auto& [metric, totals] : more.by_boundary) add(into.by_boundary[metric], totals);
  for (const auto& [boundary, calls] : more.operators) add(into.operators[boundary], calls);
  add(into.worker_operators, more.worker_operators);
  for (const auto& [metric, boundaries] : more.device_calls) {
    for (const auto& [boundary, calls] : boundaries) add(into.device_calls[metric][boundary], calls);
  }
  if (into.observed && more.observed) add_observed(*into.observed, *more.observed);
}

void join_series(MemoryProfile& into, const MemoryProfile& more) {
  for (const auto& [series, values] : more.series) {
    const auto [at, fresh] = into.series.emplace(series, values);
    if (!fresh) join(find_series(series), at->second, values);
  }
}

std::int64_t peak_allocated(const MemoryProfile& memory) {
  const auto at = memory.series.find("peak_allocated_bytes");
  return at == memory.series.end() ? 0 : at->second.front();
}

void add_losses(std::vector<double>& into, const std::vector<double>& more, std::int64_t rank) {
  if (into.size() != more.size()) ranks_differ("losses", rank);
  for (std::size_t step = 0; step < into.size(); ++step) into[step] += more[step];
}

void divide(std::vector<double>& losses, std::size_t ranks) {
  for (double& loss : losses) loss /= static_cast<double>(ranks);
}

std::string digest_of_all(const RankRecords& ranks) {
  FnvHash hash;
  for (const RunRecord& one : ranks) hash.add(one.numerics->loss_digest);
  return hex_text(hash);
}

/// A metric that one rank could not count has no sum.
WorkCounts without_absent(WorkCounts counts, const RankRecords& ranks) {
  for (const RunRecord& one : ranks) {
    for (const auto& [metric, reason] : one.absent) {
      counts.per_step.erase(metric);
      counts.by_boundary.erase(metric);
      counts.device_calls.erase(metric);
    }
  }
  return counts;
}

}  // namespace

WorkCounts merged_counts(const RankRecords& ranks) {
  const WorkCounts first = without_absent(ranks.front().counts.value(), ranks);
  WorkCounts merged = first;
  for (std::size_t i = 1; i < ranks.size(); ++i) {
    const auto rank = static_cast<std::int64_t>(i);
    const WorkCounts other = without_absent(ranks[i].counts.value(), ranks);
    if (first.per_step.size() != other.per_step.size()) ranks_differ("counted metrics", rank);
    if (equal_inputs(first, other)) require_equal_operators(ranks.front(), ranks[i], rank);
    add_counts(merged, other, rank);
  }
  return merged;
}

MemoryProfile merged_memory(const RankRecords& ranks) {
  const auto highest = std::max_element(ranks.begin(), ranks.end(), [](const RunRecord& one, const RunRecord& other) {
    return peak_allocated(*one.memory) < peak_allocated(*other.memory);
  });
  MemoryProfile merged = highest->memory.value();
  for (const RunRecord& record : ranks) {
    const MemoryProfile& one = record.memory.value();
    if (&record != &*highest) join_series(merged, one);
    raise_to(merged.peak_bytes, one.peak_bytes);
    raise_to(merged.peak_by_boundary, one.peak_by_boundary);
    for (const auto& [series, rise] : one.rises) {
      const auto [at, fresh] = merged.rises.emplace(series, rise);
      if (!fresh) raise_to(at->second.by_boundary, rise.by_boundary);
    }
    for (const auto& [boundary, memory] : one.by_boundary) raise_to(merged.by_boundary[boundary], memory);
  }
  return merged;
}

std::map<std::string, PassLosses> merged_losses(const RankRecords& ranks) {
  std::map<std::string, PassLosses> merged = ranks.front().losses;
  for (auto& [pass, losses] : merged) losses.values.clear();
  for (const RunRecord& one : ranks) {
    for (const auto& [pass, losses] : one.losses) {
      PassLosses& all = merged[pass];
      if (losses.seen < all.seen) {
        all.seen = losses.seen;
        all.last_seen = losses.last_seen;
      }
      for (const auto& [metric, found] : losses.breaks) {
        const auto [at, fresh] = all.breaks.emplace(metric, found);
        if (!fresh && found.step < at->second.step) at->second = found;
      }
    }
  }
  return merged;
}

namespace {

/// Both are sorted; so is the result, without doubles.
void add_operators(const std::vector<std::string>& more, std::vector<std::string>& operators) {
  std::vector<std::string> all;
  std::set_union(operators.begin(), operators.end(), more.begin(), more.end(), std::back_inserter(all));
  operators = std::move(all);
}

}  // namespace

NumericTrace merged_numerics(const RankRecords& ranks) {
  NumericTrace merged = ranks.front().numerics.value();
  for (std::size_t i = 1; i < ranks.size(); ++i) {
    const NumericTrace& other = ranks[i].numerics.value();
    const auto rank = static_cast<std::int64_t>(i);
    if (other.parameter_digest != merged.parameter_digest) ranks_differ("parameters after the last step", rank);
    add_losses(merged.loss, other.loss, rank);
    if (other.further_losses.size() != merged.further_losses.size()) ranks_differ("losses", rank);
    for (auto& [name, losses] : merged.further_losses) {
      const auto at = other.further_losses.find(name);
      if (at == other.further_losses.end()) ranks_differ("losses", rank);
      add_losses(losses, at->second, rank);
    }
    add_operators(other.nondeterministic_operators, merged.nondeterministic_operators);
  }
  divide(merged.loss, ranks.size());
  for (auto& [name, losses] : merged.further_losses) divide(losses, ranks.size());
  merged.loss_digest = digest_of_all(ranks);
  return merged;
}

}  // namespace stepgate
