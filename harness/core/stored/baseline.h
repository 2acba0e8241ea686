// What a reviewed baseline file holds: the other side of every comparison.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/metric.h"
#include "core/record/fingerprint.h"
#include "core/record/level_growth.h"
#include "core/record/run_record.h"
#include "core/stored/function_calls.h"

namespace stepgate {

/// Timed values of one session: metric -> one value per replicate. Sessions keep every value, so that later rules can
/// judge them again.
struct Session {
  std::string utc;
  std::int64_t unix_s = 0;
  std::string commit;
  std::map<std::string, std::vector<double>> timed;
};

/// Who accepted this baseline, when, why, and from which measurement. The last entry of the file.
struct Provenance {
  std::string commit;
  std::string utc;
  std::string reason;
  std::string compiler;
  std::string stepgate_version;
  std::int64_t sessions = 0;
  std::int64_t replicates = 0;
  std::string previous;  ///< one line: the earlier value of the metric that moved most, "" for a first baseline
  bool local = false;    ///< accepted from a person's machine, not from a CI artefact
  /// "--seed 7 --steps counts=2": options other than the defaults that the values depend on; "" for none.
  std::string options = {};
};

/// Frozen values that show slow creep over many accepted baselines; replaced only on request.
struct Anchor {
  std::string utc;
  std::string commit;
  std::map<std::string, double> values;  ///< metric -> value at the time it was frozen
};

/// One file (baseline/baseline_path.h). With scope portable or device it holds the exact half of a case, with scope
/// runner sessions of its timed half. Runner files that an older version wrote for a GPU hold an exact half too, which
/// nothing is compared with.
struct Baseline {
  std::string case_name;
  Scope scope = Scope::portable;
  std::string runner_class;  ///< "portable" for scope portable
  Fingerprint key;           ///< facts that must match; otherwise the baseline is incompatible
  /// Switches of LibTorch that are no part of the key, as the program had set them. A finding names those that changed.
  /// What an older file or process lacks is not compared.
  Fingerprint switches = {};
  std::map<std::string, std::vector<std::int64_t>> exact;  ///< metric -> value of each counted step
  std::map<std::string, std::vector<std::int64_t>> bytes;  ///< metric -> distinct values over replicates, ascending
  /// metric -> growth of each process, where it is judged by its own noise; `bytes` holds it without what lies below
  /// the noise floor. Empty in old files.
  std::map<std::string, std::vector<LevelGrowth>> growth = {};
  std::optional<NumericTrace> numerics;
  std::map<std::string, std::map<std::string, std::int64_t>> counts_by_boundary;  ///< as WorkCounts::by_boundary
  std::map<std::string, std::map<std::string, std::int64_t>> operators;           ///< as WorkCounts::operators
  std::map<std::string, std::int64_t> peak_by_boundary;
  /// As WorkCounts::device_calls, without what counts as nothing.
  std::map<std::string, std::map<std::string, std::map<std::string, std::int64_t>>> device_calls = {};
  /// boundary name -> operator name -> function of the user's code -> calls over the counted steps, with the kind of
  /// names (name_of(FramesFrom)). Empty in old files.
  std::map<std::string, std::map<std::string, std::map<std::string, std::int64_t>>> operator_functions = {};
  std::string functions_from = {};
  /// Which own function calls which, and which operators, with names of the same kind. Empty in old files.
  FunctionCalls function_calls = {};
  std::optional<MemoryLedger> ledger;  ///< absent in old files
  std::vector<Session> sessions;       ///< scope runner; newest last, at most max_sessions
  std::optional<Anchor> anchor;
  Provenance provenance;
};

/// "portable", "h200-16c", or "h200-16c, exact": which file of its case it is, for reports.
inline std::string file_label(const Baseline& baseline) {
  return baseline.scope == Scope::device ? baseline.runner_class + ", exact" : baseline.runner_class;
}

/// Whether it holds counts, bytes or losses.
inline bool has_exact_half(const Baseline& baseline) {
  return !baseline.exact.empty() || !baseline.bytes.empty() || baseline.numerics.has_value();
}

inline constexpr std::size_t max_sessions = 20;

}  // namespace stepgate
