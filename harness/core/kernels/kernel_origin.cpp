#include "core/kernels/kernel_origin.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace stepgate {
namespace {

/// Part of a name -> what it tells. The first row that fits decides.
struct NameRow {
  std::string_view part;
  std::string_view family;
};

/// Namespaces of LibTorch's own code. They go first: its kernels are templates that may have anything as an argument.
constexpr std::array<std::string_view, 8> own_parts = {
    "at::native",
    "at::cuda",
    "at_cuda_detail",
    "c10d::",
    "torch::",
    "pytorch_flash",            // FlashAttention, built into LibTorch
    "PyTorchMemEffAttention",   // memory-efficient attention, likewise
    "cutlass::device_kernel<",  // CUTLASS 3 as source, likewise; the libraries' kernels of it have other names
};

/// Names as in traces of V100, A100, H100 and B200, and those of emulated libraries ("cublas gemm ...").
constexpr auto library_rows = std::to_array<NameRow>({
    {"nccl", "nccl"},
    {"cudnn", "cudnn"},  // cudnn::, cask_cudnn::, volta_scudnn_..., cutlass__5x_cudnn::, cudnn_generated_...
    {"xmma_fprop", "cudnn"},
    {"xmma_dgrad", "cudnn"},
    {"xmma_wgrad", "cudnn"},
    {"wgrad_alg0_engine", "cudnn"},
    {"wgrad_alg1_engine", "cudnn"},
    {"dgrad_engine", "cudnn"},
    {"flip_filter<", "cudnn"},  // of a convolution's backward, on an H200
    {"convolve_sgemm", "cudnn"},
    {"im2col4d_kernel", "cudnn"},
    {"fft2d_", "cudnn"},  // convolutions by transforms, whose products are gcgemm
    {"gcgemm", "cudnn"},
    {"cufft", "cufft"},
    {"regular_fft", "cufft"},
    {"vector_fft", "cufft"},
    {"composite_2way_fft", "cufft"},
    {"bluestein_fft", "cufft"},
    {"cusparse", "cusparse"},
    {"cusolver", "cusolver"},
    {"getrf", "cusolver"},
    {"potrf", "cusolver"},
    {"geqrf", "cusolver"},
    {"magma", "magma"},
    {"cublas", "cublas"},  // ..._cublas, cublasSplitKParams, cublasLtEpilogue_t
    {"nvjet_", "cublas"},  // products of Hopper and Blackwell
    {"xmma_gemm", "cublas"},
    {"cutlass::Kernel<cutlass_", "cublas"},  // named by the library's generator; CUTLASS as source has types here
    {"cutlass::Kernel2<cutlass_", "cublas"},
    {"volta_", "cublas"},
    {"turing_", "cublas"},
    {"ampere_", "cublas"},
    {"gemvx::kernel", "cublas"},
    {"gemv2T_kernel", "cublas"},
    {"gemv2N_kernel", "cublas"},
    {"gemvNSP_kernel", "cublas"},
    {"gemmk1_kernel", "cublas"},
    {"gemmSN_", "cublas"},
    {"gemm_largek_", "cublas"},  // sgemm_largek_lds64, of few rows and columns, on an H200
    {"splitKreduce_kernel", "cublas"},
    {"epilogue::impl::globalKernel", "cublas"},
    {"void dot_kernel<", "cublas"},
    {"void reduce_1Block_kernel<", "cublas"},
    {"trsm_", "cublas"},
});

/// Functions of LibTorch that do the same: which of them runs depends on alignment and size.
constexpr auto own_families = std::to_array<NameRow>({
    {"multi_tensor_apply_kernel", "foreach"},
    {"elementwise_kernel", "elementwise"},  // vectorized_, unrolled_, legacy ones
    {"reduce_kernel", "reduction"},
    {"layer_norm", "layer_norm"},
    {"GammaBetaBackward", "layer_norm"},
    {"batch_norm", "batch_norm"},
    {"softmax", "softmax"},
    {"SoftMax", "softmax"},
    {"CatArrayBatchedCopy", "concatenation"},
    {"dropout", "dropout"},
    {"distribution_", "random"},
    {"max_pool", "pooling"},
    {"avg_pool", "pooling"},
    {"average_pool", "pooling"},
    {"embedding", "embedding"},
    {"index", "index"},
    {"DeviceRadixSort", "sort"},
    {"DeviceSegmentedRadixSort", "sort"},
    {"DeviceScan", "scan"},
    {"DeviceReduce", "reduction"},
    {"flash_", "attention"},
    {"fmha_", "attention"},
});

bool contains_part(std::string_view name, std::string_view part) { return name.find(part) != std::string_view::npos; }

const NameRow* row_in(std::span<const NameRow> rows, std::string_view name) {
  const auto at =
      std::find_if(rows.begin(), rows.end(), [&](const NameRow& row) { return contains_part(name, row.part); });
  return at == rows.end() ? nullptr : &*at;
}

/// "void at::native::(anonymous namespace)::fill_kernel<float>(float*, int)" -> "fill_kernel". A template's name begins
/// with the type of its result, which may be a template itself.
std::string function_of(std::string_view name) {
  std::string text(name);
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  for (auto at = text.find(unnamed); at != std::string::npos; at = text.find(unnamed)) text.erase(at, unnamed.size());
  constexpr std::string_view no_result = "void ";
  if (text.starts_with(no_result)) text.erase(0, no_result.size());
  text.resize(std::min(text.find_first_of("<("), text.size()));
  const auto scope = text.rfind("::");
  return scope == std::string::npos ? text : text.substr(scope + 2);
}

}  // namespace

KernelKind kind_of_kernel(std::string_view name) {
  const bool is_own =
      std::any_of(own_parts.begin(), own_parts.end(), [&](std::string_view part) { return contains_part(name, part); });
  if (const NameRow* library = is_own ? nullptr : row_in(library_rows, name)) {
    return {KernelOrigin::library, std::string(library->family)};
  }
  std::string function = function_of(name);
  const NameRow* family = row_in(own_families, function);
  return {KernelOrigin::own, family == nullptr ? std::move(function) : std::string(family->family)};
}

}  // namespace stepgate
