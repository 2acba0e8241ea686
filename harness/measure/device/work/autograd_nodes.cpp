#include "measure/device/work/autograd_nodes.h"

#include <ATen/SequenceNumber.h>

namespace stepgate {
namespace {

/// A thread's numbering at the last reading.
struct ThreadReading {
  std::uint64_t run = 0;  ///< the count that it belongs to; 0: none
  std::uint64_t number = 0;
};

thread_local ThreadReading last_reading;
std::atomic<std::uint64_t> runs = 0;

}  // namespace

void AutogradNodes::start() {
  run_ = ++runs;
  made_ = 0;
  last_reading = {run_, at::sequence_number::peek()};
}

void AutogradNodes::read() {
  const std::uint64_t number = at::sequence_number::peek();
  if (last_reading.run == run_) made_ += static_cast<std::int64_t>(number - last_reading.number);
  last_reading = {run_, number};
}

std::int64_t AutogradNodes::total() {
  read();
  return made_;
}

}  // namespace stepgate
