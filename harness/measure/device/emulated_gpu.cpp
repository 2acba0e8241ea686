#include "measure/device/emulated_gpu.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <string_view>

#include "core/device.h"
#include "core/error.h"
#include "system/files/file.h"
#include "system/fnv_hash.h"

namespace stepgate {
namespace {

/// Only the emulated GPU has a function of this name. It tells the machine's title.
constexpr const char* title_function = "stepgate_emulated_gpu";
/// It tells what a child needs for the same machine, one variable a call.
constexpr const char* variable_function = "stepgate_emulated_variable";
/// It tells 0 where kernels do nothing, 1 where operators have values.
constexpr const char* mode_function = "stepgate_emulated_mode";
constexpr const char* mark_function = "stepgate_emulated_mark";
constexpr const char* own_waits_function = "stepgate_emulated_own_waits";

std::string digest_of(const std::string& path) {
  FnvHash hash;
  read_file_in_pieces(path, ErrorKind::measure, [&](std::string_view piece) { hash.add(piece); });
  return hex_text(hash);
}

LoadedSymbols loaded_symbols() {
  return {.find = [](const char* name) { return ::dlsym(RTLD_DEFAULT, name); },
          .file_of = [](const void* address) -> std::string {
            Dl_info found{};
            if (::dladdr(address, &found) == 0 || found.dli_fname == nullptr) return "";
            return found.dli_fname;
          }};
}

}  // namespace

std::optional<CudaLibrary> cuda_library(const LoadedSymbols& symbols) {
  const void* const launch = symbols.find("cudaLaunchKernel");
  if (launch == nullptr) return std::nullopt;
  CudaLibrary library{.path = symbols.file_of(launch), .digest = ""};
  library.digest = digest_of(library.path);
  if (void* const title = symbols.find(title_function)) {
    library.emulated = reinterpret_cast<const char* (*)()>(title)();
    library.emulated_in = symbols.file_of(title);
  }
  return library;
}

std::optional<CudaLibrary> loaded_cuda_library() { return cuda_library(loaded_symbols()); }

LogMark log_mark(const LoadedSymbols& symbols) { return reinterpret_cast<LogMark>(symbols.find(mark_function)); }

LogMark loaded_log_mark() { return log_mark(loaded_symbols()); }

OwnWaits own_waits(const LoadedSymbols& symbols) {
  return reinterpret_cast<OwnWaits>(symbols.find(own_waits_function));
}

OwnWaits loaded_own_waits() { return own_waits(loaded_symbols()); }

bool computes_nothing(const LoadedSymbols& symbols) {
  void* const found = symbols.find(mode_function);
  return found != nullptr && reinterpret_cast<int (*)()>(found)() == 0;
}

bool own_gpu_computes_nothing() { return computes_nothing(loaded_symbols()); }

void require_cuda_library(const std::optional<CudaLibrary>& library, bool asked_for_emulation) {
  const bool is_emulated = library && !library->emulated.empty();
  if (is_emulated && library->emulated_in != library->path) {
    throw Error(
        ErrorKind::measure,
        fmt::format("the {} is loaded from {}, and cudaLaunchKernel is in {}: two libraries answer the calls of "
                    "CUDA",
                    library->emulated, library->emulated_in, library->path),
        "take a CUDA library out of LD_PRELOAD, and link the program with the shared CUDA runtime");
  }
  if (is_emulated && !asked_for_emulation) {
    throw Error(ErrorKind::measure,
                fmt::format("cudaLaunchKernel is in {}, which is the {}, and no emulated GPU was asked for",
                            library->path, library->emulated),
                "give --device emulated:<model>, or take the emulated GPU out of LD_AUDIT and LD_PRELOAD");
  }
  if (!is_emulated && asked_for_emulation) {
    const std::string what = library ? fmt::format("cudaLaunchKernel is in {}, which is not one", library->path)
                                     : std::string("the program has no cudaLaunchKernel");
    throw Error(ErrorKind::measure, "an emulated GPU was asked for, and " + what,
                library ? "build the target emulated_gpu, and start the program through stepgate, which loads it"
                        : "build the program with a LibTorch for CUDA");
  }
}

void require_asked_library(const std::string& device, bool asked_for_emulation) {
  if (device_named(device) == Device::cuda) return require_cuda_library(loaded_cuda_library(), asked_for_emulation);
  if (!asked_for_emulation) return;
  throw Error(ErrorKind::usage, fmt::format("an emulated GPU was asked for, and the case runs on {}", device),
              "leave out --stepgate_emulated, or name a case for a GPU: --list --json");
}

std::vector<std::string> emulated_variables(const LoadedSymbols& symbols) {
  void* const found = symbols.find(variable_function);
  if (found == nullptr) return {};
  const auto variable = reinterpret_cast<const char* (*)(int)>(found);
  std::vector<std::string> variables;
  for (int index = 0; const char* text = variable(index); ++index) variables.emplace_back(text);
  return variables;
}

std::vector<std::string> own_emulated_variables() { return emulated_variables(loaded_symbols()); }

}  // namespace stepgate
