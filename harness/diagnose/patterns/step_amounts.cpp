#include "diagnose/patterns/step_amounts.h"

#include <algorithm>

#include "core/boundary.h"
#include "diagnose/patterns/site_reading.h"

namespace stepgate {
namespace {

const OperatorSite* first_site(const ObservedWork& work, std::string_view name, std::size_t inputs) {
  const auto at = std::find_if(work.sites.begin(), work.sites.end(), [&](const OperatorSite& site) {
    return site.name == name && is_own_code(site) && site.inputs.size() >= inputs;
  });
  return at == work.sites.end() ? nullptr : &*at;
}

/// Bytes of the operands of its first call; 0 where the site's bytes do not follow from them alone.
std::int64_t bytes_of_first_call(const OperatorSite& site) {
  if (site.name.ends_with('_') || site.leaf_calls != site.calls) return 0;
  std::int64_t bytes = 0;
  for (const auto* side : {&site.inputs, &site.outputs}) {
    for (const ObservedTensor& tensor : *side) {
      if (tensor.sizes != site.outputs.front().sizes || stored_elements(tensor) != element_count(tensor)) return 0;
      bytes += element_count(tensor) * bytes_of_dtype(tensor.dtype);
    }
  }
  return bytes;
}

/// How much longer the mean step is than the first one: by the bytes of an operator that treats each token alike.
double mean_over_first(const ObservedWork& work, std::int64_t samples, std::int64_t positions) {
  for (const OperatorSite& site : work.sites) {
    if (!is_own_code(site) || site.inputs.empty() || site.outputs.empty() || site.bytes <= 0) continue;
    const auto& sizes = site.outputs.front().sizes;
    if (sizes.size() != 3 || sizes[0] != samples || sizes[1] != positions) continue;
    const std::int64_t first = bytes_of_first_call(site);
    if (first > 0) return static_cast<double>(site.bytes) / static_cast<double>(site.leaf_calls * first);
  }
  return 1;
}

/// Symbols are looked up in rows x positions.
void read_tokens(const ObservedWork& work, StepAmounts& amounts) {
  double tokens = 0;
  double samples = 0;
  double calls = 0;
  for (const OperatorSite& site : work.sites) {
    if (site.name != "aten::embedding" || !is_own_code(site) || site.inputs.size() < 2) continue;
    const auto& sizes = site.inputs[1].sizes;
    if (sizes.size() != 2) continue;
    if (!work.by_shape && calls > 0) continue;  // operands are those of the first call
    const auto number = static_cast<double>(site.calls);
    calls += number;
    samples += number * static_cast<double>(sizes[0]);
    tokens += number * static_cast<double>(sizes[0] * sizes[1]) *
              (work.by_shape ? 1 : mean_over_first(work, sizes[0], sizes[1]));
  }
  if (calls == 0 || samples == 0) return;
  amounts.samples = samples / calls;
  amounts.positions = tokens / samples;
}

void read_images(const ObservedWork& work, StepAmounts& amounts) {
  const OperatorSite* convolution = first_site(work, "aten::conv2d", 2);
  if (convolution == nullptr || convolution->inputs[0].sizes.size() != 4) return;
  amounts.samples = static_cast<double>(convolution->inputs[0].sizes[0]);
}

/// The tensor of classes per item that the loss is made of, before anybody flattens or cuts it.
std::vector<std::int64_t> logits_of(const ObservedWork& work, const StepAmounts& amounts) {
  const OperatorSite* loss = first_site(work, "aten::_log_softmax", 1);
  if (loss == nullptr || loss->inputs[0].sizes.size() < 2 || amounts.samples == 0) return {};
  const OperatorSite* symbols = first_site(work, "aten::embedding", 2);
  const std::int64_t classes = loss->inputs[0].sizes.size() == 2 ? loss->inputs[0].sizes[1] : 0;
  if (classes == 0) return {};
  if (symbols == nullptr) return {static_cast<std::int64_t>(amounts.samples), classes};
  std::vector<std::int64_t> sizes = symbols->inputs[1].sizes;
  sizes.push_back(classes);
  return sizes;
}

double layers_of(const ObservedWork& work) {
  for (const std::string_view name : {"aten::scaled_dot_product_attention", "aten::conv2d"}) {
    if (const double calls = calls_per_step(work, name_of(Boundary::forward), name); calls > 0) return calls;
  }
  return 0;
}

}  // namespace

StepAmounts step_amounts(const ObservedWork& work) {
  StepAmounts amounts;
  read_tokens(work, amounts);
  if (amounts.samples == 0) read_images(work, amounts);
  // Backward sets each gradient by one detach(); the optimizer's zero_grad() detaches each before it lets go of it.
  amounts.parameter_tensors = calls_per_step(work, name_of(Boundary::optimizer), "aten::detach_");
  if (amounts.parameter_tensors == 0)
    amounts.parameter_tensors = calls_per_step(work, name_of(Boundary::backward), "aten::detach");
  amounts.layers = layers_of(work);
  amounts.logits = logits_of(work, amounts);
  return amounts;
}

}  // namespace stepgate
