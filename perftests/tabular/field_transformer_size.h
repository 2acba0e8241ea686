// The size and the stage of a field transformer: the parameters that a case declares and a sweep may vary.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "support/image_loader.h"

namespace stepgate {

/// How the network computes the same numbers: every product written out over repeated tensors, or by matrix products.
enum class FieldModel { naive, fixed };

/// How rows reach the step: each one searched in the packed file, on the calling thread; or decoded once, batches made
/// by workers where there are any.
enum class FieldLoading { naive, tuned };

/// How a step runs: by LibTorch's operators, or as one call into a package compiled ahead of time.
enum class FieldStep { eager, compiled };

struct FieldTransformerSize {
  std::int64_t width = 32;  ///< numbers of a field inside the network, a multiple of `heads`
  std::int64_t heads = 4;
  LoaderShape loader;
  std::int64_t repeats = 1;  ///< repetitions of each row in an epoch
  FieldModel model = FieldModel::fixed;
  FieldLoading loading = FieldLoading::tuned;
};

/// `tabular/field_transformer/tiny`: about 10 ms a step on one CPU thread. No workers: a batch of decoded rows takes
/// microseconds.
FieldTransformerSize tiny_field_transformer();

/// `tabular/field_transformer/full`: batches of 1024 rows, width 128, 2 workers with pinned batches, for a GPU.
FieldTransformerSize full_field_transformer();

/// As Case::params: "model" (naive or fixed), "loader" (naive or tuned), "width", "heads", "batch_size",
/// "loader_workers", "prefetch_batches", "pin", "repeats". The naive loader uses no workers and no pinned memory.
std::map<std::string, std::string> params_of(const FieldTransformerSize& size);

/// `size`, with the values of `params`. Throws std::invalid_argument for an unknown name or an invalid value, and if
/// width is not a multiple of heads.
FieldTransformerSize with_params(FieldTransformerSize size, std::map<std::string, std::string> params);

/// Takes "step" out of params: eager (also where it is not given) or compiled. Throws std::invalid_argument for another
/// word. It is no part of the size: the step is another program for the same job.
FieldStep take_field_step(std::map<std::string, std::string>& params);

}  // namespace stepgate
