#include "measure/device/fake/fake_work_trace.h"

#include <utility>

namespace stepgate {

std::string FakeWorkTrace::start() {
  if (!refuses_.empty()) return refuses_;
  backend_.trace_work(&work_);
  running_ = true;
  return "";
}

std::variant<std::vector<WorkInterval>, std::string> FakeWorkTrace::take() {
  if (!running_) return "the device's work is not being traced";
  return std::exchange(work_, {});
}

void FakeWorkTrace::stop() {
  if (running_) backend_.trace_work(nullptr);
  running_ = false;
}

}  // namespace stepgate
