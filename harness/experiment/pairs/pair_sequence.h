// Pairs of fresh processes of one case, measured and kept one by one.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/record/measured_pair.h"
#include "experiment/pairs/pair_case.h"

namespace stepgate {

struct PairsSoFar {
  std::vector<MeasuredPair> pairs;
  std::vector<MeasuredPair> control;  ///< pairs of the base build and its byte copy
  bool finished = false;              ///< no more will come
};

/// How many pairs of the A/A control the pairs of its case need. The control can only withdraw a red
/// (docs/design/verdicts.md, "A/A control").
enum class ControlNeed {
  none,    ///< nothing is red, and no later analysis would call it so with this change and this spread
  beside,  ///< a later analysis would: the control catches up beside the pairs that are still to come
  level,   ///< a metric is called regressed: as many pairs as the case has
};

/// What the pairs so far say.
struct PairsLook {
  bool decided = false;  ///< nothing more needs to be known
  ControlNeed control = ControlNeed::none;
};

/// Asked after each pair.
using LookAtPairs = std::function<PairsLook(const PairsSoFar&)>;

/// Measures pairs until they are decided, until plan.most_pairs are clean, until the budget is spent or a process
/// fails. A pair goes to <folder>/pairs/NNN/{base,head}/measurement.json, whole, as soon as both sides are there. Pairs
/// of an interrupted run with the same plan are taken first and never measured again. A tainted pair is kept but does
/// not count; another one makes up for it, at most half of most_pairs times. If so many are tainted that no interim
/// analysis would ever come, the sequence ends.
/// Where a process of alternating windows used CPU time while it waited (waiting_sides.h), all pairs measured so are
/// set aside: they stay on record, are not judged and count as no try, and the case goes on process by process.
/// Where the plan has a control, its pairs are measured as far as a look needs them. The time budget does not hold back
/// those of a red: without them it would stand without its control.
/// Interrupted: returns what is complete, `finished` false.
PairsSoFar measure_pairs(const PairCase& pair_case, const Caller& caller, const LookAtPairs& look);

/// Measures only the pairs of the drawn order at `indices`, ascending: the share of one node.
PairsSoFar measure_pairs_at(const std::vector<std::int64_t>& indices, const PairCase& pair_case, const Caller& caller,
                            const LookAtPairs& look);

/// `count` pairs of the base build and its A/A copy, and nothing else: <folder>/control/NNN/{base,twin}. Fewer where a
/// process fails or a signal came.
std::vector<MeasuredPair> measure_control_pairs(const PairCase& pair_case, const Caller& caller, std::int64_t count);

}  // namespace stepgate
