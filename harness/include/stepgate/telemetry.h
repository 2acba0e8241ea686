// What a training run tells about itself while it trains: losses, learning rate, norms of gradients and weights.
//
//   stepgate::Telemetry telemetry({.folder = "runs/7", .every = 10, .device = device});  // Telemetry telemetry; is off
//   while (...) {
//     ...                                              // forward, backward
//     if (telemetry.begin_step(step)) {                // true in every 10th step, never where it is off
//       telemetry.scalar("loss", loss.detach());       // stays on the device
//       telemetry.gradient_norms(model->named_parameters());
//       telemetry.learning_rate(optimizer);
//       telemetry.end_step();
//     }
//   }
//
// Values on the device are copied into a buffer there and read once per window of records, so a step never waits for
// the device. A window ends in two files: telemetry.jsonl, one object a record, which is the truth, and an event file
// for TensorBoard beside it. See docs/telemetry.md.
#pragma once

#include <torch/torch.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace stepgate {

struct TelemetryOptions {
  std::filesystem::path folder = {};  ///< created; files in it are continued. Empty: off
  std::int64_t every = 10;         ///< steps from one record to the next; step 0 has one. 1 costs 2 % of a small step
  std::size_t window = 50;         ///< records between two reads of the device; at least 1
  std::size_t most_series = 1024;  ///< names; the buffer on the device has window x most_series doubles
  torch::Device device = torch::kCPU;  ///< where the tensors are that it is given
  bool tensorboard = true;             ///< write the event file too
};

/// For one thread. Off, each call is one branch: no operator, allocation, lock or system call. On, an operator or two a
/// value; files only at the end of a window.
class Telemetry {
 public:
  /// Off.
  Telemetry();
  /// Off where the folder is empty. Throws std::invalid_argument for an option out of range, std::runtime_error naming
  /// the file that cannot be written.
  explicit Telemetry(const TelemetryOptions& options);
  /// Writes what is left; what cannot be written is lost without a word. Call flush() to know.
  ~Telemetry();
  Telemetry(Telemetry&&) noexcept;
  Telemetry& operator=(Telemetry&&) noexcept;

  bool is_on() const { return state_ != nullptr; }

  /// Begins a record where `step` is a multiple of `every`; false says that the values of this step are not wanted. The
  /// calls below belong between it and end_step(); elsewhere they do nothing.
  bool begin_step(std::int64_t step) { return state_ != nullptr && begin(step); }

  /// A value of the host.
  void scalar(std::string_view name, double value) {
    if (state_ != nullptr) add_number(name, value);
  }

  /// A tensor of one element. Throws std::invalid_argument where it has a grad_fn, because keeping it would keep the
  /// graph of the step: pass value.detach(). Throws it also for a tensor of several elements, and for more than
  /// most_series names.
  void scalar(std::string_view name, const torch::Tensor& value) {
    if (state_ != nullptr) add_tensor(name, value);
  }

  using Parameters = torch::OrderedDict<std::string, torch::Tensor>;

  /// 2-norm of each gradient as "gradient_norm/NAME", and of all together as "gradient_norm", by one foreach call.
  /// Parameters without a gradient are left out. Call it after backward and before the gradients are reset.
  void gradient_norms(const Parameters& parameters) {
    if (state_ != nullptr) add_norms("gradient_norm", parameters, true);
  }
  /// The same of the parameters themselves, as "weight_norm".
  void weight_norms(const Parameters& parameters) {
    if (state_ != nullptr) add_norms("weight_norm", parameters, false);
  }
  /// The rate of each parameter group: "learning_rate", or with several "learning_rate/0", "learning_rate/1", ...
  void learning_rate(const torch::optim::Optimizer& optimizer) {
    if (state_ != nullptr) add_rates(optimizer);
  }

  /// Ends the record. The last of a window reads the device and writes the files; throws std::runtime_error where that
  /// fails. The values of that window are kept, and written with the next.
  void end_step() {
    if (state_ != nullptr) end();
  }
  /// Reads and writes what is there, at any time. Throws as end_step().
  void flush() {
    if (state_ != nullptr) write();
  }

 private:
  struct State;
  bool begin(std::int64_t step);
  void add_number(std::string_view name, double value);
  void add_tensor(std::string_view name, const torch::Tensor& value);
  void add_norms(std::string_view name, const Parameters& parameters, bool gradients);
  void add_rates(const torch::optim::Optimizer& optimizer);
  void end();
  void write();

  std::unique_ptr<State> state_;
};

}  // namespace stepgate
