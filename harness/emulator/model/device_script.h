// What happens to the emulated devices while a test runs: clocks, power, temperature, other processes, MIG, faults.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stepgate::emulator {

/// What a line of a script waits for.
enum class ScriptTrigger { start, milliseconds, operations, readings };

/// How far a process has come.
struct ScriptProgress {
  std::int64_t milliseconds = 0;  ///< since the library was loaded
  std::int64_t operations = 0;    ///< of the device
  std::int64_t readings = 0;      ///< of the device by NVML
};

struct ScriptLine {
  int device = 0;
  ScriptTrigger trigger = ScriptTrigger::start;
  std::int64_t from = 0;  ///< in units of the trigger
  std::string key;
  std::string value;
};

class DeviceScript {
 public:
  DeviceScript() = default;
  explicit DeviceScript(std::vector<ScriptLine> lines) : lines_(std::move(lines)) {}

  /// The value of the last line whose trigger is reached; absent where there is none.
  std::optional<std::string> value(int device, std::string_view key, const ScriptProgress& progress) const;
  /// The same as a whole number. A value that is no number is absent.
  std::optional<std::int64_t> number(int device, std::string_view key, const ScriptProgress& progress) const;
  bool empty() const { return lines_.empty(); }

 private:
  std::vector<ScriptLine> lines_;
};

/// Reads lines such as
///
///     gpu 0 clock_mhz 1410
///     gpu 0 after 2000 ms temperature_c 91
///     gpu 1 after 400 operations xid 79
///     gpu 0 after 3 readings process 4242 800
///
/// A line without `after` holds from the start; # begins a comment. Keys are those of script_keys(). Throws
/// std::invalid_argument with the number of the line.
DeviceScript read_device_script(std::string_view text);

/// Every key of a script, with what its value means.
struct ScriptKey {
  std::string_view key;
  std::string_view meaning;
};
const std::vector<ScriptKey>& script_keys();

}  // namespace stepgate::emulator
