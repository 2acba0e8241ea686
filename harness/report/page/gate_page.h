// The page of verdicts: gate, ab, compare and check. Ten seconds suffice for its first lines; everything that stands
// behind them follows.
#pragma once

#include <cstddef>

#include "report/page/gate_page_input.h"
#include "report/page/page_model.h"

namespace stepgate {

/// Beyond so many cases with something to say each is folded: a page of 300 stays quick to open.
inline constexpr std::size_t open_cases = 20;

Page gate_page(const GatePageInput& input);

}  // namespace stepgate
