// The library's numbers of kinds, attributes and types of its backend interface, and what they are here.
#pragma once

#include <cudnn.h>

#include "emulator/math/cudnn/cudnn_backend_store.h"

namespace stepgate::emulator {

/// Refuses a kind that is not modelled.
BackendKind backend_kind_of(cudnnBackendDescriptorType_t type);
BackendAttribute backend_attribute_of(cudnnBackendAttributeName_t name);
BackendType backend_type_of(cudnnBackendAttributeType_t type);
cudnnStatus_t cudnn_status_of(BackendAnswer answer);

}  // namespace stepgate::emulator
