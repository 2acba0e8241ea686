// An ablation on a terminal: the effect of each knob on the spread and the length of a step, and the resulting options.
#pragma once

#include <string>

#include "core/study/ablation.h"
#include "report/text/console_style.h"

namespace stepgate {

/// Knobs to use come first. With style.verbose also the reasons of knobs without an effect.
std::string render_ablation(const Ablation& ablation, const ConsoleStyle& style);

}  // namespace stepgate
