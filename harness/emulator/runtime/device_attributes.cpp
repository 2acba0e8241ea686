#include <array>

#include "emulator/runtime/device_properties.h"

namespace stepgate::emulator {
namespace {

/// What an attribute is read from: the machine's numbers, or one that all models share.
struct DeviceAttributeRow {
  cudaDeviceAttr attribute;
  int (*value)(const cudaDeviceProp& properties);
};

// The properties have the same numbers, so that the two ways of asking cannot differ.
constexpr std::array<DeviceAttributeRow, 49> rows = {{
    {cudaDevAttrMaxThreadsPerBlock, [](const cudaDeviceProp& of) { return of.maxThreadsPerBlock; }},
    {cudaDevAttrMaxBlockDimX, [](const cudaDeviceProp& of) { return of.maxThreadsDim[0]; }},
    {cudaDevAttrMaxBlockDimY, [](const cudaDeviceProp& of) { return of.maxThreadsDim[1]; }},
    {cudaDevAttrMaxBlockDimZ, [](const cudaDeviceProp& of) { return of.maxThreadsDim[2]; }},
    {cudaDevAttrMaxGridDimX, [](const cudaDeviceProp& of) { return of.maxGridSize[0]; }},
    {cudaDevAttrMaxGridDimY, [](const cudaDeviceProp& of) { return of.maxGridSize[1]; }},
    {cudaDevAttrMaxGridDimZ, [](const cudaDeviceProp& of) { return of.maxGridSize[2]; }},
    {cudaDevAttrMaxSharedMemoryPerBlock,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.sharedMemPerBlock); }},
    {cudaDevAttrTotalConstantMemory, [](const cudaDeviceProp& of) { return static_cast<int>(of.totalConstMem); }},
    {cudaDevAttrWarpSize, [](const cudaDeviceProp& of) { return of.warpSize; }},
    {cudaDevAttrMaxPitch, [](const cudaDeviceProp& of) { return static_cast<int>(of.memPitch); }},
    {cudaDevAttrMaxRegistersPerBlock, [](const cudaDeviceProp& of) { return of.regsPerBlock; }},
    {cudaDevAttrTextureAlignment, [](const cudaDeviceProp& of) { return static_cast<int>(of.textureAlignment); }},
    {cudaDevAttrTexturePitchAlignment,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.texturePitchAlignment); }},
    {cudaDevAttrSurfaceAlignment, [](const cudaDeviceProp& of) { return static_cast<int>(of.surfaceAlignment); }},
    {cudaDevAttrGpuOverlap, [](const cudaDeviceProp& of) { return of.asyncEngineCount > 0 ? 1 : 0; }},
    {cudaDevAttrMultiProcessorCount, [](const cudaDeviceProp& of) { return of.multiProcessorCount; }},
    {cudaDevAttrIntegrated, [](const cudaDeviceProp& of) { return of.integrated; }},
    {cudaDevAttrCanMapHostMemory, [](const cudaDeviceProp& of) { return of.canMapHostMemory; }},
    {cudaDevAttrConcurrentKernels, [](const cudaDeviceProp& of) { return of.concurrentKernels; }},
    {cudaDevAttrEccEnabled, [](const cudaDeviceProp& of) { return of.ECCEnabled; }},
    {cudaDevAttrPciBusId, [](const cudaDeviceProp& of) { return of.pciBusID; }},
    {cudaDevAttrPciDeviceId, [](const cudaDeviceProp& of) { return of.pciDeviceID; }},
    {cudaDevAttrPciDomainId, [](const cudaDeviceProp& of) { return of.pciDomainID; }},
    {cudaDevAttrTccDriver, [](const cudaDeviceProp& of) { return of.tccDriver; }},
    {cudaDevAttrGlobalMemoryBusWidth, [](const cudaDeviceProp& of) { return of.memoryBusWidth; }},
    {cudaDevAttrL2CacheSize, [](const cudaDeviceProp& of) { return of.l2CacheSize; }},
    {cudaDevAttrMaxPersistingL2CacheSize, [](const cudaDeviceProp& of) { return of.persistingL2CacheMaxSize; }},
    {cudaDevAttrMaxThreadsPerMultiProcessor, [](const cudaDeviceProp& of) { return of.maxThreadsPerMultiProcessor; }},
    {cudaDevAttrMaxBlocksPerMultiprocessor, [](const cudaDeviceProp& of) { return of.maxBlocksPerMultiProcessor; }},
    {cudaDevAttrAsyncEngineCount, [](const cudaDeviceProp& of) { return of.asyncEngineCount; }},
    {cudaDevAttrUnifiedAddressing, [](const cudaDeviceProp& of) { return of.unifiedAddressing; }},
    {cudaDevAttrComputeCapabilityMajor, [](const cudaDeviceProp& of) { return of.major; }},
    {cudaDevAttrComputeCapabilityMinor, [](const cudaDeviceProp& of) { return of.minor; }},
    {cudaDevAttrStreamPrioritiesSupported, [](const cudaDeviceProp& of) { return of.streamPrioritiesSupported; }},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.sharedMemPerMultiprocessor); }},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.sharedMemPerBlockOptin); }},
    {cudaDevAttrReservedSharedMemoryPerBlock,
     [](const cudaDeviceProp& of) { return static_cast<int>(of.reservedSharedMemPerBlock); }},
    {cudaDevAttrMaxRegistersPerMultiprocessor, [](const cudaDeviceProp& of) { return of.regsPerMultiprocessor; }},
    {cudaDevAttrManagedMemory, [](const cudaDeviceProp& of) { return of.managedMemory; }},
    {cudaDevAttrConcurrentManagedAccess, [](const cudaDeviceProp& of) { return of.concurrentManagedAccess; }},
    {cudaDevAttrPageableMemoryAccess, [](const cudaDeviceProp& of) { return of.pageableMemoryAccess; }},
    {cudaDevAttrHostNativeAtomicSupported, [](const cudaDeviceProp& of) { return of.hostNativeAtomicSupported; }},
    {cudaDevAttrComputePreemptionSupported, [](const cudaDeviceProp& of) { return of.computePreemptionSupported; }},
    {cudaDevAttrCanUseHostPointerForRegisteredMem,
     [](const cudaDeviceProp& of) { return of.canUseHostPointerForRegisteredMem; }},
    {cudaDevAttrCooperativeLaunch, [](const cudaDeviceProp& of) { return of.cooperativeLaunch; }},
    {cudaDevAttrHostRegisterSupported, [](const cudaDeviceProp& of) { return of.hostRegisterSupported; }},
    {cudaDevAttrMemoryPoolsSupported, [](const cudaDeviceProp& of) { return of.memoryPoolsSupported; }},
    {cudaDevAttrClusterLaunch, [](const cudaDeviceProp& of) { return of.clusterLaunch; }},
}};

constexpr int khz_in_mhz = 1000;

/// Attributes that are no property: since CUDA 13 the clocks are attributes only.
std::optional<int> other_attribute(const DeviceModel& model, cudaDeviceAttr attribute) {
  switch (static_cast<int>(attribute)) {
    case cudaDevAttrClockRate:
      return model.clock_mhz * khz_in_mhz;
    case cudaDevAttrMemoryClockRate:
      return model.memory_clock_mhz * khz_in_mhz;
    case cudaDevAttrComputeMode:
      return static_cast<int>(cudaComputeModeDefault);
    case cudaDevAttrKernelExecTimeout:
      return 0;  // no display
    default:
      break;
  }
  // Abilities that only the driver's list has.
  switch (static_cast<int>(attribute)) {
    case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
      return 1;
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED:
      return 0;  // no memory for other processes
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED:
      return 0;
    case CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED:
      return 0;  // needs the fabric of a server
    default:
      return std::nullopt;
  }
}

}  // namespace

static_assert(static_cast<int>(cudaDevAttrMultiProcessorCount) == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
static_assert(static_cast<int>(cudaDevAttrClusterLaunch) == CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH);
static_assert(static_cast<int>(cudaDevAttrMemoryPoolsSupported) == CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED);

std::optional<int> attribute_of(const EmulatedMachine& machine, int device, cudaDeviceAttr attribute) {
  for (const DeviceAttributeRow& row : rows) {
    if (row.attribute == attribute) return row.value(properties_of(machine, device));
  }
  return other_attribute(machine.model(), attribute);
}

}  // namespace stepgate::emulator
