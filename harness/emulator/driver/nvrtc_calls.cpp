// NVRTC compiles kernels at run time, which LibTorch does for operators of its jiterator. Only its version is modelled:
// LibTorch asks for it without compiling anything.
#include <cuda.h>
#include <nvrtc.h>

#include "emulator/machine/refusal.h"

namespace {

[[noreturn]] nvrtcResult refuse_compiler(const char* function) {
  stepgate::emulator::refuse(function, "kernels compiled at run time");
}

}  // namespace

nvrtcResult nvrtcVersion(int* major, int* minor) {
  if (major == nullptr || minor == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *major = CUDA_VERSION / 1000;
  *minor = CUDA_VERSION % 1000 / 10;
  return NVRTC_SUCCESS;
}

const char* nvrtcGetErrorString(nvrtcResult /*result*/) {
  stepgate::emulator::refuse("nvrtcGetErrorString", "kernels compiled at run time");
}

nvrtcResult nvrtcGetNumSupportedArchs(int* /*count*/) { return refuse_compiler("nvrtcGetNumSupportedArchs"); }

nvrtcResult nvrtcGetSupportedArchs(int* /*architectures*/) { return refuse_compiler("nvrtcGetSupportedArchs"); }

nvrtcResult nvrtcCreateProgram(nvrtcProgram* /*program*/, const char* /*source*/, const char* /*name*/, int /*count*/,
                               const char* const* /*headers*/, const char* const* /*include_names*/) {
  return refuse_compiler("nvrtcCreateProgram");
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram* /*program*/) { return refuse_compiler("nvrtcDestroyProgram"); }

nvrtcResult nvrtcCompileProgram(nvrtcProgram /*program*/, int /*count*/, const char* const* /*options*/) {
  return refuse_compiler("nvrtcCompileProgram");
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram /*program*/, const char* const /*expression*/) {
  return refuse_compiler("nvrtcAddNameExpression");
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram /*program*/, const char* const /*expression*/, const char** /*lowered*/) {
  return refuse_compiler("nvrtcGetLoweredName");
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram /*program*/, std::size_t* /*bytes*/) {
  return refuse_compiler("nvrtcGetPTXSize");
}

nvrtcResult nvrtcGetPTX(nvrtcProgram /*program*/, char* /*text*/) { return refuse_compiler("nvrtcGetPTX"); }

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram /*program*/, std::size_t* /*bytes*/) {
  return refuse_compiler("nvrtcGetCUBINSize");
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram /*program*/, char* /*code*/) { return refuse_compiler("nvrtcGetCUBIN"); }

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram /*program*/, std::size_t* /*bytes*/) {
  return refuse_compiler("nvrtcGetProgramLogSize");
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram /*program*/, char* /*text*/) {
  return refuse_compiler("nvrtcGetProgramLog");
}
