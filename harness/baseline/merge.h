// Merges an accepted pending baseline into the committed one. Pure: it accesses no file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/stored/baseline.h"

namespace stepgate {

enum class AcceptKind {
  created,    ///< the first one
  replaced,   ///< portable, device: new values replace the old ones
  appended,   ///< runner: one more session
  reset,      ///< runner: stored sessions removed
  unchanged,  ///< nothing to write: the values are equal
};
std::string_view name_of(AcceptKind kind);

struct MergeRules {
  bool append = false;   ///< only add sessions
  bool replace = false;  ///< remove the stored sessions
};

struct Merged {
  Baseline baseline;  ///< without the new provenance, except for sessions and replicates
  AcceptKind kind = AcceptKind::created;
  std::string moved;               ///< largest_move() relative to the committed one
  std::vector<std::string> notes;  ///< hints for a person, one sentence each
};

/// `committed` is nullptr for a first baseline. The first baseline becomes the anchor. A different key makes the new
/// baseline the anchor, because the two no longer measure the same thing.
/// An exact half that an older version stored in a runner file is dropped, with a note.
/// Throws Error(usage) for `append` with a portable or device baseline, Error(baseline) for sessions of another key,
/// for a session that is stored already, and if step or first step changed by more than Margins::matter without append
/// or replace.
Merged merge_pending(const Baseline* committed, const Baseline& pending, const MergeRules& rules);

}  // namespace stepgate
