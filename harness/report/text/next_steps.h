// The next steps after `stepgate doctor`: at most three, the most useful first.
#pragma once

#include <string>
#include <vector>

#include "core/study/doctor.h"

namespace stepgate {

struct NextStep {
  std::string text;
  std::string command;  ///< "" where there is none
};

/// One to three. Pure.
std::vector<NextStep> next_steps(const DoctorReport& report);

}  // namespace stepgate
