// The account of a foreign trace on a terminal: `stepgate profile --trace FILE`.
#pragma once

#include <string>

#include "core/study/trace_account.h"
#include "report/text/console_style.h"

namespace stepgate {

/// Steps, account with bars, what may limit the run, the costliest kernels or operators, notes with what was not read.
/// With style.verbose also parts of the account that are 0.
std::string render_trace_account(const TraceAccount& account, const ConsoleStyle& style);

}  // namespace stepgate
