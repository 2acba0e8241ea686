// What the observer saw, inside a run record or a profile. Internal to json/ (mentions nlohmann).
#pragma once

#include "core/record/observed_work.h"
#include "json/text/reader.h"

namespace stepgate {

/// Keys that hold nothing (no parent, no frames, 0 bytes) are left out, and has_formula where it is true.
Json value_of(const SourceFrame& frame);
Json value_of(const CodePlace& place);
Json value_of(const OperatorSite& site);
Json value_of(const ObservedWork& work);

SourceFrame source_frame_at(Reader reader);
CodePlace code_place_at(Reader reader);
OperatorSite operator_site_at(Reader reader);
/// Also checks that each site's place exists.
ObservedWork observed_work_at(Reader reader);

}  // namespace stepgate
