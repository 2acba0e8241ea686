// Stream hazards inside a measurement, and the file of them that a process on an emulated GPU writes. Internal to json/
// (mentions nlohmann).
#pragma once

#include "core/stream_hazards.h"
#include "json/text/reader.h"

namespace stepgate {

Json value_of(const StreamHazards& hazards);
StreamHazards stream_hazards_at(Reader reader);

/// A hazard alone: an element of a measurement's list, and a line of the file.
Json value_of(const StreamHazard& hazard);
StreamHazard stream_hazard_at(Reader reader);

}  // namespace stepgate
