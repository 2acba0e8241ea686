// What lies behind a verdict and is too much for verdict.json: pairs, margins and memory of both sides of one case. The
// report page draws it; no verdict depends on it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/record/run_record.h"
#include "core/stored/policy.h"
#include "core/verdict/paired_values.h"
#include "core/verdict/result_kind.h"

namespace stepgate {

/// What one node of a comparison over nodes measured of a case.
struct NodePairs {
  std::string place;                                    ///< host, its CPUs and GPUs: "trainer3 CPU 0-7"
  std::map<std::string, std::vector<Pair>> pairs = {};  ///< metric -> its clean pairs in the order of the plan
  std::int64_t tainted_pairs = 0;
};

/// The evidence for one outcome of a report, which has the same case and kind. Absent parts were not stored.
struct CaseEvidence {
  std::string case_name;
  ResultKind kind = {};
  std::map<std::string, Margins> margins = {};          ///< timed metric -> its two margins
  std::map<std::string, std::vector<Pair>> pairs = {};  ///< metric -> clean pairs in the order measured
  std::int64_t tainted_pairs = 0;
  std::vector<NodePairs> nodes = {};  ///< the same pairs by node; empty where one machine measured all of them
  std::optional<MemoryLedger> base_memory = std::nullopt;  ///< at the peak, of the reference
  std::optional<MemoryLedger> memory = std::nullopt;       ///< ledger of the measured side
};

}  // namespace stepgate
