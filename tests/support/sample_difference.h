// A difference of two builds with each kind of row, for writers and renderers.
#pragma once

#include "core/study/step_difference.h"

namespace stepgate {

inline StepDifference sample_difference() {
  StepDifference difference;
  difference.case_name = "language/char_lm/tiny";
  difference.base_commit = "9f2c1aa";
  difference.head_commit = "77e01bc";
  difference.pairs = 8;
  difference.step_ns = 9'280'000;
  difference.total_ns = 205'000;
  difference.total_measured = true;
  difference.explained_ns = 191'000;
  difference.rest_ns = 14'000;
  difference.alike = {.ratio = 1.03, .lower = 0.94, .upper = 1.12};
  difference.tested = 41;
  difference.observer_ns_a_call = 812;
  difference.rows = {{.boundary = "forward",
                      .name = "aten::copy_",
                      .at = SourceFrame{"CharLm::loss", "language/char_lm.cpp", 20},
                      .change = WorkChange::added,
                      .head = {.calls = 1, .bytes = 595'968, .self_ns = 29'000},
                      .difference_ns = 29'000,
                      .lower_ns = 25'000,
                      .upper_ns = 33'000,
                      .says = "new, 1 call a step"},
                     {.boundary = "forward",
                      .name = "aten::_log_softmax",
                      .at = SourceFrame{"CharLm::loss", "language/char_lm.cpp", 23},
                      .change = WorkChange::more,
                      .base = {.calls = 1, .bytes = 397'312, .self_ns = 61'000},
                      .head = {.calls = 1, .bytes = 794'624, .self_ns = 163'000},
                      .difference_ns = 102'000,
                      .lower_ns = 89'000,
                      .upper_ns = 115'000,
                      .operands = {"input 0: float32 -> float64"},
                      .says = "more work, bytes touched 388.0 KiB -> 776.0 KiB"},
                     {.boundary = "backward",
                      .name = "aten::mm",
                      .at = SourceFrame{"BlockImpl::forward"},
                      .base = {.calls = 4, .flops = 33'554'432, .bytes = 1'048'576, .self_ns = 1'060'000},
                      .head = {.calls = 4, .flops = 33'554'432, .bytes = 1'048'576, .self_ns = 1'120'000},
                      .difference_ns = 60'000,
                      .lower_ns = 31'000,
                      .upper_ns = 90'000,
                      .p_value = 0.0041,
                      .operands = {"input 1: strides [64, 1] -> [1, 64]"},
                      .says = "the same work takes longer, so a kernel, the memory layout, or the machine"}};
  difference.says =
      "explained +191 us of +205 us a step (93 %); the rest, +14 us, lies between operators, in rows that differ too "
      "little to tell, or is noise";
  return difference;
}

}  // namespace stepgate
