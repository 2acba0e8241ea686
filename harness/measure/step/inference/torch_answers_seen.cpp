#include "measure/step/inference/torch_answers_seen.h"

#include <algorithm>

namespace stepgate {
namespace {

constexpr std::int64_t weighted_elements = 8;

}  // namespace

torch::Tensor answer_number(const torch::Tensor& answer) {
  const torch::NoGradGuard no_grad;
  const torch::Tensor real =
      answer.is_complex() ? torch::view_as_real(answer.detach().resolve_conj()) : answer.detach();
  const torch::Tensor values = real.to(torch::kCPU, torch::kFloat64).flatten();
  const torch::Tensor places = torch::arange(values.numel(), values.options());
  const torch::Tensor weighted = values * (places.remainder(weighted_elements) / weighted_elements + 1);
  return weighted.sum() / static_cast<double>(std::max<std::int64_t>(1, values.numel()));
}

}  // namespace stepgate
