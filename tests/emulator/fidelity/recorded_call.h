// An operator call of a trace, as trace_calls.py writes it for the replay.
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace stepgate::fidelity {

enum class ArgumentKind { tensor, tensors, scalar, scalars, nothing };

struct RecordedTensor {
  std::string dtype;  ///< "bfloat16"
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;  ///< empty where the trace does not hold them
};

struct RecordedArgument {
  ArgumentKind kind = ArgumentKind::nothing;
  std::vector<RecordedTensor> tensors = {};  ///< one of a tensor
  std::vector<std::string> texts = {};       ///< one of a scalar; none where the trace does not hold the value
};

/// Where the tensors of the call were, as its copies tell.
enum class CallPlace {
  quiet,      ///< it did nothing on the device: views, and work of the host
  device,     ///< it worked on the device
  to_device,  ///< it copied from the host
  to_host,
};

struct RecordedCall {
  std::string number;
  std::string name;  ///< "aten::add"
  CallPlace place = CallPlace::quiet;
  bool is_pinned = false;  ///< the host's side of its copies
  std::vector<RecordedArgument> arguments = {};
};

/// Throws std::runtime_error with the line that it cannot read.
std::vector<RecordedCall> read_calls(std::istream& lines);

}  // namespace stepgate::fidelity
