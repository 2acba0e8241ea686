// Which names of libraries belong to CUDA. For the auditing library, which has the C library only: views and strings of
// C++ need a function of libstdc++ for their checks.
#pragma once

#include <cstddef>
#include <cstring>

namespace stepgate::emulator {

/// "libcudart.so.13" of "/usr/local/lib/libcudart.so.13".
inline const char* file_name_of(const char* path) {
  const char* slash = std::strrchr(path, '/');
  return slash == nullptr ? path : slash + 1;
}

/// As VENDOR_LIBRARY in ci/emulated_gpu_tables: the libraries that LibTorch loads, and those that they load themselves.
/// A library may carry a hash, as in LibTorch's own archive: libcudart-0a1b2c3d.so.13.
inline bool is_cuda_library(const char* file_name) {
  static constexpr const char* words[] = {
      "cuda",     "cudart",   "cublas",     "cublasLt", "cudnn", "cufft",        "cufile",    "cupti",     "curand",
      "cusolver", "cusparse", "cusparseLt", "nccl",     "nvrtc", "nvshmem_host", "nvidia-ml", "nvJitLink",
  };
  const char* end = std::strstr(file_name, ".so");
  if (std::strncmp(file_name, "lib", 3) != 0 || end == nullptr) return false;
  const char* word = file_name + 3;
  for (const char* known : words) {
    const std::size_t length = std::strlen(known);
    if (std::strncmp(word, known, length) != 0) continue;
    const char* rest = word + length;
    const bool is_hash = *rest == '-' && rest + 1 + std::strspn(rest + 1, "0123456789abcdef") == end;
    const bool is_part = *rest == '_' && std::strcmp(known, "cudnn") == 0;
    if (rest == end || is_hash || is_part) return true;
  }
  return false;
}

}  // namespace stepgate::emulator
