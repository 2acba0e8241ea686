// What a hook of saved tensors keeps of the tensor that it packs.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/StorageImpl.h>

#include <functional>
#include <vector>

namespace stepgate {

/// Keeps the address of a storage from being given to another one, and not its memory.
using WeakStorage = c10::weak_intrusive_ptr<c10::StorageImpl>;

/// Calls `pack`, which packs `tensor` on this thread, and returns the storages that it keeps: that of the tensor where
/// more refer to it than before, and those that operators made meanwhile and that are still alive. A storage that was
/// there before, such as a buffer that the values are copied into, lives anyway and is none of them. Nor is what a
/// thread of the hook's own makes.
std::vector<WeakStorage> storages_kept_by(const std::function<void()>& pack, const at::Tensor& tensor);

}  // namespace stepgate
