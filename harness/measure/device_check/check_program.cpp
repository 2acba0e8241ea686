#include "measure/device_check/check_program.h"

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

#include "core/error.h"
#include "json/studies/device_check_json.h"
#include "measure/device_check/device_checks.h"
#include "system/files/file.h"
#include "system/nearest_name.h"

namespace stepgate {
namespace {

constexpr int usage_status = 2;
constexpr int not_measured_status = 3;
constexpr int missing_status = 77;

struct CheckArguments {
  bool list = false;
  std::string check;
  std::string out;
};

Error wrong_arguments(const std::string& message) {
  return {ErrorKind::usage, message, "stepgate_device_check --list, or --check NAME [--out FILE]"};
}

CheckArguments arguments_of(int argc, const char* const* argv) {
  CheckArguments arguments;
  const std::vector<std::string> words(argv + 1, argv + argc);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool takes_value = words[i] == "--check" || words[i] == "--out";
    if (words[i] == "--list") {
      arguments.list = true;
    } else if (takes_value && i + 1 < words.size()) {
      (words[i] == "--check" ? arguments.check : arguments.out) = words[i + 1];
      ++i;
    } else {
      throw wrong_arguments(takes_value ? words[i] + " needs a value" : "unknown argument " + words[i]);
    }
  }
  if (!arguments.list && arguments.check.empty()) throw wrong_arguments("no check is named");
  return arguments;
}

const DeviceCheckRow& check_named(const std::string& name) {
  if (const DeviceCheckRow* row = find_device_check(name)) return *row;
  std::vector<std::string_view> names;
  for (const DeviceCheckRow& row : device_check_table()) names.push_back(row.name);
  const auto nearest = nearest_name(name, names);
  throw wrong_arguments(fmt::format("there is no check {}{}", name, nearest ? fmt::format("; {}?", *nearest) : ""));
}

void write(const std::string& text) { static_cast<void>(std::fwrite(text.data(), 1, text.size(), stdout)); }

int complain_and_return(int status, const std::string& message, const std::string& next) {
  std::fputs(fmt::format("stepgate_device_check: {}\n", message).c_str(), stderr);
  if (!next.empty()) std::fputs(fmt::format("next: {}\n", next).c_str(), stderr);
  return status;
}

int list_checks() {
  for (const DeviceCheckRow& row : device_check_table()) write(fmt::format("{:<18}{}\n", row.name, row.question));
  return 0;
}

int run_check(const CheckArguments& arguments, const OpenProbeDevice& open) {
  const DeviceCheckRow& row = check_named(arguments.check);
  const std::unique_ptr<ProbeDevice> device = open();
  DeviceFigures figures{.check = std::string(row.name)};
  row.run(*device, figures);
  const std::string text = to_text(figures);
  if (arguments.out.empty()) {
    write(text);
  } else {
    write_file_atomically(arguments.out, text);
  }
  return 0;
}

}  // namespace

int run_check_program(int argc, const char* const* argv, const OpenProbeDevice& open) {
  try {
    const CheckArguments arguments = arguments_of(argc, argv);
    return arguments.list ? list_checks() : run_check(arguments, open);
  } catch (const ProbeMissing& missing) {
    return complain_and_return(missing_status, missing.what(), "look at nvidia-smi and CUDA_VISIBLE_DEVICES");
  } catch (const Error& error) {
    return complain_and_return(error.kind() == ErrorKind::usage ? usage_status : not_measured_status, error.what(),
                               error.remedy());
  } catch (const std::exception& failure) {
    return complain_and_return(not_measured_status, failure.what(), "");
  }
}

}  // namespace stepgate
