// Functions of the driver whose refusal needs a reason. All others that are not modelled have generated stubs.
#include <cuda.h>

#include "emulator/machine/refusal.h"

using stepgate::emulator::refuse;

namespace {

constexpr const char* private_tables =
    "tables of the driver that are not public. A CUDA runtime that is linked statically into an extension asks for "
    "them; link the shared one";
constexpr const char* loaded_kernels =
    "kernels that a program loads through the driver, as Triton, AOTInductor and NVRTC do";
constexpr const char* launched_kernels =
    "kernels that are launched through the driver, as Triton, AOTInductor and NVRTC do";

}  // namespace

CUresult cuGetExportTable(const void** /*table*/, const CUuuid* /*id*/) { refuse("cuGetExportTable", private_tables); }

CUresult cuModuleLoad(CUmodule* /*module*/, const char* /*path*/) { refuse("cuModuleLoad", loaded_kernels); }

CUresult cuModuleLoadData(CUmodule* /*module*/, const void* /*image*/) { refuse("cuModuleLoadData", loaded_kernels); }

CUresult cuModuleLoadDataEx(CUmodule* /*module*/, const void* /*image*/, unsigned /*count*/, CUjit_option* /*options*/,
                            void** /*values*/) {
  refuse("cuModuleLoadDataEx", loaded_kernels);
}

CUresult cuModuleLoadFatBinary(CUmodule* /*module*/, const void* /*binary*/) {
  refuse("cuModuleLoadFatBinary", loaded_kernels);
}

CUresult cuLibraryLoadData(CUlibrary* /*library*/, const void* /*code*/, CUjit_option* /*jit_options*/,
                           void** /*jit_values*/, unsigned /*jit_count*/, CUlibraryOption* /*options*/,
                           void** /*values*/, unsigned /*count*/) {
  refuse("cuLibraryLoadData", loaded_kernels);
}

CUresult cuLibraryLoadFromFile(CUlibrary* /*library*/, const char* /*path*/, CUjit_option* /*jit_options*/,
                               void** /*jit_values*/, unsigned /*jit_count*/, CUlibraryOption* /*options*/,
                               void** /*values*/, unsigned /*count*/) {
  refuse("cuLibraryLoadFromFile", loaded_kernels);
}

CUresult cuLinkCreate(unsigned /*count*/, CUjit_option* /*options*/, void** /*values*/, CUlinkState* /*state*/) {
  refuse("cuLinkCreate", loaded_kernels);
}

CUresult cuLaunchKernel(CUfunction /*kernel*/, unsigned /*grid_x*/, unsigned /*grid_y*/, unsigned /*grid_z*/,
                        unsigned /*block_x*/, unsigned /*block_y*/, unsigned /*block_z*/, unsigned /*shared_bytes*/,
                        CUstream /*stream*/, void** /*arguments*/, void** /*extra*/) {
  refuse("cuLaunchKernel", launched_kernels);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* /*configuration*/, CUfunction /*kernel*/, void** /*arguments*/,
                          void** /*extra*/) {
  refuse("cuLaunchKernelEx", launched_kernels);
}

CUresult cuLaunchCooperativeKernel(CUfunction /*kernel*/, unsigned /*grid_x*/, unsigned /*grid_y*/, unsigned /*grid_z*/,
                                   unsigned /*block_x*/, unsigned /*block_y*/, unsigned /*block_z*/,
                                   unsigned /*shared_bytes*/, CUstream /*stream*/, void** /*arguments*/) {
  refuse("cuLaunchCooperativeKernel", launched_kernels);
}
