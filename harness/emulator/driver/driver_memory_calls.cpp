// Mapped ranges, which LibTorch's expandable segments are made of, and the memset of the driver that LibTorch asks for.
#include <bit>
#include <cstdint>
#include <optional>

#include "emulator/driver/driver_call.h"
#include "emulator/machine/refusal.h"
#include "emulator/memory/host_pages.h"
#include "emulator/process/operator_rules.h"
#include "emulator/process/process_machine.h"

using namespace stepgate::emulator;

namespace {

void* address_of(CUdeviceptr address) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)); }

/// Whether the machine has memory with these properties. What a GPU may have and the machine does not is refused.
Outcome check_properties(const char* function, const CUmemAllocationProp* properties) {
  if (properties == nullptr) return Outcome::invalid_value;
  if (properties->type != CU_MEM_ALLOCATION_TYPE_PINNED) refuse(function, "memory that is not pinned");
  if (properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE) refuse(function, "memory that is not a device's");
  if (properties->allocFlags.compressionType != CU_MEM_ALLOCATION_COMP_NONE) refuse(function, "compressed memory");
  if (properties->allocFlags.usage != 0) refuse(function, "tile pools and other usages of memory");
  if (!process_machine().has_device(properties->location.id)) return Outcome::invalid_device;
  // Segments ask for a file descriptor to share them by. The export itself is refused, so asking changes nothing. No
  // machine has the daemon that a fabric's handles need, and the driver then says so.
  const auto handles = static_cast<unsigned>(properties->requestedHandleTypes);
  if ((handles & CU_MEM_HANDLE_TYPE_FABRIC) != 0) return Outcome::not_supported;
  const bool is_linux_handle = (handles & ~static_cast<unsigned>(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)) == 0;
  return is_linux_handle && properties->win32HandleMetaData == nullptr ? Outcome::ok : Outcome::invalid_value;
}

/// The machine keeps one access for all devices: a range that one device may use, all may.
Outcome check_access(const CUmemAccessDesc& access) {
  if (access.location.type != CU_MEM_LOCATION_TYPE_DEVICE) refuse("cuMemSetAccess", "access from the host");
  if (access.flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) refuse("cuMemSetAccess", "access but for reads and writes");
  return process_machine().has_device(access.location.id) ? Outcome::ok : Outcome::invalid_device;
}

}  // namespace

CUresult cuMemGetAllocationGranularity(std::size_t* granularity, const CUmemAllocationProp* properties,
                                       CUmemAllocationGranularity_flags option) {
  DriverCall call(CUPTI_DRIVER_TRACE_CBID_cuMemGetAllocationGranularity, "cuMemGetAllocationGranularity");
  const bool is_option = option == CU_MEM_ALLOC_GRANULARITY_MINIMUM || option == CU_MEM_ALLOC_GRANULARITY_RECOMMENDED;
  if (granularity == nullptr || !is_option) return call.end(Outcome::invalid_value);
  if (const Outcome known = check_properties("cuMemGetAllocationGranularity", properties); known != Outcome::ok) {
    return call.end(known);
  }
  *granularity = device_page_bytes;
  return call.end(Outcome::ok);
}

/// `hint`: the driver may put the range elsewhere, and the machine always does.
CUresult cuMemAddressReserve(CUdeviceptr* address, std::size_t bytes, std::size_t alignment, CUdeviceptr /*hint*/,
                             unsigned long long flags) {
  DriverCall call(CUPTI_DRIVER_TRACE_CBID_cuMemAddressReserve, "cuMemAddressReserve");
  if (address == nullptr || bytes == 0 || flags != 0) return call.end(Outcome::invalid_value);
  if (alignment != 0 && !std::has_single_bit(alignment)) return call.end(Outcome::invalid_value);
  if (alignment > device_page_bytes) refuse("cuMemAddressReserve", "alignments above 2 MiB");
  if (bytes % device_page_bytes != 0) refuse("cuMemAddressReserve", "sizes that are not multiples of 2 MiB");
  const Allocated reserved = process_machine().reserve_range(bytes);
  if (reserved.outcome == Outcome::ok) *address = reinterpret_cast<std::uintptr_t>(reserved.address);
  return call.end(reserved.outcome);
}

CUresult cuMemAddressFree(CUdeviceptr address, std::size_t bytes) {
  DriverCall call(CUPTI_DRIVER_TRACE_CBID_cuMemAddressFree, "cuMemAddressFree");
  return call.end(process_machine().free_range(address_of(address), bytes));
}

CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, std::size_t bytes, const CUmemAllocationProp* properties,
                     unsigned long long flags) {
  DriverCall call(CUPTI_DRIVER_TRACE_CBID_cuMemCreate, "cuMemCreate");
  if (handle == nullptr || flags != 0) return call.end(Outcome::invalid_value);
  if (const Outcome known = check_properties("cuMemCreate", properties); known != Outcome::ok) return call.end(known);
  const PhysicalMade made = process_machine().create_physical(properties->location.id, bytes);
  if (made.outcome == Outcome::ok) *handle = made.memory;
  return call.end(made.outcome);
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  DriverCall call(CUPTI_DRIVER_TRACE_CBID_cuMemRelease, "cuMemRelease");
  return call.end(process_machine().release_physical(handle));
}

CUresult cuMemMap(CUdeviceptr address, std::size_t bytes, std::size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags) {
  DriverCall call(CUPTI_DRIVER_TRACE_CBID_cuMemMap, "cuMemMap");
  if (offset != 0 || flags != 0) return call.end(Outcome::invalid_value);
  return call.end(process_machine().map_range({.address = address_of(address), .bytes = bytes, .memory = handle}));
}

CUresult cuMemUnmap(CUdeviceptr address, std::size_t bytes) {
  DriverCall call(CUPTI_DRIVER_TRACE_CBID_cuMemUnmap, "cuMemUnmap");
  return call.end(process_machine().unmap_range(address_of(address), bytes));
}

CUresult cuMemSetAccess(CUdeviceptr address, std::size_t bytes, const CUmemAccessDesc* accesses, std::size_t count) {
  DriverCall call(CUPTI_DRIVER_TRACE_CBID_cuMemSetAccess, "cuMemSetAccess");
  if (accesses == nullptr || count == 0) return call.end(Outcome::invalid_value);
  for (std::size_t place = 0; place < count; ++place) {
    if (const Outcome known = check_access(accesses[place]); known != Outcome::ok) return call.end(known);
  }
  return call.end(process_machine().allow_range(address_of(address), bytes));
}

CUresult cuMemsetD32Async(CUdeviceptr address, unsigned value, std::size_t count, CUstream stream) {
  DriverCall call(CUPTI_DRIVER_TRACE_CBID_cuMemsetD32Async, "cuMemsetD32Async");
  return call.end(process_machine().set(call.caller(),
                                        {.to = address_of(address),
                                         .value = value,
                                         .value_bytes = sizeof(value),
                                         .bytes = count * sizeof(value),
                                         .stream = static_cast<StreamHandle>(reinterpret_cast<std::uintptr_t>(stream)),
                                         .has_values = !is_in_operator()}));
}
