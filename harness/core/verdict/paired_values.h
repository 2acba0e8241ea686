// Interleaved pairs of a base and a head build reduced to the values that verdicts compare: one per process and metric.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace stepgate {

/// One fresh process of each side, measured right after each other. Natural units (ns, tokens/s).
struct Pair {
  double base = 0;
  double head = 0;
  bool head_first = false;  ///< the order of sides drawn for this pair
};

/// The A/A control of a run: the base build against its A/A copy, which replaces the head.
struct ControlResult {
  std::string case_name;  ///< "": of nodes that gave no pairs of the case
  std::string metric;
  std::vector<Pair> pairs;
};

/// Clean pairs in which the requests of an open loop came too fast for one side and not for the other.
struct OverloadedSides {
  std::int64_t head = 0;       ///< pairs in which the head alone has no latency
  std::int64_t head_grew = 0;  ///< of these: the queue of the head grew
  std::int64_t base = 0;       ///< pairs in which the base alone has none
  std::string why = {};        ///< of the head, in the last of them
};

/// Pairs of one case. A pair is clean if neither of its processes is tainted.
struct PairedValues {
  std::map<std::string, std::vector<Pair>> timed;  ///< metric -> clean pairs in the order measured
  /// Metrics that processes of the base measured and no process of the head did, and why.
  std::map<std::string, std::string> lost = {};
  std::map<std::string, OverloadedSides> overloaded = {};  ///< by latency of the open loop; such a pair gives no Pair
  std::int64_t tainted_pairs = 0;
  std::string why_tainted = {};           ///< a reason of the last of them
  std::int64_t late_generator_pairs = 0;  ///< of the tainted: the generator of requests was late in one process
  std::string why_generator_late = {};    ///< of the last of them
  std::int64_t set_aside_pairs = 0;       ///< kept and not judged (Replicate::set_aside)
  std::int64_t most_pairs = 0;            ///< the plan's limit, fixed before the measurement; 0: the default
  bool finished = false;                  ///< no more pairs will come: time budget or most pairs reached
  std::optional<ControlResult> control;   ///< absent: no control was run
  std::set<std::string> asked = {};       ///< metrics that a pre-check did not pass: the pairs are there to decide them
};

}  // namespace stepgate
