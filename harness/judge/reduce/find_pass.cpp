#include "judge/reduce/find_pass.h"

#include <string>

namespace stepgate {
namespace {

constexpr const char* steady_clock_name = "steady_clock";

}  // namespace

const TimedPass* find_pass(const RunRecord& record, Pass pass) {
  const auto at = record.timed.find(std::string(name_of(pass)));
  return at == record.timed.end() ? nullptr : &at->second;
}

bool timed_by_step(const TimedPass& pass) {
  return pass.windows.empty() || (pass.clock == steady_clock_name && !pass.steps.empty());
}

}  // namespace stepgate
