// An ablation on a terminal: what each knob does to the spread and the length of a step, and which options follow.
#pragma once

#include <string>

#include "core/study/ablation.h"
#include "report/text/console_style.h"

namespace stepgate {

/// Knobs to use first. With style.verbose also the reasons of knobs that make no difference.
std::string render_ablation(const Ablation& ablation, const ConsoleStyle& style);

}  // namespace stepgate
