#include "launch/process/program_output.h"

#include "environment/process/child_environment.h"
#include "launch/process/child_process.h"
#include "launch/program_build.h"
#include "system/stop_signal.h"

namespace stepgate {

std::optional<std::string> program_output(const std::vector<std::string>& command,
                                          const std::filesystem::path& output) {
  const ProcessRequest request{
      .command = command,
      .environment = with_own_libraries(child_environment(own_environment(), {}), command.front()),
      .knobs = {},
      .output = output,
      .timeout_s = 30,  // loading LibTorch from a cold disk is the longest part
      .interrupted = &stop_signal()};
  const ProcessResult result = run_process(request);
  if (result.end != ProcessEnd::exited || result.code != 0) return std::nullopt;
  return result.printed;
}

}  // namespace stepgate
