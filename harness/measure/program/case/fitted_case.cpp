#include "measure/program/case/fitted_case.h"

#include <utility>

#include "measure/device/device_room.h"
#include "measure/program/reference/reference_case.h"

namespace stepgate {
namespace {

void require_parts(const Case& asked) {
  if (!asked.missing) return;
  if (const std::optional<MissingPart> part = asked.missing()) {
    throw DeviceMissing(ErrorKind::measure, part->what, part->remedy);
  }
}

void require_room(const DeviceSide& device, const Case& asked) {
  if (!asked.device_bytes) return;
  const std::optional<DeviceCapacity> memory = device.memory();
  if (!memory) return;
  const std::optional<NoRoom> none = no_room_for(asked.device_bytes(asked.params), *memory);
  if (!none) return;
  const std::string what = "this case " + none->reason;
  if (none->is_gpu_too_small) throw GpuTooSmall(ErrorKind::measure, what, none->remedy);
  throw DeviceMissing(ErrorKind::measure, what, none->remedy);
}

}  // namespace

Case fitted_to(const DeviceSide& device, Case asked) {
  require_parts(asked);
  require_room(device, asked);
  return with_work_for(device.gpu_properties(), std::move(asked));
}

}  // namespace stepgate
