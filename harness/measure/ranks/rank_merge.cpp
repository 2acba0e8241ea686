#include "measure/ranks/rank_merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/error.h"
#include "measure/ranks/rank_merge_parts.h"

namespace stepgate {
namespace {

/// Facts about the hardware of one rank, which may differ.
const std::set<std::string> facts_of_one_rank = {"gpu_pci_bus_id"};

Warmup merged_warmup(const RankRecords& ranks) {
  Warmup merged = *ranks.front().warmup;
  merged.reasons.clear();
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const Warmup& one = ranks[rank].warmup.value();
    if (one.steps != merged.steps) ranks_differ("warm-up steps", static_cast<std::int64_t>(rank));
    merged.first_step_ns = std::max(merged.first_step_ns, one.first_step_ns);
    merged.steady = merged.steady && one.steady;
    for (const std::string& reason : one.reasons) merged.reasons.push_back(fmt::format("rank {}: {}", rank, reason));
  }
  return merged;
}

void require_equal_facts(const Fingerprint& first, const Fingerprint& other, std::int64_t rank) {
  Fingerprint all = first;
  all.insert(other.begin(), other.end());
  for (const auto& [name, value] : all) {
    const auto of_first = first.find(name);
    const auto of_other = other.find(name);
    const bool equal = of_first != first.end() && of_other != other.end() && of_first->second == of_other->second;
    if (!equal && !facts_of_one_rank.contains(name)) ranks_differ("fact " + name, rank);
  }
}

/// The launcher compares the GPU of each rank with the one that it gave.
void add_gpu(const Fingerprint& rank, Fingerprint& merged) {
  const auto gpu = rank.find("gpu_pci_bus_id");
  if (gpu != rank.end()) merged["gpu_pci_bus_id"] += "," + gpu->second;
}

void require_same_work(const RunRecord& first, const RunRecord& other, std::int64_t rank) {
  if (first.case_name != other.case_name) ranks_differ("case", rank);
  if (first.group != other.group) ranks_differ("group", rank);
  if (first.params != other.params) ranks_differ("parameters", rank);
  if (first.seed != other.seed) ranks_differ("seed", rank);
  if (!(first.steps == other.steps)) ranks_differ("step counts", rank);
  if (!(first.boundaries == other.boundaries)) ranks_differ("boundaries", rank);
  const auto named = [](const auto& left, const auto& right) { return left.first == right.first; };
  if (!std::equal(first.timed.begin(), first.timed.end(), other.timed.begin(), other.timed.end(), named) ||
      first.warmup.has_value() != other.warmup.has_value() || first.h2d.has_value() != other.h2d.has_value() ||
      first.counts.has_value() != other.counts.has_value() || first.memory.has_value() != other.memory.has_value() ||
      first.numerics.has_value() != other.numerics.has_value() || first.logging.size() != other.logging.size() ||
      first.checkpoint.has_value() != other.checkpoint.has_value()) {
    ranks_differ("passes", rank);
  }
  require_equal_facts(first.fingerprint, other.fingerprint, rank);
}

/// Whatever rank works beside its step, the training has that work.
std::optional<BackgroundCpu> merged_background(const RankRecords& ranks) {
  std::optional<BackgroundCpu> merged = ranks.front().background;
  for (std::size_t rank = 1; rank < ranks.size(); ++rank) {
    const std::optional<BackgroundCpu>& one = ranks[rank].background;
    if (!merged || !one) return std::nullopt;
    merged->cpu_ns += one->cpu_ns;
    merged->step_cpu_ns += one->step_cpu_ns;
    for (const auto& [name, ns] : one->threads) merged->threads[name] += ns;
  }
  return merged;
}

}  // namespace

void ranks_differ(const std::string& what, std::int64_t rank) {
  throw Error(ErrorKind::measure, fmt::format("rank 0 and rank {} differ in their {}", rank, what),
              "ranks that train together build the same workload, run the same steps and exchange all gradients; only "
              "their share of each batch may differ");
}

RunRecord merged_ranks(const std::vector<RunRecord>& ranks) {
  if (ranks.empty()) throw Error(ErrorKind::measure, "no rank wrote a record", "run the case again");
  if (ranks.size() == 1) return ranks.front();
  for (std::size_t rank = 1; rank < ranks.size(); ++rank) {
    require_same_work(ranks.front(), ranks[rank], static_cast<std::int64_t>(rank));
  }
  RunRecord merged = ranks.front();
  if (merged.warmup) merged.warmup = merged_warmup(ranks);
  for (auto& [name, pass] : merged.timed) pass = merged_timed_pass(ranks, name);
  merged.background = merged_background(ranks);
  if (merged.h2d) merged.h2d = merged_copies(ranks);
  merged.logging = merged_logging(ranks);
  merged.device_work = merged_device_work(ranks);
  if (merged.checkpoint) merged.checkpoint = merged_checkpoint(ranks);
  if (merged.counts) merged.counts = merged_counts(ranks);
  if (merged.memory) merged.memory = merged_memory(ranks);
  if (merged.numerics) merged.numerics = merged_numerics(ranks);
  merged.losses = merged_losses(ranks);
  for (const RunRecord& one : ranks) merged.absent.insert(one.absent.begin(), one.absent.end());
  for (std::size_t rank = 1; rank < ranks.size(); ++rank) add_gpu(ranks[rank].fingerprint, merged.fingerprint);
  merged.fingerprint["ranks"] = std::to_string(ranks.size());
  return merged;
}

}  // namespace stepgate
