#include <algorithm>
#include <numeric>

#include "measure/ranks/rank_merge_parts.h"
#include "system/fnv_hash.h"

namespace stepgate {
namespace {

StepSample merged_step(const std::vector<const TimedPass*>& passes, std::size_t step) {
  const auto slowest = std::max_element(passes.begin(), passes.end(), [&](const TimedPass* a, const TimedPass* b) {
    return a->steps[step].wall_ns < b->steps[step].wall_ns;
  });
  StepSample merged = (*slowest)->steps[step];
  merged.samples = merged.padded_tokens = merged.effective_tokens = 0;
  merged.flops.reset();
  FnvHash shapes;
  for (const TimedPass* pass : passes) {
    const StepSample& one = pass->steps[step];
    merged.samples += one.samples;
    merged.padded_tokens += one.padded_tokens;
    merged.effective_tokens += one.effective_tokens;
    if (one.flops) merged.flops = merged.flops.value_or(0) + *one.flops;
    merged.cold_shape = merged.cold_shape || one.cold_shape;
    merged.skipped_update = merged.skipped_update || one.skipped_update;
    shapes.add_word(one.shape);
  }
  merged.shape = shapes.value();
  return merged;
}

void merge_windows(TimedPass& merged, const TimedPass& other, std::int64_t rank) {
  if (merged.windows.size() != other.windows.size()) ranks_differ("windows", rank);
  for (std::size_t i = 0; i < merged.windows.size(); ++i) {
    Window& into = merged.windows[i];
    const Window& one = other.windows[i];
    if (into.first_step != one.first_step || into.steps != one.steps) ranks_differ("windows", rank);
    if (one.wall_ns > into.wall_ns) {  // take them from the rank that took longest
      into.queued_ns = one.queued_ns;
      into.begin_us = one.begin_us;
    }
    into.wall_ns = std::max(into.wall_ns, one.wall_ns);
    into.cold_shape = into.cold_shape || one.cold_shape;
    into.skipped_update = into.skipped_update || one.skipped_update;
  }
}

std::int64_t total_ns(const CopySeries& series) {
  return std::accumulate(series.trial_ns.begin(), series.trial_ns.end(), std::int64_t{0});
}

/// Whether `one` moves fewer bytes in the same time. In double, because bytes times nanoseconds overflow 64 bits.
bool slower(const CopySeries& one, const CopySeries& other) {
  return static_cast<double>(total_ns(one)) * static_cast<double>(other.bytes) >
         static_cast<double>(total_ns(other)) * static_cast<double>(one.bytes);
}

}  // namespace

TimedPass merged_timed_pass(const RankRecords& ranks, const std::string& pass) {
  std::vector<const TimedPass*> passes;
  for (const RunRecord& one : ranks) passes.push_back(&one.timed.at(pass));
  TimedPass merged = *passes.front();
  for (std::size_t rank = 1; rank < passes.size(); ++rank) {
    if (passes[rank]->steps.size() != merged.steps.size()) {
      ranks_differ("steps of pass " + pass, static_cast<std::int64_t>(rank));
    }
    merge_windows(merged, *passes[rank], static_cast<std::int64_t>(rank));
  }
  for (std::size_t step = 0; step < merged.steps.size(); ++step) merged.steps[step] = merged_step(passes, step);
  return merged;
}

CopyTrials merged_copies(const RankRecords& ranks) {
  CopyTrials merged = ranks.front().h2d.value();
  for (std::size_t rank = 1; rank < ranks.size(); ++rank) {
    const CopyTrials& other = ranks[rank].h2d.value();
    if (other.series.size() != merged.series.size()) ranks_differ("copies", static_cast<std::int64_t>(rank));
    for (std::size_t i = 0; i < merged.series.size(); ++i) {
      if (slower(other.series[i], merged.series[i])) merged.series[i] = other.series[i];
    }
  }
  return merged;
}

std::vector<LoggingBlock> merged_logging(const RankRecords& ranks) {
  std::vector<LoggingBlock> merged = ranks.front().logging;
  for (const RunRecord& one : ranks) {
    for (std::size_t i = 0; i < merged.size(); ++i) {
      merged[i].wall_ns = std::max(merged[i].wall_ns, one.logging.at(i).wall_ns);
      merged[i].skipped_update = merged[i].skipped_update || one.logging.at(i).skipped_update;
    }
  }
  return merged;
}

/// Each rank has a device of its own: their mean. None where one of them could not be traced.
std::vector<DeviceWorkWindow> merged_device_work(const RankRecords& ranks) {
  std::vector<DeviceWorkWindow> merged = ranks.front().device_work;
  for (const RunRecord& one : ranks) {
    if (one.device_work.size() != merged.size()) return {};
  }
  const auto count = std::ssize(ranks);
  for (std::size_t i = 0; i < merged.size(); ++i) {
    merged[i].work_ns = 0;
    merged[i].records = 0;
    for (const RunRecord& one : ranks) {
      merged[i].wall_ns = std::max(merged[i].wall_ns, one.device_work[i].wall_ns);
      merged[i].work_ns += one.device_work[i].work_ns;
      merged[i].records += one.device_work[i].records;
      merged[i].cold_shape = merged[i].cold_shape || one.device_work[i].cold_shape;
      merged[i].skipped_update = merged[i].skipped_update || one.device_work[i].skipped_update;
    }
    merged[i].work_ns /= count;
  }
  return merged;
}

CheckpointSaves merged_checkpoint(const RankRecords& ranks) {
  CheckpointSaves merged = ranks.front().checkpoint.value();
  for (std::size_t rank = 1; rank < ranks.size(); ++rank) {
    const CheckpointSaves& other = ranks[rank].checkpoint.value();
    if (other.bytes.size() != merged.bytes.size() || other.save_ns.size() != merged.save_ns.size())
      ranks_differ("checkpoints", static_cast<std::int64_t>(rank));
    for (std::size_t i = 0; i < merged.bytes.size(); ++i) merged.bytes[i] += other.bytes[i];
    for (std::size_t i = 0; i < merged.save_ns.size(); ++i)
      merged.save_ns[i] = std::max(merged.save_ns[i], other.save_ns[i]);
  }
  return merged;
}

}  // namespace stepgate
