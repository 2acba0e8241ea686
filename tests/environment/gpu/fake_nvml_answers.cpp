#include "environment/gpu/fake_nvml_answers.h"

#include <cstring>
#include <limits>

#include "environment/gpu/fake_nvml_script.h"

namespace stepgate::fake_nvml {

int copy_text(const std::string& text, char* into, unsigned length) {
  if (text.size() + 1 > length) return nvml::insufficient_size;
  std::memcpy(into, text.c_str(), text.size() + 1);
  return nvml::success;
}

int list(const char* name, unsigned* count, nvml::ProcessInfo* rows) {
  const auto running = static_cast<unsigned>(std::stoul(next_value(name, setting(name, "0"))));
  const bool fits = running <= *count;
  if (number("BEYOND", 0) != 0) {
    *count = 1U << 30U;
    return nvml::success;
  }
  *count = running;
  if (!fits) return nvml::insufficient_size;
  const bool hides = number("HIDDEN_NUMBERS", 0) != 0;
  for (unsigned i = 0; i < running; ++i) rows[i] = {hides ? 0 : 4242 + i, 1 << 20, 0xffffffff, 0xffffffff};
  return nvml::success;
}

void fill(nvml::FieldValue& field) {
  const std::string name = std::to_string(field.field_id);
  const std::string value = next_value(name, value_of(setting("COUNTERS", ""), name, "0"));
  field.result = value == "old" ? nvml::invalid_argument : nvml::success;
  field.type = nvml::ValueType::unsigned64;
  if (value == "old") return;
  if (value == "nan") {
    field.type = nvml::ValueType::float64;
    field.value.float64 = std::numeric_limits<double>::quiet_NaN();
  } else if (value == "negative") {
    field.type = nvml::ValueType::signed64;
    field.value.signed64 = -5;
  } else if (value == "typeless") {
    field.type = static_cast<nvml::ValueType>(99);
  } else {
    field.value.unsigned64 = std::stoull(value);
  }
}

}  // namespace stepgate::fake_nvml
