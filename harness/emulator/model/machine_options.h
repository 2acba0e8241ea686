// What machine to emulate, as the launcher passes it to a measured process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "emulator/model/device_model.h"

namespace stepgate::emulator {

/// The launcher sets it for a measured program and its ranks. The library takes it out of the environment when it has
/// read it.
inline constexpr const char* machine_variable = "STEPGATE_EMULATED_GPU";

/// What kernels do.
enum class ValueMode { counts, values };

/// What a copy from a device to the host delivers. A program that takes the same way with both does not depend on the
/// numbers of its device, as far as these two runs show.
enum class DeviceAnswers {
  held,   ///< what the device's memory holds
  other,  ///< other_answer in each byte
};

/// As a number it is 3.0 in float32 and bfloat16, 2.1 in float16, 32.5 in float64, 64 in int8, true as a bool. Own
/// choice: a usual loss, and no zero.
inline constexpr unsigned char other_answer = 0x40;

/// What time is.
enum class ClockKind {
  virtual_time,  ///< only work advances it: two runs ask at equal times
  real_time,     ///< the host's clock, and waits sleep: for tests of times
};

/// What an operator in counts mode gets that reads from the device how large its result is.
enum class SizeAnswers {
  refused,  ///< the process ends, because nobody has computed it
  held,     ///< what the memory holds: for checks that only look whether a read waits
};

struct MachineOptions {
  const DeviceModel* model = nullptr;
  int devices = 1;
  ValueMode mode = ValueMode::counts;
  DeviceAnswers answers = DeviceAnswers::held;
  SizeAnswers sizes = SizeAnswers::refused;
  ClockKind clock = ClockKind::virtual_time;
  double device_scale = 1;                                   ///< factor of all device costs; 0: work is done at once
  std::optional<std::uint64_t> memory_bytes = std::nullopt;  ///< instead of the model's
  /// Larger copies, memsets and collectives are counted and move nothing. Own choice: with 64 MiB, batches and
  /// gradients move and the tables of large models do not.
  std::uint64_t moved_bytes_limit = 64ULL << 20U;
  /// A thread that only asks is told that work is done after so long without a call of those that give work: it may be
  /// what they wait for. Own choice: longer than most training programs compute between two calls of CUDA. It is no
  /// border that counts hang on: the answer leaves the machine's time where it is.
  std::int64_t patience_ms = 2000;
  /// A function of the host runs beside the program after so long without a call: the program may wait for it without
  /// one. Own choice: shorter than anybody notices, longer than the pauses of a program that goes on calling.
  std::int64_t function_patience_ms = 20;
  std::string log_path = {};      ///< "" where nothing is logged
  std::string order_path = {};    ///< of the order of all work; "" where it is not written
  std::string hazards_path = {};  ///< of accesses that nothing orders; "" where they are not looked for
  std::string script_path = {};   ///< "" where the devices behave
};

/// Reads "h100:2 mode=values scale=40 clock=real answers=other sizes=held memory_mib=1000 moved_mib=16 log=PATH
/// order=PATH hazards=PATH script=PATH": the model, a number of devices, then settings in any order. A path ends at a
/// blank, so
/// "%20" stands for one and "%25" for a percent sign. Throws std::invalid_argument with the word that is wrong and
/// those that are right.
MachineOptions read_machine_options(std::string_view text);

/// The text that read_machine_options() reads back to the same options.
std::string text_of(const MachineOptions& options);

/// "emulated H100, model 1"; in values mode "emulated H100, model 1, values". A baseline's key holds it, so that
/// figures of both modes are not compared.
std::string machine_title(const MachineOptions& options);

}  // namespace stepgate::emulator
