// A run report as a document: verdict.json (schemas/verdict.schema.json), the authoritative result of a gate run.
#pragma once

#include <string>
#include <string_view>

#include "core/verdict/run_report.h"

namespace stepgate {

/// Starts with what a script needs: exit_status, status, and how many cases have which status. Throws Error(measure)
/// naming the key of a non-finite number.
std::string to_text(const RunReport& report);

/// Keys that it does not know are passed over. Throws Error(measure) naming `source` and the key, also where
/// exit_status is not what the outcomes add up to (a file edited by hand).
RunReport run_report_from_text(std::string_view text, const std::string& source);

/// Status of the whole suite, in step with exit_status(report): the worst of its cases; failed where nothing was
/// measured or a case is missing.
Status suite_status(const RunReport& report);

}  // namespace stepgate
