// What becomes of a committed baseline when a pending one is accepted. Pure: no file is touched here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/stored/baseline.h"

namespace stepgate {

enum class AcceptKind {
  created,    ///< the first one
  replaced,   ///< portable: new values in place of the old ones
  appended,   ///< runner: one more session
  reset,      ///< runner: stored sessions forgotten
  unchanged,  ///< nothing to write: the values are the same
};
std::string_view name_of(AcceptKind kind);

struct MergeRules {
  bool append = false;   ///< only add sessions
  bool replace = false;  ///< forget the stored sessions
};

struct Merged {
  Baseline baseline;  ///< without the new provenance, except for sessions and replicates
  AcceptKind kind = AcceptKind::created;
  std::string moved;               ///< largest_move() against the committed one
  std::vector<std::string> notes;  ///< what a person should know, one sentence each
};

/// `committed` is nullptr for a first baseline. The anchor is frozen from the first baseline and kept, unless the key
/// differs: then the two no longer measure the same thing and it starts anew.
/// Throws Error(usage) for `append` with a portable baseline, Error(baseline) for sessions of another key, for a
/// session that is stored already, and where step or first step moved by more than Margins::matter without append or
/// replace.
Merged merge_pending(const Baseline* committed, const Baseline& pending, const MergeRules& rules);

}  // namespace stepgate
