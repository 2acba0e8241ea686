#include "core/kernels/kernel_origin.h"

#include <gtest/gtest.h>

#include <array>
#include <string_view>

namespace stepgate {
namespace {

struct NamedKernel {
  std::string_view name;
  KernelOrigin origin;
  std::string_view family;
};

constexpr auto own_code = KernelOrigin::own;
constexpr auto library_code = KernelOrigin::library;

/// Names from traces of V100, A100 and H100, some of them shortened behind the function's name.
constexpr auto traced_kernels = std::to_array<NamedKernel>({
    {"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, at::detail::Array<char*, "
     "3> "
     ">(int, at::native::CUDAFunctor_add<float>, at::detail::Array<char*, 3>)",
     own_code, "elementwise"},
    {"void (anonymous namespace)::elementwise_kernel_with_index<int, at::native::arange_cuda_out(c10::Scalar const&, "
     "c10::Scalar const&, c10::Scalar const&, at::Tensor&)::{lambda()#1}>(int)",
     own_code, "elementwise"},
    {"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::MeanOps<float, float>, unsigned "
     "int, float, 4> >(at::native::ReduceOp<float, at::native::MeanOps<float, float>, unsigned int, float, 4>)",
     own_code, "reduction"},
    {"void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float, float>(int, float, float const*)",
     own_code, "layer_norm"},
    {"void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous "
     "namespace)::TensorListMetadata<2> >(at::native::(anonymous namespace)::TensorListMetadata<2>)",
     own_code, "foreach"},
    {"void (anonymous namespace)::softmax_warp_forward<float, float, float, 10, true, false>(float*, float const*)",
     own_code, "softmax"},
    {"void cub::DeviceScanInitKernel<cub::ScanTileState<int, true> >(cub::ScanTileState<int, true>, int)", own_code,
     "scan"},
    {"void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits<64, 128, 128, 4, false, false, "
     "cutlass::bfloat16_t> >(pytorch_flash::Flash_fwd_params)",
     own_code, "attention"},
    {"void at::native::(anonymous namespace)::upsample_nearest1d_out_frame<c10::BFloat16>(c10::BFloat16 const*)",
     own_code, "upsample_nearest1d_out_frame"},
    {"void fbgemm_gpu::permute_2D_lengths_kernel<int>(int, int, int const*, int const*, int*)", own_code,
     "permute_2D_lengths_kernel"},
    {"ampere_sgemm_32x32_sliced1x4_tn", library_code, "cublas"},
    {"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize64x64x64_warpgroupsize1x1x1_execute_segment_k_off_kernel__5x_"
     "cublas",
     library_code, "cublas"},
    {"void cutlass::Kernel2<cutlass_80_simt_sgemm_128x32_8x5_nn_align1>(cutlass_80_simt_sgemm_128x32_8x5_nn_align1::"
     "Params)",
     library_code, "cublas"},
    {"std::enable_if<!(false), void>::type internal::gemvx::kernel<int, int, float, float, float, float, false, true, "
     "true, false, 7>(int)",
     library_code, "cublas"},
    {"void splitKreduce_kernel<float, float, float, float, true, true, false>(int, float const*)", library_code,
     "cublas"},
    {"volta_sgemm_64x64_nn", library_code, "cublas"},
    {"cudnn_infer_volta_scudnn_128x64_relu_small_nn_v1", library_code, "cudnn"},
    {"void cudnn::ops::nchwToNhwcKernel<float, float, float, false, true, (cudnnKernelDataType_t)2>(float const*)",
     library_code, "cudnn"},
    {"sm80_xmma_fprop_implicit_gemm_indexed_tf32f32_tf32f32_f32_nhwckrsc_nchw_tilesize128x128x16_stage4_execute_kernel",
     library_code, "cudnn"},
    {"ampere_gcgemm_64x64_nt", library_code, "cudnn"},
    {"cask_cudnn_infer::computeBOffsetsKernel(cask_cudnn_infer::ComputeBOffsetsParams)", library_code, "cudnn"},
    {"void flip_filter<float, float>(float*, float const*, int, int, int, int)", library_code, "cudnn"},
    {"void sgemm_largek_lds64<true, false, 5, 5, 4, 4, 4, 34>(float*, float const*, float const*, int, int, int, int, "
     "int, int, float const*, float const*, float, float, int, int, int*, int*)",
     library_code, "cublas"},
    {"ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)", library_code, "nccl"},
});

TEST(KernelOrigin, KnowsTheKernelsOfRealTraces) {
  for (const NamedKernel& kernel : traced_kernels) {
    const KernelKind kind = kind_of_kernel(kernel.name);
    EXPECT_EQ(kind.origin, kernel.origin) << kernel.name;
    EXPECT_EQ(kind.family, kernel.family) << kernel.name;
  }
}

TEST(KernelOrigin, KnowsTheKernelsOfEmulatedLibraries) {
  EXPECT_EQ(kind_of_kernel("cublas Sgemm 128 64 32 1 f32"), (KernelKind{library_code, "cublas"}));
  EXPECT_EQ(kind_of_kernel("cudnn ConvolutionForward x[8,3,32,32] w[16,3,3,3]"), (KernelKind{library_code, "cudnn"}));
  EXPECT_EQ(kind_of_kernel("cusolver getrf 8 8 1 1 f32").origin, library_code);
  EXPECT_EQ(kind_of_kernel("ncclDevKernel_SendRecv"), (KernelKind{library_code, "nccl"}));
}

/// A template of LibTorch may have a library's type as an argument, and CUTLASS is built into it as source.
TEST(KernelOrigin, OwnCodeWithALibrarysTypeIsOwn) {
  EXPECT_EQ(kind_of_kernel("void at::native::copy_kernel<cudnnDataType_t>(int)").origin, own_code);
  EXPECT_EQ(
      kind_of_kernel("void cutlass::device_kernel<at::cuda::detail::enable_3x_kernel_for_sm9x<int> >(int)").origin,
      own_code);
}

TEST(KernelOrigin, AKernelThatNoRowKnowsIsOwnUnderItsFunctionsName) {
  EXPECT_EQ(kind_of_kernel("my_scale(float*, int)"), (KernelKind{own_code, "my_scale"}));
  EXPECT_EQ(kind_of_kernel("triton_poi_fused_0"), (KernelKind{own_code, "triton_poi_fused_0"}));
  EXPECT_EQ(kind_of_kernel(""), (KernelKind{own_code, ""}));
}

}  // namespace
}  // namespace stepgate
