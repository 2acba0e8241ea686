// A sweep as a picture: the metric over the first parameter, one line per value of the second, with interval bars.
#pragma once

#include <string>

#include "core/study/sweep.h"

namespace stepgate {

/// A self-contained SVG 1.1 document: no script, no external resources, colours that follow the reader's light or dark
/// scheme, shapes and dashes that distinguish the lines without colour. Further parameters have the best setting's
/// values, and the subtitle says so. For a sweep without a best setting the page says why it is empty.
std::string render_sweep_plot(const Sweep& sweep);

}  // namespace stepgate
