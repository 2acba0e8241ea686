#include "stepgate/telemetry.h"

#include <chrono>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/record/telemetry_record.h"
#include "measure/telemetry/telemetry_files.h"

namespace stepgate {
namespace {

double unix_seconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

void refuse_graph(std::string_view name, const torch::Tensor& value) {
  if (value.grad_fn() == nullptr) return;
  throw std::invalid_argument("telemetry: " + std::string(name) +
                              " has a grad_fn, and keeping it would keep the graph of the step: pass detach() of it");
}

/// Tensors of a group of norms, and the names of their values.
struct NormSource {
  std::vector<torch::Tensor> tensors;
  std::vector<std::string> names;
};

NormSource source_of(std::string_view name, const Telemetry::Parameters& parameters, bool gradients) {
  NormSource source;
  for (const auto& parameter : parameters) {
    const torch::Tensor tensor = gradients ? parameter.value().grad() : parameter.value();
    if (!tensor.defined()) continue;
    source.names.push_back(std::string(name) + "/" + parameter.key());
    refuse_graph(source.names.back(), tensor);
    source.tensors.push_back(tensor);
  }
  source.names.emplace_back(name);
  return source;
}

}  // namespace

struct Telemetry::State {
  /// The place of a record's value in the buffer on the device.
  struct DeviceValue {
    std::size_t value = 0;  ///< index into TelemetryRecord::values
    std::int64_t slot = 0;
  };

  struct PendingRecord {
    TelemetryRecord record;
    std::vector<DeviceValue> on_device;
  };

  explicit State(const TelemetryOptions& asked)
      : options(asked),
        files(asked.folder, asked.tensorboard),
        slots(static_cast<std::int64_t>(asked.window * asked.most_series)),
        buffer(torch::empty({slots}, torch::TensorOptions().dtype(torch::kDouble).device(asked.device))) {
    pending.reserve(asked.window);
  }

  /// Room for `count` values of the record that is open.
  std::int64_t reserve(std::size_t count) {
    const auto first = static_cast<std::int64_t>(used);
    if (pending.back().on_device.size() + count > options.most_series) {
      throw std::invalid_argument("telemetry: more than " + std::to_string(options.most_series) +
                                  " values in a record: raise TelemetryOptions::most_series");
    }
    used += count;
    return first;
  }

  void keep(const std::vector<std::string>& names, const torch::Tensor& values) {
    const std::int64_t first = reserve(names.size());
    const auto count = static_cast<std::int64_t>(names.size());
    buffer.narrow(0, first, count).copy_(values.reshape({count}), /*non_blocking=*/true);
    for (std::int64_t i = 0; i < count; ++i) {
      TelemetryRecord& record = pending.back().record;
      pending.back().on_device.push_back({record.values.size(), first + i});
      record.values.push_back({names[static_cast<std::size_t>(i)], 0});
    }
  }

  TelemetryOptions options;
  TelemetryFiles files;
  std::int64_t slots;
  torch::Tensor buffer;                 ///< one-dimensional, on the device; records follow each other in it
  std::size_t used = 0;                 ///< slots of the buffer
  std::vector<PendingRecord> pending;   ///< not written yet; the last is open if `open`
  std::vector<TelemetryRecord> unsent;  ///< read from the device, and not in the files
  bool open = false;
};

Telemetry::Telemetry() = default;
Telemetry::Telemetry(Telemetry&&) noexcept = default;
Telemetry& Telemetry::operator=(Telemetry&&) noexcept = default;

Telemetry::Telemetry(const TelemetryOptions& options) {
  if (options.folder.empty()) return;
  if (options.every < 1 || options.window < 1 || options.most_series < 1) {
    throw std::invalid_argument("telemetry: every, window and most_series are at least 1");
  }
  state_ = std::make_unique<State>(options);
}

Telemetry::~Telemetry() {
  try {
    flush();
  } catch (...) {  // a destructor has nobody to tell
  }
}

bool Telemetry::begin(std::int64_t step) {
  if (step % state_->options.every != 0) return false;
  if (state_->open) end();
  state_->pending.push_back({{step, unix_seconds(), {}}, {}});
  state_->open = true;
  return true;
}

void Telemetry::add_number(std::string_view name, double value) {
  if (state_->open) state_->pending.back().record.values.push_back({std::string(name), value});
}

void Telemetry::add_tensor(std::string_view name, const torch::Tensor& value) {
  if (!state_->open) return;
  refuse_graph(name, value);
  if (value.numel() != 1) {
    throw std::invalid_argument("telemetry: " + std::string(name) + " has " + std::to_string(value.numel()) +
                                " elements; a scalar has one");
  }
  const torch::NoGradGuard no_grad;
  state_->keep({std::string(name)}, value);
}

void Telemetry::add_norms(std::string_view name, const Parameters& parameters, bool gradients) {
  if (!state_->open) return;
  const NormSource source = source_of(name, parameters, gradients);
  if (source.tensors.empty()) return;
  const torch::NoGradGuard no_grad;
  const torch::Tensor norms = torch::stack(at::_foreach_norm(source.tensors));
  state_->keep(source.names, torch::cat({norms, norms.norm().reshape({1})}));
}

void Telemetry::add_rates(const torch::optim::Optimizer& optimizer) {
  const auto& groups = optimizer.param_groups();
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::string name = groups.size() == 1 ? "learning_rate" : "learning_rate/" + std::to_string(i);
    add_number(name, groups[i].options().get_lr());
  }
}

void Telemetry::end() {
  if (!state_->open) return;
  state_->open = false;
  if (state_->pending.size() == state_->options.window) write();
}

void Telemetry::write() {
  State& state = *state_;
  state.open = false;
  if (!state.pending.empty()) {
    // The only wait for the device.
    const torch::Tensor values = state.buffer.narrow(0, 0, static_cast<std::int64_t>(state.used)).to(torch::kCPU);
    const double* read = values.data_ptr<double>();
    for (auto& pending : state.pending) {
      for (const auto& value : pending.on_device) pending.record.values[value.value].value = read[value.slot];
      state.unsent.push_back(std::move(pending.record));
    }
    state.pending.clear();
    state.used = 0;
  }
  if (state.unsent.empty()) return;
  state.files.write(state.unsent);
  state.unsent.clear();
}

}  // namespace stepgate
