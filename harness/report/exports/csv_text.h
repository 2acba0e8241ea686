// A run as CSV: a header and one row, so that rows of several runs make a history.
#pragma once

#include <string>

#include "core/verdict/exported_series.h"

namespace stepgate {

/// Columns time, commit, then one per case and metric, quoted as in RFC 4180. Line breaks in names become spaces:
/// readers by lines would see two rows. A name that a spreadsheet would take for a formula gets an apostrophe.
std::string csv_text(const ExportedRun& run);

}  // namespace stepgate
