// Stored verdicts that an accept has overtaken.
#pragma once

#include "experiment/plan/project.h"
#include "experiment/results/stale_results.h"

namespace stepgate {

/// Marks a verdict that offers values to accept, where these were accepted after it: no pending file of the case is
/// left, and a baseline of the case was written later than the verdict. The outcome keeps its status, because nothing
/// was judged again. It gets the finding "accepted-since" and no longer offers the command.
void mark_accepted_since(const Project& project, StoredVerdict& verdict);

}  // namespace stepgate
