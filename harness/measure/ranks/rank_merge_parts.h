// The parts of rank_merge.h, one for each kind of pass.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/record/run_record.h"

namespace stepgate {

using RankRecords = std::vector<RunRecord>;

/// Throws Error(measure): the ranks differ in `what`, with the values of rank 0 and `rank`.
[[noreturn]] void ranks_differ(const std::string& what, std::int64_t rank);

TimedPass merged_timed_pass(const RankRecords& ranks, const std::string& pass);
CopyTrials merged_copies(const RankRecords& ranks);
std::vector<LoggingBlock> merged_logging(const RankRecords& ranks);
std::vector<DeviceWorkWindow> merged_device_work(const RankRecords& ranks);
/// The slowest rank's time of each save, and the bytes of all ranks.
CheckpointSaves merged_checkpoint(const RankRecords& ranks);
WorkCounts merged_counts(const RankRecords& ranks);
/// Adds what another rank of the same program saw: calls from the same place with operands of the same dtypes are sums.
void add_observed(ObservedWork& into, const ObservedWork& more);
MemoryProfile merged_memory(const RankRecords& ranks);
NumericTrace merged_numerics(const RankRecords& ranks);
/// Of each pass the steps of the rank whose losses were looked at least, the first value of any rank that is not
/// finite, and no values: each rank has its own.
std::map<std::string, PassLosses> merged_losses(const RankRecords& ranks);

}  // namespace stepgate
