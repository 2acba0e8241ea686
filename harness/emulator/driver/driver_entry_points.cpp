#include "emulator/driver/driver_entry_points.h"

#include <cuda.h>

/// Made by ci/emulated_gpu_tables: each function that no shim defines, by name. The last row is empty.
struct stepgate_emulated_function {
  const char* name;
  void* address;
};
extern "C" const stepgate_emulated_function stepgate_emulated_stubs[];

namespace stepgate::emulator {
namespace {

struct EntryRow {
  std::string_view name;
  unsigned since;  ///< the version of CUDA that brought this variant (cudaTypedefs.h)
  void* address;
};

template <typename Function>
EntryRow row(std::string_view name, unsigned since, Function* function) {
  return {name, since, reinterpret_cast<void*>(function)};
}

/// Those with a body of their own, refusals with a reason included.
const EntryRow rows[] = {
    row("cuInit", 2000, cuInit),
    row("cuDriverGetVersion", 2020, cuDriverGetVersion),
    row("cuDeviceGet", 2000, cuDeviceGet),
    row("cuDeviceGetCount", 2000, cuDeviceGetCount),
    row("cuDeviceGetName", 2000, cuDeviceGetName),
    row("cuDeviceGetUuid", 11040, cuDeviceGetUuid),
    row("cuDeviceTotalMem", 3020, cuDeviceTotalMem),
    row("cuDeviceGetAttribute", 2000, cuDeviceGetAttribute),
    row("cuGetErrorString", 6000, cuGetErrorString),
    row("cuGetErrorName", 6000, cuGetErrorName),
    row("cuDevicePrimaryCtxGetState", 7000, cuDevicePrimaryCtxGetState),
    row("cuDevicePrimaryCtxRetain", 7000, cuDevicePrimaryCtxRetain),
    row("cuCtxGetCurrent", 4000, cuCtxGetCurrent),
    row("cuCtxSetCurrent", 4000, cuCtxSetCurrent),
    row("cuCtxGetDevice", 2000, cuCtxGetDevice),
    row("cuMemGetAllocationGranularity", 10020, cuMemGetAllocationGranularity),
    row("cuMemAddressReserve", 10020, cuMemAddressReserve),
    row("cuMemAddressFree", 10020, cuMemAddressFree),
    row("cuMemCreate", 10020, cuMemCreate),
    row("cuMemRelease", 10020, cuMemRelease),
    row("cuMemMap", 10020, cuMemMap),
    row("cuMemUnmap", 10020, cuMemUnmap),
    row("cuMemSetAccess", 10020, cuMemSetAccess),
    row("cuMemsetD32Async", 3020, cuMemsetD32Async),
    row("cuGetProcAddress", 12000, cuGetProcAddress),
    row("cuGetExportTable", 3000, cuGetExportTable),
    row("cuModuleLoad", 2000, cuModuleLoad),
    row("cuModuleLoadData", 2000, cuModuleLoadData),
    row("cuModuleLoadDataEx", 2010, cuModuleLoadDataEx),
    row("cuModuleLoadFatBinary", 2000, cuModuleLoadFatBinary),
    row("cuLibraryLoadData", 12000, cuLibraryLoadData),
    row("cuLibraryLoadFromFile", 12000, cuLibraryLoadFromFile),
    row("cuLinkCreate", 6050, cuLinkCreate),
    row("cuLaunchKernel", 4000, cuLaunchKernel),
    row("cuLaunchKernelEx", 11060, cuLaunchKernelEx),
    row("cuLaunchCooperativeKernel", 9000, cuLaunchCooperativeKernel),
};

/// The stubs are of all libraries; only the driver's names are asked for here.
bool is_of_driver(std::string_view name) {
  return name.size() > 2 && name.starts_with("cu") && name[2] >= 'A' && name[2] <= 'Z' && !name.starts_with("cuFile");
}

void* stub_of(std::string_view name) {
  const stepgate_emulated_function* stub = stepgate_emulated_stubs;
  while (stub->name != nullptr && stub->name != name) ++stub;
  return stub->address;
}

}  // namespace

DriverEntry driver_entry(std::string_view name, unsigned version) {
  if (!is_of_driver(name)) return {};
  bool is_newer = false;
  for (const EntryRow& row : rows) {
    if (row.name != name) continue;
    if (version >= row.since) return {EntryStatus::found, row.address};
    is_newer = true;
  }
  // An older variant of a modelled function is a stub, too.
  if (void* const stub = stub_of(name)) return {EntryStatus::found, stub};
  return {is_newer ? EntryStatus::older_version_asked : EntryStatus::no_such_name};
}

}  // namespace stepgate::emulator
