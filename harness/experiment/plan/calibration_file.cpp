#include "experiment/plan/calibration_file.h"

#include <fmt/format.h>

#include <cctype>
#include <optional>

#include "core/error.h"
#include "experiment/plan/emulated_run.h"
#include "json/stored/calibration_json.h"
#include "system/files/file.h"

namespace stepgate {

bool is_of_model(const std::string& gpu, const std::string& model) {
  std::string word;
  for (const char letter : gpu + ' ') {
    const auto code = static_cast<unsigned char>(letter);
    if (std::isalnum(code) != 0) {
      word += static_cast<char>(std::tolower(code));
    } else {
      if (!word.empty() && word == model) return true;
      word.clear();
    }
  }
  return false;
}

LibraryCalibration read_calibration(const std::filesystem::path& file, const std::string& runner_class) {
  const std::optional<EmulatedDevice> device = emulated_device_of_class(runner_class);
  if (!device) {
    throw Error(ErrorKind::usage,
                fmt::format("--calibration {}: a real GPU needs none, since its kernels are counted", file.string()),
                "give --device emulated:MODEL too, or leave out --calibration");
  }
  LibraryCalibration calibration = calibration_from_text(read_text_file(file), file.string());
  if (is_of_model(calibration.gpu, device->model)) return calibration;
  throw Error(ErrorKind::usage,
              fmt::format("--calibration {}: it is of a {}, and the emulated GPU is of the model {}", file.string(),
                          calibration.gpu, device->model),
              "emulate that model, or make a calibration from a trace of the other one: stepgate doctor --device "
              "--calibration FILE --trace TRACE");
}

}  // namespace stepgate
