#include "language/char_lm_graphed.h"

namespace stepgate {

CharLmGraphed::CharLmGraphed(const CaseContext& context, const CharLmSize& size, const TextCorpus& corpus)
    : eager_(context, size, corpus),
      graphed_([this](const std::vector<torch::Tensor>& inputs) { return eager_step(inputs); },
               {.warm_up = char_lm_graph_warm_up}) {
  eager_.fuse_optimizer();
}

torch::Tensor CharLmGraphed::eager_step(const std::vector<torch::Tensor>& inputs) {
  const torch::Tensor loss = eager_.forward({.tensors = inputs});
  eager_.backward(loss);
  eager_.optimizer_step();
  return loss;
}

std::unique_ptr<Workload> make_full_char_lm_graphed(const CaseContext& context) {
  return std::make_unique<CharLmGraphed>(context, with_params(full_char_lm(), context.params),
                                         load_python_sources(context.data_dir));
}

}  // namespace stepgate
