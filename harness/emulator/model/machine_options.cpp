#include "emulator/model/machine_options.h"

#include <array>
#include <charconv>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace stepgate::emulator {
namespace {

constexpr std::uint64_t mebibyte = 1ULL << 20U;
constexpr int most_devices = 16;  // of one machine; buses and UUIDs have room for more

[[noreturn]] void reject(std::string_view word, std::string_view remedy) {
  throw std::invalid_argument("emulated GPU: '" + std::string(word) + "' " + std::string(remedy));
}

template <typename Number>
Number number_from(std::string_view text, std::string_view word) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) reject(word, "has no number where one belongs");
  return number;
}

std::string with_blanks(std::string_view path) {
  std::string text;
  while (!path.empty()) {
    const bool is_blank = path.starts_with("%20");
    const bool is_percent = path.starts_with("%25");
    text += is_blank ? ' ' : is_percent ? '%' : path.front();
    path.remove_prefix(is_blank || is_percent ? 3 : 1);
  }
  return text;
}

std::string without_blanks(std::string_view path) {
  std::string text;
  for (const char letter : path) {
    if (letter == ' ') {
      text += "%20";
    } else if (letter == '%') {
      text += "%25";
    } else {
      text += letter;
    }
  }
  return text;
}

void read_model(MachineOptions& options, std::string_view word) {
  const std::size_t colon = word.find(':');
  options.model = find_device_model(word.substr(0, colon));
  if (options.model == nullptr) reject(word, "is no model: take one of " + std::string(device_model_keys()));
  if (colon == std::string_view::npos) return;
  options.devices = number_from<int>(word.substr(colon + 1), word);
  if (options.devices < 1 || options.devices > most_devices) {
    reject(word, "has no usable number of devices: 1 to " + std::to_string(most_devices));
  }
}

/// One setting of the text: how it is read, and what it says of options that have it; "" where they have the default.
struct Setting {
  std::string_view name;
  void (*read)(MachineOptions&, std::string_view value, std::string_view word);
  std::string (*text)(const MachineOptions&);
};

std::string scale_text(double scale) {
  std::ostringstream text;
  text << scale;
  return text.str();
}

constexpr std::array<Setting, 11> settings = {{
    {"mode",
     [](MachineOptions& options, std::string_view value, std::string_view word) {
       if (value != "counts" && value != "values") reject(word, "is no mode: counts or values");
       options.mode = value == "values" ? ValueMode::values : ValueMode::counts;
     },
     [](const MachineOptions& options) { return std::string(options.mode == ValueMode::values ? "values" : ""); }},
    {"answers",
     [](MachineOptions& options, std::string_view value, std::string_view word) {
       if (value != "held" && value != "other") reject(word, "is no kind of answers: held or other");
       options.answers = value == "other" ? DeviceAnswers::other : DeviceAnswers::held;
     },
     [](const MachineOptions& options) { return std::string(options.answers == DeviceAnswers::other ? "other" : ""); }},
    {"sizes",
     [](MachineOptions& options, std::string_view value, std::string_view word) {
       if (value != "refused" && value != "held") reject(word, "is no kind of sizes: refused or held");
       options.sizes = value == "held" ? SizeAnswers::held : SizeAnswers::refused;
     },
     [](const MachineOptions& options) { return std::string(options.sizes == SizeAnswers::held ? "held" : ""); }},
    {"clock",
     [](MachineOptions& options, std::string_view value, std::string_view word) {
       if (value != "virtual" && value != "real") reject(word, "is no clock: virtual or real");
       options.clock = value == "real" ? ClockKind::real_time : ClockKind::virtual_time;
     },
     [](const MachineOptions& options) { return std::string(options.clock == ClockKind::real_time ? "real" : ""); }},
    {"scale",
     [](MachineOptions& options, std::string_view value, std::string_view word) {
       options.device_scale = number_from<double>(value, word);
       if (!std::isfinite(options.device_scale) || options.device_scale < 0) reject(word, "is no factor: 0 or more");
     },
     [](const MachineOptions& options) { return options.device_scale == 1 ? "" : scale_text(options.device_scale); }},
    {"memory_mib",
     [](MachineOptions& options, std::string_view value, std::string_view word) {
       const auto mebibytes = number_from<std::uint32_t>(value, word);
       options.memory_bytes = mebibytes * mebibyte;
     },
     [](const MachineOptions& options) {
       return options.memory_bytes ? std::to_string(*options.memory_bytes / mebibyte) : std::string();
     }},
    {"moved_mib",
     [](MachineOptions& options, std::string_view value, std::string_view word) {
       options.moved_bytes_limit = number_from<std::uint32_t>(value, word) * mebibyte;
     },
     [](const MachineOptions& options) {
       const bool is_default = options.moved_bytes_limit == MachineOptions().moved_bytes_limit;
       return is_default ? std::string() : std::to_string(options.moved_bytes_limit / mebibyte);
     }},
    {"log",
     [](MachineOptions& options, std::string_view value, std::string_view) { options.log_path = with_blanks(value); },
     [](const MachineOptions& options) { return without_blanks(options.log_path); }},
    {"order",
     [](MachineOptions& options, std::string_view value, std::string_view) { options.order_path = with_blanks(value); },
     [](const MachineOptions& options) { return without_blanks(options.order_path); }},
    {"hazards",
     [](MachineOptions& options, std::string_view value, std::string_view) {
       options.hazards_path = with_blanks(value);
     },
     [](const MachineOptions& options) { return without_blanks(options.hazards_path); }},
    {"script",
     [](MachineOptions& options, std::string_view value, std::string_view) {
       options.script_path = with_blanks(value);
     },
     [](const MachineOptions& options) { return without_blanks(options.script_path); }},
}};

void read_setting(MachineOptions& options, std::string_view word) {
  const std::size_t equals = word.find('=');
  for (const Setting& setting : settings) {
    if (word.substr(0, equals) != setting.name || equals == std::string_view::npos) continue;
    return setting.read(options, word.substr(equals + 1), word);
  }
  reject(word,
         "is no setting: mode=, answers=, sizes=, clock=, scale=, memory_mib=, moved_mib=, log=, order=, hazards=, "
         "script=");
}

}  // namespace

MachineOptions read_machine_options(std::string_view text) {
  MachineOptions options;
  std::istringstream words{std::string(text)};
  std::string word;
  if (!(words >> word)) reject(text, "names no model: take one of " + std::string(device_model_keys()));
  read_model(options, word);
  while (words >> word) read_setting(options, word);
  return options;
}

std::string text_of(const MachineOptions& options) {
  std::string text(options.model->key);
  if (options.devices != 1) text += ":" + std::to_string(options.devices);
  for (const Setting& setting : settings) {
    const std::string value = setting.text(options);
    if (!value.empty()) text += " " + std::string(setting.name) + "=" + value;
  }
  return text;
}

std::string machine_title(const MachineOptions& options) {
  std::string key(options.model->key);
  for (char& letter : key) {
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  }
  return "emulated " + key + ", model " + std::to_string(model_version) +
         (options.mode == ValueMode::values ? ", values" : "");
}

}  // namespace stepgate::emulator
