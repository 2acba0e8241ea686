// A time that grows with the number of the step, and the causes that only say where it shows.
#pragma once

#include "diagnose/merge/fault.h"

namespace stepgate {

/// A boundary that grows with the steps is slower for that reason, and a loader gives fewer samples. What grows in
/// counts is why its time does.
void merge_growing_time(Faults& faults);

}  // namespace stepgate
