// Interleaved pairs of a base and a head build reduced to what verdicts compare: one value per process and metric.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace stepgate {

/// One fresh process of each side, measured next to each other. Natural units (ns, tokens/s).
struct Pair {
  double base = 0;
  double head = 0;
  bool head_first = false;  ///< the side order drawn for this pair
};

/// The A/A control of a run: the base build against its byte copy, which takes the place of the head.
struct ControlResult {
  std::string case_name;
  std::string metric;
  std::vector<Pair> pairs;
};

/// Pairs of one case. A pair counts as clean where neither of its processes is tainted.
struct PairedValues {
  std::map<std::string, std::vector<Pair>> timed;  ///< metric -> clean pairs in the order measured
  std::int64_t tainted_pairs = 0;
  std::int64_t most_pairs = 0;           ///< of the plan, fixed before anything was measured; 0: the default's
  bool finished = false;                 ///< no more pairs will come: time budget or most pairs reached
  std::optional<ControlResult> control;  ///< absent: none was run
};

}  // namespace stepgate
