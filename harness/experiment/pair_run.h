// The measuring half of `stepgate ab`: pairs of fresh processes of one case, kept one by one.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "core/record/measured_pair.h"
#include "experiment/ab_case.h"
#include "experiment/context.h"

namespace stepgate {

struct PairsSoFar {
  std::vector<MeasuredPair> pairs;
  std::vector<MeasuredPair> control;
  bool finished = false;  ///< no more will come
};

/// Whether nothing more needs to be known. Asked after each pair.
using Decided = std::function<bool(const PairsSoFar&)>;

/// Measures pairs until `decided`, until plan.most_pairs are clean, until the budget is spent or a process fails.
/// Pairs go to <folder>/pairs/NNN/{base,head}/measurement.json, whole, as soon as both sides are there; those of an
/// interrupted run with the same plan are taken over first and never measured again. A tainted pair is kept, counts
/// for nothing, and is made up for by another one, at most half of most_pairs times; where too many are tainted for a
/// first interim analysis ever to come, that is all.
/// Interrupted: returns what is complete, `finished` false.
PairsSoFar measure_pairs(const AbCase& ab, const Context& context, const std::atomic<int>& interrupted,
                         const Decided& decided);

/// The exact half of both sides, measured or taken over: <folder>/exact/{base,head}/measurement.json.
struct ExactMeasurements {
  Measurement base;
  Measurement head;
  bool interleaved = false;  ///< most processes were measured side by side, in an order that was drawn
};
ExactMeasurements measure_exact_sides(const AbCase& ab, const Context& context, const std::atomic<int>& interrupted);

/// `sides` with as many processes more, base and head in turns, as a red in bytes rests on (bytes_confirmation.h):
/// <folder>/exact/more-NNN/{base,head}/measurement.json, measured or taken over. Interrupted: `sides` as they were.
ExactMeasurements with_more_processes(const AbCase& ab, const Context& context, const std::atomic<int>& interrupted,
                                      ExactMeasurements sides);

/// What an earlier run left in `folder`; absent where there is nothing, or what a signal stopped.
std::optional<Measurement> taken_over(const std::filesystem::path& folder);

/// True where a process failed, or none was started.
bool has_failed(const Measurement& measurement);

/// True where `measurement` holds a process that a signal stopped.
bool was_interrupted(const Measurement& measurement);

}  // namespace stepgate
