// `--device emulated:h100:2:values`: which machine a measured process gets instead of a GPU, and the environment that
// gives it one. The machine itself is in harness/emulator, which the launcher does not link.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "environment/gpu/nvml_library.h"
#include "environment/process/variables.h"

namespace stepgate {

/// Keys of the device models. A test compares them with those of the emulator.
inline constexpr std::array<std::string_view, 5> emulated_models = {"h100", "h200", "a100", "l4", "t4"};

/// As many as the machine can have.
inline constexpr std::int64_t most_emulated_devices = 16;

struct EmulatedDevice {
  std::string model = "h100";
  std::int64_t devices = 1;
  bool values = false;  ///< operators compute, on the CPU: for tiny cases. Else kernels are counted only.
};

/// True for "emulated" and "emulated:...": what follows may be wrong.
bool names_emulated_device(std::string_view text);

/// Of "emulated:MODEL", "emulated:MODEL:N", and both with ":values" behind. Throws Error(usage) that says which part is
/// wrong and what is right.
EmulatedDevice emulated_device_from(std::string_view text);

/// "emulated:h100:2:values"; "emulated:h100" for one device in counts mode.
std::string text_of(const EmulatedDevice& device);

/// The folder `emulated_gpu` of the build that `program` belongs to: in `build_tree`, else beside the program or above
/// it. `build_tree` may be empty.
/// Throws Error(usage) where there is none that is complete, and names where it was looked for and how to build it.
std::filesystem::path emulated_gpu_folder(const std::filesystem::path& program,
                                          const std::filesystem::path& build_tree);

/// Throws Error(usage) where the emulated GPU in `folder` was made for another LibTorch than the one that `program`
/// would load: its functions and versions are those that the other one asks for. `library_path` is that of the
/// environment, LD_LIBRARY_PATH. Does nothing where either of the two is not known.
void refuse_other_libtorch(const std::filesystem::path& folder, const std::filesystem::path& program,
                           const std::string& library_path);

struct EmulatedGpu {
  EmulatedDevice device;
  std::filesystem::path folder;  ///< of emulated_gpu_folder()
  /// Settings of the machine by name, such as {"clock", "real"}, {"script", "/tmp/hot.txt"} (machine_options.h).
  std::map<std::string, std::string> settings = {};
};

/// The value of STEPGATE_EMULATED_GPU: "h100:2 mode=values". Blanks and percent signs of a value are written as %20
/// and %25.
std::string machine_text(const EmulatedGpu& gpu);

/// Throws Error(usage) where operators are to compute, or hazards to be found, and the library for that is not in the
/// folder.
void refuse_without_values_library(const EmulatedGpu& gpu, bool seeks_hazards);

/// `environment` for a measured process, and for nothing else: compilers, git and addr2line must not get it. An
/// LD_AUDIT that is there stays, behind ours. Throws Error(usage) where the variable cannot say the folder, or where
/// mode=values or hazards= lacks its library.
Variables with_emulated_gpu(Variables environment, const EmulatedGpu& gpu);

/// The driver's library of the emulated machine, for this process. Changes its environment for a moment, so call it
/// before threads start. The machine of this process writes no log and runs no work.
NvmlLibrary open_emulated_driver(const EmulatedGpu& gpu);

/// True where a library of an emulated GPU is in this process, whoever loaded it: with variables that an experiment by
/// hand left over, the loader gives it for the driver's own.
bool has_emulated_driver();

}  // namespace stepgate
