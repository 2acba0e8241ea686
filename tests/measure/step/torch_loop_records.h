// What a loop of a test records, and what it complains about.
#pragma once

#include <exception>
#include <string>

#include "measure/program/case/case_passes.h"
#include "measure/program/case/case_run.h"
#include "measure/torch_loops.h"

namespace stepgate {

inline RunRecord record_of(const Case& test_case, Group group) {
  const auto device = open_device("cpu");
  CaseRun run(test_case, *device, {.steps = test_case.steps});
  for (const Pass pass : passes_of(group)) {
    if (can_run(test_case, pass, test_case.steps)) run.run(pass);
  }
  return run.take_record(group);
}

/// The message of the error that `pass` throws over the loop.
inline std::string complaint(const Case& loop, Pass pass = Pass::counts) {
  const auto device = open_device("cpu");
  CaseRun run(loop, *device, {.steps = loop.steps});
  try {
    run.run(pass);
  } catch (const std::exception& failure) {
    return failure.what();
  }
  return "nothing was thrown";
}

}  // namespace stepgate
