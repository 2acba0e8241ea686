// The only way from a pending file to a baseline: a person, with a reason.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "baseline/merge.h"

namespace stepgate {

struct AcceptRequest {
  std::vector<std::filesystem::path> pending;  ///< files as write_pending() makes them
  std::filesystem::path baseline_root;
  std::string reason;    ///< one line, goes into the provenance
  bool ci = false;       ///< CI=true: refused
  bool local = false;    ///< measured on a person's machine, not taken from a CI artefact; marked in the provenance
  std::string utc;       ///< now
  std::string commit;    ///< used where the pending file names none
  bool append = false;   ///< only add sessions: nothing else of the stored file changes
  bool replace = false;  ///< runner baselines: forget the stored sessions and start anew
};

struct Accepted {
  std::filesystem::path file;
  AcceptKind kind = AcceptKind::created;
  std::string moved;               ///< what moved most, one line; "" for a first baseline
  std::vector<std::string> notes;  ///< e.g. that it was measured from a tree with uncommitted changes
};

/// Checks every file before it writes the first, holds <root>/.lock while it works, and writes each file whole or not
/// at all. Throws Error(usage) under CI, without a reason, without files, or while another accept runs (naming it);
/// Error(baseline) where a pending file is damaged, keys differ, or a runner baseline moved so far that mixing old and
/// new sessions would blur both (then `append` or `replace` says which is meant).
std::vector<Accepted> accept(const AcceptRequest& request);

}  // namespace stepgate
