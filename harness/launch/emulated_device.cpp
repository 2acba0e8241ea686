#include "launch/emulated_device.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <system_error>
#include <vector>

#include "core/error.h"
#include "system/elf/elf_libraries.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view device_prefix = "emulated:";
constexpr const char* machine_variable = "STEPGATE_EMULATED_GPU";
constexpr const char* audit_variable = "LD_AUDIT";
constexpr const char* folder_name = "emulated_gpu";
constexpr const char* loader_library = "libstepgate_emulated_loader.so";
constexpr const char* values_library = "libstepgate_emulated_values.so";
constexpr const char* management_library = "libnvidia-ml.so.1";
constexpr const char* machine_library = "libstepgate_emulated_gpu.so";  // all of its shims need it
constexpr const char* libtorch_note = "libtorch";  // "libtorch_cuda.so 456142457": whose functions the shims have
constexpr std::string_view noted_library = "libtorch_cuda.so";
constexpr std::string_view values_suffix = ":values";
constexpr const char* device_example =
    "--device emulated:h100 or --device emulated:h100:2, with :values behind where a case needs values";

[[noreturn]] void reject_device(std::string_view text, const std::string& why, const std::string& remedy) {
  throw Error(ErrorKind::usage, fmt::format("--device {}: {}", text, why), remedy);
}

std::int64_t devices_from(std::string_view number, std::string_view text) {
  std::int64_t devices = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), devices);
  const bool is_number = error == std::errc() && end == number.data() + number.size();
  if (!is_number || devices < 1 || devices > most_emulated_devices) {
    reject_device(text, fmt::format("'{}' is no number of devices: 1 to {}", number, most_emulated_devices),
                  device_example);
  }
  return devices;
}

/// The file that the build writes last.
bool is_complete(const fs::path& folder) {
  std::error_code failed;
  return fs::is_regular_file(folder / "complete", failed) && fs::is_regular_file(folder / loader_library, failed);
}

std::string escaped(std::string_view value) {
  std::string text;
  for (const char letter : value) text += letter == ' ' ? "%20" : letter == '%' ? "%25" : std::string(1, letter);
  return text;
}

/// The library that the loader takes for `program`; absent where its folders do not say.
std::optional<fs::path> loaded_by(const fs::path& program, const std::string& name, const std::string& library_path) {
  const ElfLibraries asked = read_elf_libraries(program);
  const bool uses_runpath = !asked.runpath.empty();
  std::vector<std::string> folders = uses_runpath ? std::vector<std::string>() : asked.rpath;
  for (const std::string& one : folders_in(library_path)) folders.push_back(one);
  folders.insert(folders.end(), asked.runpath.begin(), asked.runpath.end());
  std::error_code missing;
  for (const std::string& folder : folders) {
    if (fs::is_regular_file(fs::path(folder) / name, missing)) return fs::path(folder) / name;
  }
  return std::nullopt;
}

/// The loader splits LD_AUDIT at colons and knows no way to write one.
void check_folder(const fs::path& folder) {
  if (folder.string().find(':') == std::string::npos) return;
  throw Error(ErrorKind::usage,
              fmt::format("the emulated GPU is in {}: a path with ':' cannot be given to the loader", folder.string()),
              "build in a folder without ':' in its path");
}

}  // namespace

bool names_emulated_device(std::string_view text) {
  return text == device_prefix.substr(0, device_prefix.size() - 1) || text.starts_with(device_prefix);
}

EmulatedDevice emulated_device_from(std::string_view text) {
  if (!text.starts_with(device_prefix)) reject_device(text, "no model is named", device_example);
  std::string_view rest = text.substr(device_prefix.size());
  const bool values = rest.ends_with(values_suffix);
  if (values) rest.remove_suffix(values_suffix.size());
  const std::size_t colon = rest.find(':');
  EmulatedDevice device{.model = std::string(rest.substr(0, colon)), .devices = 1, .values = values};
  if (std::find(emulated_models.begin(), emulated_models.end(), device.model) == emulated_models.end()) {
    reject_device(text, fmt::format("'{}' is no model of the emulated GPU", device.model),
                  fmt::format("take one of {}", fmt::join(emulated_models, ", ")));
  }
  if (colon != std::string_view::npos) device.devices = devices_from(rest.substr(colon + 1), text);
  return device;
}

std::string text_of(const EmulatedDevice& device) {
  return fmt::format("{}{}{}{}", device_prefix, device.model,
                     device.devices == 1 ? "" : fmt::format(":{}", device.devices), device.values ? values_suffix : "");
}

fs::path emulated_gpu_folder(const fs::path& program, const fs::path& build_tree) {
  std::error_code failed;
  std::optional<fs::path> incomplete;
  const auto look = [&](const fs::path& above) {
    const fs::path folder = above / folder_name;
    if (is_complete(folder)) return true;
    if (!incomplete && fs::is_directory(folder, failed)) incomplete = folder;
    return false;
  };
  const fs::path start = fs::weakly_canonical(fs::absolute(program, failed), failed);
  const fs::path tree = build_tree.empty() ? fs::path() : fs::absolute(build_tree, failed);
  if (!tree.empty() && look(tree)) return tree / folder_name;
  for (fs::path at = start.parent_path(); at.has_relative_path(); at = at.parent_path()) {
    if (look(at)) return at / folder_name;
  }
  const std::string where = tree.empty() ? fmt::format("beside {} or above it", start.string())
                                         : fmt::format("in {}, beside {} or above it", tree.string(), start.string());
  const std::string what = incomplete ? fmt::format("{} is not complete: its build was stopped", incomplete->string())
                                      : fmt::format("there is no folder {} {}", folder_name, where);
  const std::string build = incomplete      ? incomplete->parent_path().string()
                            : !tree.empty() ? tree.string()
                                            : std::string("build/release");
  throw Error(ErrorKind::usage, "--device emulated: " + what,
              fmt::format("cmake --build {} --target emulated_gpu (needs a LibTorch for CUDA 13)", build));
}

void refuse_other_libtorch(const fs::path& folder, const fs::path& program, const std::string& library_path) {
  std::error_code failed;
  if (!fs::is_regular_file(folder / libtorch_note, failed)) return;
  std::ifstream note(folder / libtorch_note);
  std::string name;
  std::uintmax_t bytes = 0;
  if (!(note >> name >> bytes) || name != noted_library) return;
  const std::optional<fs::path> library = loaded_by(program, name, library_path);
  const std::uintmax_t found = library ? fs::file_size(*library, failed) : bytes;
  if (failed || found == bytes) return;
  throw Error(
      ErrorKind::usage,
      fmt::format("the emulated GPU in {} was made for another LibTorch than {}, which {} loads", folder.string(),
                  library->string(), program.string()),
      fmt::format("cmake --build {} --target emulated_gpu makes it for that of the build; where the program is of "
                  "another build, build the target there",
                  folder.parent_path().string()));
}

void refuse_without_values_library(const EmulatedGpu& gpu, bool seeks_hazards) {
  if (!gpu.device.values && !seeks_hazards) return;
  std::error_code failed;
  if (fs::is_regular_file(gpu.folder / values_library, failed)) return;
  throw Error(ErrorKind::usage,
              fmt::format("{} needs {}, which is not in {}",
                          gpu.device.values ? "--device " + text_of(gpu.device) : std::string("the search for hazards"),
                          values_library, gpu.folder.string()),
              fmt::format("cmake --build {} --target emulated_gpu_values", gpu.folder.parent_path().string()));
}

std::string machine_text(const EmulatedGpu& gpu) {
  std::string text = fmt::format("{}:{}", gpu.device.model, gpu.device.devices);
  if (gpu.device.values) text += " mode=values";
  for (const auto& [name, value] : gpu.settings) text += fmt::format(" {}={}", name, escaped(value));
  return text;
}

Variables with_emulated_gpu(Variables environment, const EmulatedGpu& gpu) {
  const fs::path folder = fs::absolute(gpu.folder);
  check_folder(folder);
  refuse_without_values_library(gpu, gpu.settings.contains("hazards"));
  const std::string loader = (folder / loader_library).string();
  std::string& audits = environment[audit_variable];
  audits = audits.empty() ? loader : loader + ":" + audits;
  environment[machine_variable] = machine_text(gpu);
  return environment;
}

NvmlLibrary open_emulated_driver(const EmulatedGpu& gpu) {
  EmulatedGpu own{gpu.device, gpu.folder, {}};
  own.device.values = false;
  // Both processes would write to one log. What happens to the devices is in the script.
  for (const char* name : {"script", "memory_mib"}) {
    if (const auto found = gpu.settings.find(name); found != gpu.settings.end()) own.settings.insert(*found);
  }
  ::setenv(machine_variable, machine_text(own).c_str(), 1);
  NvmlLibrary library = NvmlLibrary::open((fs::absolute(gpu.folder) / management_library).string());
  ::unsetenv(machine_variable);
  return library;
}

bool has_emulated_driver() {
  void* const loaded = ::dlopen(machine_library, RTLD_LAZY | RTLD_NOLOAD);
  if (loaded == nullptr) return false;
  ::dlclose(loaded);
  return true;
}

}  // namespace stepgate
