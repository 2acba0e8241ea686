// The census of a profile as a part of profile.json.
#pragma once

#include "core/study/work_census.h"
#include "json/text/reader.h"

namespace stepgate {

Json value_of(const WorkCensus& census);
WorkCensus work_census_at(Reader reader);

}  // namespace stepgate
