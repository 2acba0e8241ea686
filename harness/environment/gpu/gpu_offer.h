// The GPUs that measured processes may use, and what decided that.
#pragma once

#include <string>
#include <vector>

#include "environment/gpu/gpu_driver.h"

namespace stepgate {

/// One GPU for a measured process, or the instance of a GPU that MIG splits.
struct ChosenGpu {
  Gpu gpu;
  std::string
      visible;  ///< its name for CUDA_VISIBLE_DEVICES: the UUID of the GPU, or of the instance where it is split
};

enum class GpuOfferKind {
  known,      ///< `gpus` are all that processes may use, in CUDA's order; none: `reason` says what hides them
  ask_child,  ///< the launcher cannot know; `reason` says why. The first process tells its GPU's bus id
  wrong,      ///< the environment asks for what is not there: nothing may be measured
};

/// The GPUs that processes may use.
struct GpuOffer {
  GpuOfferKind kind = GpuOfferKind::ask_child;
  std::vector<ChosenGpu> gpus = {};
  std::string source = {};  ///< what decided, "CUDA_VISIBLE_DEVICES=2,5"; "" where nothing restricts the GPUs
  std::string reason = {};  ///< also of a known offer that is smaller than what was asked for; "" where all is plain
  std::string remedy = {};
};

}  // namespace stepgate
