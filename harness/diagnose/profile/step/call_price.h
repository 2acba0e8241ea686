// Which operators cost what their calls cost?
#pragma once

#include "core/study/profile.h"

namespace stepgate {

/// True if the price of the cheapest call makes up most of the operator's roof, and its time is near that roof: larger
/// tensors in fewer calls would take less time. Of an operator that is far above its roof the roof may not know the
/// work: no formula counts the FLOPs of a decomposition.
bool is_price_of_calls(const OperatorRow& row, const MachinePeaks& peaks);

}  // namespace stepgate
