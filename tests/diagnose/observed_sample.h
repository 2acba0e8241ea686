// Puts observed operator calls into a sample case: places of the head's program, functions of the baseline.
#pragma once

#include <string>

#include "diagnose/injected_operators.h"

namespace stepgate {

/// Where an operator is called.
struct ObservedCall {
  std::string boundary;
  std::string name;
  SourceFrame frame;
};

/// `calls` of each of the four counted steps come from that line.
inline void observe(SampleCase& sample, const ObservedCall& call, std::int64_t calls) {
  auto& observed = sample.current.counts.observed;
  if (!observed) observed = ObservedWork{.steps = sample_steps, .frames_from = FramesFrom::lines};
  observed->places.push_back({{}, {call.frame}});
  OperatorSite site{.boundary = call.boundary, .name = call.name, .place = observed->places.size() - 1};
  site.calls = calls * sample_steps;
  observed->sites.push_back(site);
}

/// The baseline knows that function with so many calls in each of its four steps.
inline void remember(SampleCase& sample, const ObservedCall& call, std::int64_t calls) {
  sample.portable.functions_from = name_of(FramesFrom::lines);
  sample.portable.operator_functions[call.boundary][call.name][call.frame.function] = calls * sample_steps;
}

}  // namespace stepgate
