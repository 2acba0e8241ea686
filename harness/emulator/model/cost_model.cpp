#include "emulator/model/cost_model.h"

#include <algorithm>

namespace stepgate::emulator {
namespace {

/// What a thread of a kernel reads and writes (own choice: two values of 16 bytes, as vectorised kernels do).
constexpr double bytes_per_thread = 32;
/// Share of the tensor cores' rate that products reach (own choice).
constexpr double reached_share = 0.6;

std::int64_t with_least(double ns) { return least_operation_ns + static_cast<std::int64_t>(ns); }

double rate_of(const DeviceModel& model, CopyDirection direction, bool pageable) {
  switch (direction) {
    case CopyDirection::device_to_device:
      return model.bytes_per_ns / 2;  // each byte is read and written
    case CopyDirection::peer:
      return model.peer_bytes_per_ns;
    case CopyDirection::host_to_device:
    case CopyDirection::device_to_host:
    case CopyDirection::host_to_host:
      break;
  }
  return pageable ? model.pageable_bytes_per_ns : model.pinned_bytes_per_ns;
}

}  // namespace

std::int64_t kernel_ns(const DeviceModel& model, std::uint64_t threads) {
  return with_least(static_cast<double>(threads) * bytes_per_thread / model.bytes_per_ns);
}

std::int64_t product_ns(const DeviceModel& model, double flops, double bytes) {
  return with_least(std::max(flops / (model.flops_per_ns * reached_share), bytes / model.bytes_per_ns));
}

std::int64_t memset_ns(const DeviceModel& model, std::uint64_t bytes) {
  return with_least(static_cast<double>(bytes) / model.bytes_per_ns);
}

std::int64_t copy_ns(const DeviceModel& model, CopyDirection direction, std::uint64_t bytes, bool pageable) {
  return with_least(static_cast<double>(bytes) / rate_of(model, direction, pageable));
}

std::int64_t collective_ns(const DeviceModel& model, std::uint64_t bytes) {
  return with_least(2 * static_cast<double>(bytes) / model.peer_bytes_per_ns);
}

std::int64_t cycles_ns(const DeviceModel& model, std::int64_t cycles) {
  return cycles <= 0 ? 0 : static_cast<std::int64_t>(static_cast<double>(cycles) * 1000 / model.clock_mhz);
}

}  // namespace stepgate::emulator
