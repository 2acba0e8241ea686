// A tensor that says that it is on a device, over memory of the test, and operators by name.
#pragma once

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <utility>
#include <vector>

namespace stepgate::emulator {

/// Four numbers.
class DeviceMemory4 {
 public:
  at::Tensor tensor(std::vector<std::int64_t> sizes, std::vector<std::int64_t> strides, std::int64_t offset = 0) {
    at::Tensor made = at::detail::make_tensor<c10::TensorImpl>(
        c10::Storage(storage_), c10::DispatchKeySet(c10::DispatchKey::CUDA), caffe2::TypeMeta::Make<float>());
    made.unsafeGetTensorImpl()->set_sizes_and_strides(c10::IntArrayRef(sizes), c10::IntArrayRef(strides), offset);
    return made;
  }
  std::vector<float> numbers = {1, 2, 3, 4};

 private:
  c10::Storage storage_{c10::Storage::use_byte_size_t(), std::size_t{16},
                        c10::DataPtr(numbers.data(), c10::Device(c10::kCUDA, 0)), nullptr, false};
};

inline c10::OperatorHandle operator_named(const char* name, const char* overload) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, overload);
}

}  // namespace stepgate::emulator
