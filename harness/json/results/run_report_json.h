// A run report as a document: verdict.json (schemas/verdict.schema.json), the authoritative result of a gate run.
#pragma once

#include <string>
#include <string_view>

#include "core/verdict/run_report.h"

namespace stepgate {

/// Starts with what a script needs: exit_status, status, and the number of cases of each status. Throws Error(measure)
/// naming the key of a non-finite number.
std::string to_text(const RunReport& report);

/// Ignores unknown keys. Throws Error(measure) naming `source` and the key, also if exit_status does not follow from
/// the outcomes (a file edited by hand).
RunReport run_report_from_text(std::string_view text, const std::string& source);

}  // namespace stepgate
