// The memory timeline of a step as a trace that Perfetto (ui.perfetto.dev) and chrome://tracing open: the JSON form of
// the Trace Event Format, https://chromium.googlesource.com/catapult/+/HEAD/docs/ (document "Trace Event Format").
#pragma once

#include <string>

#include "core/record/run_record.h"

namespace stepgate {

/// One "live memory" counter track with a series per kind (viewers that stack counters show their sum), a "live
/// bytes" counter with the sum, one slice per boundary, and a mark where memory peaked. The memory pass takes no times,
/// so microsecond n of the trace is the n-th change. The ledger gives the kinds of what was live when the step began;
/// without one its kind is "other".
std::string trace_viewer_text(const std::string& case_name, const MemoryProfile& memory);

}  // namespace stepgate
