#include "emulator/runtime/device_properties.h"

#include <cstring>

#include "emulator/model/shown_devices.h"

namespace stepgate::emulator {
namespace {

void set_identity(cudaDeviceProp& to, const DeviceModel& model, int place) {
  std::memset(to.name, 0, sizeof to.name);
  model.name.copy(to.name, sizeof to.name - 1);
  const auto uuid = uuid_of(model, place);
  std::memcpy(to.uuid.bytes, uuid.data(), uuid.size());
  to.major = model.major;
  to.minor = model.minor;
  to.pciDomainID = 0;
  to.pciBusID = static_cast<int>(bus_number(place));
  to.pciDeviceID = 0;
  to.tccDriver = 0;  // Windows only
  to.integrated = 0;
  to.isMultiGpuBoard = 0;
  to.multiGpuBoardGroupID = 0;
}

void set_limits(cudaDeviceProp& to) {
  constexpr DeviceConstants limits = device_constants;
  to.warpSize = limits.warp_threads;
  to.maxThreadsPerBlock = limits.threads_per_block;
  to.maxThreadsDim[0] = to.maxThreadsDim[1] = limits.threads_per_block;
  to.maxThreadsDim[2] = limits.block_z;
  to.maxGridSize[0] = limits.grid_x;
  to.maxGridSize[1] = to.maxGridSize[2] = limits.grid_yz;
  to.regsPerBlock = to.regsPerMultiprocessor = limits.registers;
  to.sharedMemPerBlock = static_cast<std::size_t>(limits.shared_bytes_per_block);
  to.totalConstMem = static_cast<std::size_t>(limits.constant_bytes);
  to.memPitch = static_cast<std::size_t>(limits.copy_pitch_bytes);
  to.textureAlignment = static_cast<std::size_t>(limits.texture_alignment_bytes);
  to.texturePitchAlignment = static_cast<std::size_t>(limits.texture_pitch_alignment_bytes);
  to.surfaceAlignment = static_cast<std::size_t>(limits.surface_alignment_bytes);
}

void set_model(cudaDeviceProp& to, const DeviceModel& model) {
  to.multiProcessorCount = model.multiprocessors;
  to.maxThreadsPerMultiProcessor = model.threads_per_multiprocessor;
  to.maxBlocksPerMultiProcessor = model.blocks_per_multiprocessor;
  to.sharedMemPerMultiprocessor = model.shared_bytes_per_multiprocessor;
  to.sharedMemPerBlockOptin = model.shared_bytes_per_block_optin;
  to.reservedSharedMemPerBlock = model.reserved_shared_bytes_per_block;
  to.l2CacheSize = static_cast<int>(model.l2_bytes);
  to.persistingL2CacheMaxSize = static_cast<int>(model.persisting_l2_bytes);
  to.memoryBusWidth = model.memory_bus_bits;
  to.asyncEngineCount = model.copy_engines;
  to.clusterLaunch = model.cluster_launch ? 1 : 0;
}

/// Of a discrete GPU on Linux without MPS, whose host has no link that is coherent with it.
void set_abilities(cudaDeviceProp& to) {
  to.canMapHostMemory = to.concurrentKernels = to.unifiedAddressing = to.ECCEnabled = 1;
  to.streamPrioritiesSupported = to.globalL1CacheSupported = to.localL1CacheSupported = 1;
  to.managedMemory = to.concurrentManagedAccess = to.computePreemptionSupported = to.cooperativeLaunch = 1;
  to.canUseHostPointerForRegisteredMem = to.hostRegisterSupported = to.memoryPoolsSupported = 1;
  to.hostNativeAtomicSupported = to.pageableMemoryAccess = to.pageableMemoryAccessUsesHostPageTables = 0;
  to.directManagedMemAccessFromHost = to.mpsEnabled = 0;
}

}  // namespace

cudaDeviceProp properties_of(const EmulatedMachine& machine, int device) {
  cudaDeviceProp made;
  std::memset(&made, 0xFF, sizeof made);
  set_identity(made, machine.model(), machine.place_of(device));
  set_limits(made);
  set_model(made, machine.model());
  set_abilities(made);
  made.totalGlobalMem = machine.memory_bytes();
  return made;
}

}  // namespace stepgate::emulator
