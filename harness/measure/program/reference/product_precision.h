// Float32 matrix products on a GPU in float32, whatever the program has set.
#pragma once

#include <functional>

namespace stepgate {

/// TF32 would run on other units of the GPU, at several times the rate. The process may go on with other cases, so the
/// destructor restores what was set, by LibTorch's older API (setAllowTF32CuBLAS), by its newer one
/// (setFloat32Precision), or by both. A precision that products inherited from all backends is their own afterwards.
class ProductsInFloat32 {
 public:
  ProductsInFloat32();
  ~ProductsInFloat32() { restore_(); }
  ProductsInFloat32(const ProductsInFloat32&) = delete;
  ProductsInFloat32& operator=(const ProductsInFloat32&) = delete;

 private:
  std::function<void()> restore_;
};

}  // namespace stepgate
