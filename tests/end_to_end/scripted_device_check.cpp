// stepgate_device_check over a scripted GPU. STEPGATE_SCRIPTED_DEVICE says what is broken (scripted_probe_device.h), or
// "missing": there is no GPU.
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#include "end_to_end/scripted_probe_device.h"
#include "measure/device_check/check_program.h"

namespace {

using namespace stepgate;

std::string value_after(int argc, char** argv, const std::string& word) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (argv[i] == word) return argv[i + 1];
  }
  return "";
}

/// Ends the process as a broken check does; returns where this check is not to.
void misbehave(const BrokenLaws& broken, const std::string& check, const std::string& out) {
  if (broken.has("crash=" + check)) ::raise(SIGSEGV);
  if (broken.has("hang=" + check)) std::this_thread::sleep_for(std::chrono::hours(1));
  if (broken.has("garbage=" + check)) std::ofstream(out) << "{\"values\": [";
  if (broken.has("silent=" + check) || broken.has("garbage=" + check)) std::_Exit(0);
}

}  // namespace

int main(int argc, char** argv) {
  const char* words = std::getenv("STEPGATE_SCRIPTED_DEVICE");
  const BrokenLaws broken(words == nullptr ? "" : words);
  const std::string check = value_after(argc, argv, "--check");
  misbehave(broken, check, value_after(argc, argv, "--out"));
  return run_check_program(argc, argv, [&]() -> std::unique_ptr<ProbeDevice> {
    if (broken.has("missing")) throw ProbeMissing("no CUDA device is visible to this process");
    if (broken.has("fail=" + check)) throw std::runtime_error("CUDA error: an illegal memory access was encountered");
    return std::make_unique<ScriptedProbeDevice>(broken, check == "busy");
  });
}
