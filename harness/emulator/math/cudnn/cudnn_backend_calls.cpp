// The backend interface of cuDNN, which LibTorch's convolutions and attention use.
#include <string>
#include <utility>

#include "emulator/machine/refusal.h"
#include "emulator/math/cudnn/cudnn_backend_numbers.h"
#include "emulator/math/cudnn/cudnn_objects.h"
#include "emulator/math/cudnn/cudnn_operation_graph.h"

namespace {

using namespace stepgate::emulator;

BackendDescriptor* backend(cudnnBackendDescriptor_t descriptor) { return static_cast<BackendDescriptor*>(descriptor); }

/// Attributes that change what a plan does in a way that is not modelled.
void refuse_unmodelled(cudnnBackendAttributeName_t name) {
  switch (name) {
    case CUDNN_ATTR_EXECUTION_PLAN_JSON_REPRESENTATION:
      refuse("cudnnBackendSetAttribute", "plans from text");
    case CUDNN_ATTR_EXECUTION_PLAN_KERNEL_CACHE:
      refuse("cudnnBackendSetAttribute", "kernel caches");
    case CUDNN_ATTR_VARIANT_PACK_OVERRIDE_SHAPES:
    case CUDNN_ATTR_VARIANT_PACK_OVERRIDE_STRIDES:
      refuse("cudnnBackendSetAttribute", "shapes that change between executions");
    default:
      break;
  }
}

bool is_ready(const BackendDescriptor* descriptor, BackendKind kind) {
  return descriptor->data->is_finalized && descriptor->data->kind == kind;
}

}  // namespace

extern "C" {

cudnnStatus_t cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t type, cudnnBackendDescriptor_t* descriptor) {
  if (descriptor == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  *descriptor = new BackendDescriptor{std::make_shared<BackendData>(BackendData{backend_kind_of(type), false, {}})};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t descriptor) {
  delete backend(descriptor);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t descriptor) {
  if (descriptor == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  return cudnn_status_of(finalize(*backend(descriptor)));
}

cudnnStatus_t cudnnBackendSetAttribute(cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type, std::int64_t count, const void* elements) {
  if (descriptor == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  refuse_unmodelled(name);
  return cudnn_status_of(
      set_attribute(*backend(descriptor), backend_attribute_of(name), {backend_type_of(type), count, elements}));
}

cudnnStatus_t cudnnBackendGetAttribute(cudnnBackendDescriptor_t const descriptor, cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type, std::int64_t requested, std::int64_t* count,
                                       void* elements) {
  if (descriptor == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  const BackendDescriptor& from = *backend(descriptor);
  const BackendAnswer answer =
      get_attribute(from, backend_attribute_of(name), {backend_type_of(type), requested, elements, count});
  if (answer == BackendAnswer::unknown) {
    refuse("cudnnBackendGetAttribute",
           "attribute " + std::to_string(static_cast<int>(name)) + " of " + std::string(row_of(from.data->kind).name));
  }
  return cudnn_status_of(answer);
}

cudnnStatus_t cudnnBackendExecute(cudnnHandle_t handle, cudnnBackendDescriptor_t plan, cudnnBackendDescriptor_t pack) {
  if (handle == nullptr || plan == nullptr || pack == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  if (!is_ready(backend(plan), BackendKind::plan) || !is_ready(backend(pack), BackendKind::variant_pack)) {
    return CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED;
  }
  return submit_cudnn("cudnnBackendExecute", handle, work_of_plan(*backend(plan)->data, cudnn_types()));
}

}  // extern "C"
