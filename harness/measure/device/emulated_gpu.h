// Which library answers this process's calls of CUDA: the vendor's, or stepgate's emulated GPU. What the process loaded
// is the evidence, not what an option or a variable said.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace stepgate {

/// What the loader knows of this process. A test has its own.
struct LoadedSymbols {
  /// The address of a function by its name; nullptr where no loaded library has it.
  std::function<void*(const char* name)> find;
  /// The file that an address is in; "" where it is in none.
  std::function<std::string(const void* address)> file_of;
};

struct CudaLibrary {
  std::string path;              ///< of the file with the cudaLaunchKernel that the process calls
  std::string digest;            ///< of that file's bytes
  std::string emulated = {};     ///< "emulated H100, model 1"; "" where no emulated GPU is loaded
  std::string emulated_in = {};  ///< the file that says so; another one than `path` answers some of the calls
};

/// Absent where the process has no CUDA. Throws where the file cannot be read.
std::optional<CudaLibrary> cuda_library(const LoadedSymbols& symbols);

/// Of this process. Nothing is linked or loaded for it.
std::optional<CudaLibrary> loaded_cuda_library();

/// Ends a stretch of the emulated GPU's log, which has a name for it.
using LogMark = void (*)(const char* text);

/// nullptr where the process has no emulated GPU.
LogMark log_mark(const LoadedSymbols& symbols);
/// Of this process.
LogMark loaded_log_mark();

/// Tells an emulated GPU that this thread waits for the device only because it is measured (1), or no longer (0): such
/// a wait orders nothing of the program.
using OwnWaits = void (*)(int are_own);

/// nullptr where the process has no emulated GPU.
OwnWaits own_waits(const LoadedSymbols& symbols);
/// Of this process.
OwnWaits loaded_own_waits();

/// Whether the emulated GPU runs no kernels (mode counts), so that losses are what the memory holds. False without one.
bool computes_nothing(const LoadedSymbols& symbols);
/// Of this process.
bool own_gpu_computes_nothing();

/// Throws where an emulated GPU was asked for and the process has none or only a part of one, and where it has one that
/// nobody asked for.
void require_cuda_library(const std::optional<CudaLibrary>& library, bool asked_for_emulation);

/// require_cuda_library() of this process, where it uses a GPU. Throws Error(usage) where an emulated GPU was asked for
/// and `device` is not "cuda".
void require_asked_library(const std::string& device, bool asked_for_emulation);

/// "NAME=value" of the variables that a child needs for the same emulated GPU: the library took them out of the
/// environment. Empty where none is loaded.
std::vector<std::string> emulated_variables(const LoadedSymbols& symbols);

/// Of this process.
std::vector<std::string> own_emulated_variables();

}  // namespace stepgate
