// What an A/B run of one case is: its two builds, how its processes are asked, and the seed of the order of sides.
#pragma once

#include <cstdint>
#include <string>

#include "core/plan.h"

namespace stepgate {

/// Stored beside the pairs, so that a run that was interrupted can go on with the pairs it has.
struct AbPlan {
  std::string case_name;
  std::string utc;                   ///< when the run began
  std::uint64_t order_seed = 0;      ///< of the order of sides in each pair
  std::int64_t most_pairs = 0;       ///< clean pairs after which nothing more is measured
  bool alternating_windows = false;  ///< both processes of a pair are alive together, window by window in turns
  bool control = false;              ///< base against its byte copy is measured along
  std::string base_digest;           ///< of the program's bytes
  std::string head_digest;
  std::string base_commit;
  std::string head_commit;
  std::int64_t seeds = 0;       ///< training runs of each side whose losses are compared; 0: none
  std::int64_t seed_steps = 0;  ///< of each of these runs
  Plan plan;                    ///< of one process
  bool complete = false;        ///< decided, out of pairs or out of time: nothing is to be added
};

/// Whether pairs measured under `a` may be counted with those of `b`: everything but when it began, the seed of the
/// order (the earlier one goes on), and how far it came.
inline bool same_comparison(const AbPlan& a, const AbPlan& b) {
  return a.case_name == b.case_name && a.most_pairs == b.most_pairs && a.control == b.control && a.seeds == b.seeds &&
         a.seed_steps == b.seed_steps && a.alternating_windows == b.alternating_windows &&
         a.base_commit == b.base_commit && a.head_commit == b.head_commit && a.base_digest == b.base_digest &&
         a.head_digest == b.head_digest && a.plan == b.plan;
}

}  // namespace stepgate
