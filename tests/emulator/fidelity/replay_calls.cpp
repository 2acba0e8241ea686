// Calls operators of LibTorch on the emulated GPU with the sizes, strides and arguments of a trace:
//   replay_calls FILE [FIRST]
// FILE is what trace_calls.py writes, and FIRST the number of calls to leave out. The machine's log gets a mark before
// and after each call ("begin 7", "call 7"), so that it tells what each call did. Prints a line for each call: "7 ok
// Tensor" with the overload, "7 unknown" where no overload fits, "7 failed TEXT" where LibTorch refuses. A call that
// the machine does not model ends the process without a line.
#include <torch/torch.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "emulator/fidelity/call_arguments.h"
#include "emulator/fidelity/recorded_call.h"
#include "measure/device/emulated_gpu.h"

namespace {

using stepgate::LogMark;
using stepgate::fidelity::PreparedCall;
using stepgate::fidelity::RecordedCall;

std::string first_line(const char* text) {
  const std::string all = text;
  return all.substr(0, all.find('\n'));
}

/// What became of the call: "ok Tensor".
std::string replay(const RecordedCall& call, LogMark mark) {
  try {
    std::optional<PreparedCall> prepared = stepgate::fidelity::prepare(call);
    if (!prepared) return "unknown";
    mark(("begin " + call.number).c_str());
    prepared->overload.callBoxed(&prepared->stack);
    mark(("call " + call.number).c_str());
    return "ok " + prepared->overload.operator_name().overload_name;
  } catch (const std::exception& error) {
    return "failed " + first_line(error.what());
  }
}

void say(const RecordedCall& call, const std::string& text) {
  std::printf("%s %s\n", call.number.c_str(), text.c_str());
  std::fflush(stdout);
}

void replay_from(const std::string& path, std::size_t first, LogMark mark) {
  std::ifstream lines(path);
  if (!lines) throw std::runtime_error("cannot read " + path);
  const std::vector<RecordedCall> calls = stepgate::fidelity::read_calls(lines);
  const torch::NoGradGuard no_grad;
  at::set_num_threads(1);
  // The device is ready before the first call.
  static_cast<void>(at::zeros({1}, at::TensorOptions().device(at::kCUDA)));
  for (std::size_t next = first; next < calls.size(); ++next) say(calls[next], replay(calls[next], mark));
}

}  // namespace

int main(int count, char** words) {
  const LogMark mark = stepgate::loaded_log_mark();
  if (count < 2 || count > 3 || mark == nullptr) {
    std::fprintf(stderr, "use: replay_calls FILE [FIRST], on the emulated GPU with log=LOG\n");
    return 2;
  }
  try {
    replay_from(words[1], count == 3 ? std::strtoull(words[2], nullptr, 10) : 0, mark);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "replay_calls: %s\n", error.what());
    return 1;
  }
}
