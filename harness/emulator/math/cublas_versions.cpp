// The versions of cuBLAS and cuBLASLt: those of the headers that the shims are compiled with.
#include <cublasLt.h>
#include <cublas_v2.h>

namespace stepgate::emulator {
namespace {

cublasStatus_t version_part(libraryPropertyType part, int* value) {
  if (value == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  switch (part) {
    case MAJOR_VERSION:
      *value = CUBLAS_VER_MAJOR;
      return CUBLAS_STATUS_SUCCESS;
    case MINOR_VERSION:
      *value = CUBLAS_VER_MINOR;
      return CUBLAS_STATUS_SUCCESS;
    case PATCH_LEVEL:
      *value = CUBLAS_VER_PATCH;
      return CUBLAS_STATUS_SUCCESS;
  }
  return CUBLAS_STATUS_INVALID_VALUE;
}

}  // namespace
}  // namespace stepgate::emulator

using stepgate::emulator::version_part;

extern "C" {

cublasStatus_t cublasGetProperty(libraryPropertyType part, int* value) { return version_part(part, value); }
cublasStatus_t cublasLtGetProperty(libraryPropertyType part, int* value) { return version_part(part, value); }
}
