// What does a step copy, and in which layouts and dtypes does it compute?
#pragma once

#include "core/record/observed_work.h"
#include "core/study/work_census.h"

namespace stepgate {

/// Pure. Without boundary data_wait, which is the loader's. Operators are counted where they do the work
/// (OperatorSite::leaf_calls). Empty if no step was observed. If the observer does not sort by shape, a site's layouts
/// are those of its first call.
WorkCensus work_census(const ObservedWork& work);

}  // namespace stepgate
