// Which of the user's variables a measured process gets: what programs need in order to find their files, libraries,
// devices and peers. Everything else stays with the user, since it may hold secrets and differs from machine to
// machine. docs/design/processes_and_passes.md lists them for users; the house test compares.
#pragma once

#include <array>
#include <string_view>

namespace stepgate {

inline constexpr std::array<std::string_view, 22> passed_names = {"PATH",
                                                                  "HOME",
                                                                  "USER",
                                                                  "LOGNAME",
                                                                  "SHELL",
                                                                  "TERM",
                                                                  "TZ",
                                                                  "TZDIR",
                                                                  "LANG",
                                                                  "PWD",
                                                                  "TMPDIR",
                                                                  "TMP",
                                                                  "TEMP",
                                                                  "RANK",
                                                                  "WORLD_SIZE",
                                                                  "LOCAL_RANK",
                                                                  "MASTER_ADDR",
                                                                  "MASTER_PORT",
                                                                  "HOSTNAME",
                                                                  "LANGUAGE",
                                                                  "LOCAL_WORLD_SIZE",
                                                                  "LLVM_PROFILE_FILE"};

/// A name that begins like this but names a secret (secret_mask.h), e.g. SLURM_JWT, is still not passed.
inline constexpr std::array<std::string_view, 41> passed_prefixes = {
    "LC_",    "LD_",      "XDG_",   "STEPGATE_", "CUDA_",   "CUDNN_", "CUBLAS_", "CUBLASLT_", "CUFFT_",
    "CUPTI_", "NVIDIA_",  "NVTX_",  "NSYS_",     "HIP_",    "HSA_",   "ROCM_",   "ROCR_",     "MIOPEN_",
    "TORCH_", "PYTORCH_", "ATEN_",  "C10_",      "KINETO_", "NCCL_",  "GLOO_",   "TP_",       "MPI_",
    "MPICH_", "OMPI_",    "I_MPI_", "PMI_",      "PMIX_",   "PRTE_",  "HYDRA_",  "UCX_",      "FI_",
    "SLURM_", "ASAN_",    "LSAN_",  "TSAN_",     "UBSAN_"};

}  // namespace stepgate
