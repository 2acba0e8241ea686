// Turns pending files into baselines. Only a person may do this, with a reason.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "baseline/merge.h"

namespace stepgate {

struct AcceptRequest {
  std::vector<std::filesystem::path> pending;  ///< files that write_pending() wrote
  std::filesystem::path baseline_root;
  std::string reason;          ///< one line, goes into the provenance
  bool ci = false;             ///< CI=true: refused
  bool local = false;          ///< measured on a person's machine, not in CI; the provenance records it
  std::string utc;             ///< now
  std::string commit;          ///< used if the pending file has none
  bool append = false;         ///< only add sessions; the rest of the stored file does not change
  bool replace = false;        ///< runner baselines: remove the stored sessions and start anew
  bool other_options = false;  ///< also values that were measured with other options than a gate's defaults
  /// Case -> clean processes that a verdict on its times needs (Policy::min_clean_replicates); the default for others.
  std::map<std::string, std::int64_t> fewest_processes = {};
};

struct Accepted {
  std::filesystem::path file;
  AcceptKind kind = AcceptKind::created;
  Provenance measured = {};                           ///< commit, time and options of the measurement
  std::vector<FingerprintMismatch> key_changes = {};  ///< facts of the key that are new; expected: committed
  std::string moved = {};               ///< the metric that changed most, one line; "" for a first baseline
  std::vector<std::string> notes = {};  ///< e.g. a measurement of a tree with uncommitted changes
};

/// Checks every file before it writes the first, holds <root>/.lock meanwhile, and writes each file completely or not
/// at all. If a write fails, the error names the files that are written already; the same request then goes on, because
/// what is stored already stays unchanged.
/// Throws Error(usage) under CI, without a reason, without files, or while another accept runs (naming it); for
/// an exact half that was measured with other options, unless the committed baseline was too or `other_options` says
/// so; and for a session of fewer clean processes than a verdict needs. Throws Error(baseline) if a pending file is
/// damaged, if keys differ, or if a runner baseline changed so much that old and new sessions must not be mixed
/// (`append` or `replace` then states the intent).
std::vector<Accepted> accept(const AcceptRequest& request);

}  // namespace stepgate
