// `stepgate sweep CASE --vary NAME=A,B,C --law saved_bytes`.
#pragma once

#include "cli/options/groups/documents.h"
#include "experiment/studies/find_saved_law.h"
#include "report/studies/saved_law_report.h"

namespace stepgate {

/// Prints the law and the answers. Returns 0; 1 where --most-growth is exceeded or there is no law to hold it
/// against; 3 where nothing could be measured; 128+n after signal n.
int show_saved_law(const SavedLawStudy& study, const SavedLawQuestion& question, const StudyOutput& output,
                   int interrupted_by);

}  // namespace stepgate
