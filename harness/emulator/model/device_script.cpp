#include "emulator/model/device_script.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>

namespace stepgate::emulator {
namespace {

[[noreturn]] void reject_line(std::size_t number, std::string_view why) {
  throw std::invalid_argument("script of the emulated devices, line " + std::to_string(number) + ": " +
                              std::string(why));
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return number;
}

std::optional<ScriptTrigger> trigger_from(std::string_view word) {
  if (word == "ms") return ScriptTrigger::milliseconds;
  if (word == "operations") return ScriptTrigger::operations;
  if (word == "readings") return ScriptTrigger::readings;
  return std::nullopt;
}

bool is_reached(const ScriptLine& line, const ScriptProgress& progress) {
  switch (line.trigger) {
    case ScriptTrigger::start:
      break;
    case ScriptTrigger::milliseconds:
      return progress.milliseconds >= line.from;
    case ScriptTrigger::operations:
      return progress.operations >= line.from;
    case ScriptTrigger::readings:
      return progress.readings >= line.from;
  }
  return true;
}

bool is_key(std::string_view word) {
  const std::vector<ScriptKey>& keys = script_keys();
  return std::any_of(keys.begin(), keys.end(), [&](const ScriptKey& row) { return row.key == word; });
}

/// The words of a line from `at` on, with one blank between them.
std::string joined_from(const std::vector<std::string>& words, std::size_t at) {
  std::string text;
  for (; at < words.size(); ++at) text += (text.empty() ? "" : " ") + words[at];
  return text;
}

ScriptLine line_from(const std::vector<std::string>& words, std::size_t number) {
  ScriptLine line;
  if (words.size() < 3 || words[0] != "gpu")
    reject_line(number, "a line is 'gpu N [after N ms|operations|readings] KEY VALUE'");
  const std::optional<std::int64_t> device = whole_number(words[1]);
  if (!device || *device < 0 || *device > 255) reject_line(number, "'" + words[1] + "' is no number of a device");
  line.device = static_cast<int>(*device);
  std::size_t at = 2;
  if (words[2] == "after") {
    const std::optional<std::int64_t> from = words.size() > 4 ? whole_number(words[3]) : std::nullopt;
    const std::optional<ScriptTrigger> trigger = words.size() > 4 ? trigger_from(words[4]) : std::nullopt;
    if (!from || !trigger) reject_line(number, "after 'after' come a number and ms, operations or readings");
    line.from = *from;
    line.trigger = *trigger;
    at = 5;
  }
  if (at >= words.size() || !is_key(words[at])) {
    reject_line(number, "'" + (at < words.size() ? words[at] : std::string()) + "' is no key of a script");
  }
  line.key = words[at];
  line.value = joined_from(words, at + 1);
  if (line.value.empty()) reject_line(number, "'" + line.key + "' has no value");
  return line;
}

}  // namespace

std::optional<std::string> DeviceScript::value(int device, std::string_view key, const ScriptProgress& progress) const {
  std::optional<std::string> found;
  for (const ScriptLine& line : lines_) {
    if (line.device == device && line.key == key && is_reached(line, progress)) found = line.value;
  }
  return found;
}

std::optional<std::int64_t> DeviceScript::number(int device, std::string_view key,
                                                 const ScriptProgress& progress) const {
  const std::optional<std::string> text = value(device, key, progress);
  return text ? whole_number(*text) : std::nullopt;
}

DeviceScript read_device_script(std::string_view text) {
  std::vector<ScriptLine> lines;
  std::istringstream input{std::string(text)};
  std::string line;
  for (std::size_t number = 1; std::getline(input, line); ++number) {
    std::istringstream words_of_line(line.substr(0, line.find('#')));
    std::vector<std::string> words;
    for (std::string word; words_of_line >> word;) words.push_back(word);
    if (!words.empty()) lines.push_back(line_from(words, number));
  }
  return DeviceScript(std::move(lines));
}

const std::vector<ScriptKey>& script_keys() {
  static const std::vector<ScriptKey> keys = {
      {"clock_mhz", "clock of the multiprocessors"},
      {"memory_clock_mhz", "clock of the memory"},
      {"locked_clock_mhz", "what the clocks are locked to; 0: not locked"},
      {"power_w", "power"},
      {"power_limit_w", "enforced power limit"},
      {"energy_j", "energy since the driver was loaded"},
      {"temperature_c", "temperature"},
      {"event_reasons", "bits of the reasons for a lower clock, as a decimal number"},
      {"thermal_ns", "time with a lower clock by heat"},
      {"power_cap_ns", "time with a lower clock by the power limit"},
      {"process", "another process: its number and its MiB; \"none\" ends it"},
      {"mps_clients", "clients of a multi-process service"},
      {"compute_mode", "default, exclusive or prohibited"},
      {"persistence", "1: on"},
      {"mig", "1: the device is split into instances"},
      {"instances", "how many instances"},
      {"ecc_pending", "1: a change of ECC waits for a reset"},
      {"link_generation", "generation of PCI Express now"},
      {"link_width", "lanes of PCI Express now"},
      {"lost_answers", "NVML's number of the error that each further reading gets; 0: none"},
      {"permission", "0: changes of the device are refused"},
      {"driver", "version of the driver"},
      {"xid", "a fault of the device by its Xid number"},
      {"memory_used_mib", "memory that others use"},
  };
  return keys;
}

}  // namespace stepgate::emulator
