// Merges the records of the ranks that trained one case together into the one record that the launcher reads.
#pragma once

#include <vector>

#include "core/record/run_record.h"

namespace stepgate {

/// `ranks` in their order, all of the same case, group and steps. A training step takes as long as its
/// slowest rank, and its work is the work of all ranks together:
///
/// - windows and logging blocks: the longest wall time of any rank; steps: the whole sample of the rank whose step took
///   longest. Samples and tokens are sums (the global batch); a step is of a cold shape where it is on any rank.
/// - first step: the longest; steady only where all are, with the reasons of all.
/// - h2d: each series of the rank that copied it slowest.
/// - counts, and what was observed of each call: sums over the ranks; shapes_seen: the most that one rank saw.
/// - memory: per step and boundary the rank with the most; ledger and timeline whole, of the rank that peaked highest.
/// - numerics: each loss averaged; gradient norm and parameters are equal on all ranks, since they exchange gradients.
/// - fingerprint: of rank 0, and "ranks".
///
/// Throws Error(measure) where the ranks did not do the same: other passes, step counts, facts, or parameters, or
/// unequal operators from forward to optimizer although their batches were of equal size. One record: itself.
RunRecord merged_ranks(const std::vector<RunRecord>& ranks);

}  // namespace stepgate
