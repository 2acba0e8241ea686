#include "language/char_generator.h"

#include <algorithm>
#include <map>

#include "language/transformer_flops.h"

namespace stepgate {
namespace {

Transformer model_in_eval_mode(const torch::Device& device, const CharLmSize& size) {
  Transformer model(size);  // on the host, so that a seed gives the same weights on every device
  model->to(device);
  model->eval();
  return model;
}

std::int64_t request_flops(const CharGeneratorSize& size) {
  std::int64_t flops = 0;
  for (std::int64_t length = size.prompt_length; length < size.length(); ++length) {
    flops += transformer_forward_flops(size.model, size.rows, length);
  }
  return flops;
}

char character_of(std::int64_t symbol) {
  if (symbol == newline_symbol) return '\n';
  return symbol < newline_symbol ? static_cast<char>(' ' + symbol) : '?';
}

}  // namespace

CharGenerator::CharGenerator(const CaseContext& context, const CharGeneratorSize& size)
    : CharGenerator(context, size, load_python_sources(context.data_dir)) {}

CharGenerator::CharGenerator(const CaseContext& context, const CharGeneratorSize& size, const TextCorpus& corpus)
    : size_(size),
      data_digest_(corpus.digest),
      prompts_(corpus, {.rows = size.rows, .length = size.prompt_length}, context.seed),
      flops_(request_flops(size)),
      model_(model_in_eval_mode(context.device, size.model)) {}

Batch CharGenerator::next_batch() {
  const TextWindowBatch drawn = prompts_.at(request_++);
  const torch::Tensor prompts = torch::empty({size_.rows, size_.prompt_length}, torch::kInt64);
  std::ranges::copy(drawn.inputs, prompts.mutable_data_ptr<std::int64_t>());
  const std::int64_t tokens = size_.rows * size_.new_tokens;
  return {.tensors = {prompts},
          .samples = size_.rows,
          .padded_tokens = tokens,
          .effective_tokens = tokens,
          .flops = flops_};
}

torch::Tensor CharGenerator::infer(const Batch& batch) {
  const torch::NoGradGuard no_grad;
  const torch::Tensor& prompts = batch.tensors[0];
  const torch::Tensor symbols = torch::empty({prompts.size(0), size_.length()}, prompts.options());
  symbols.narrow(1, 0, size_.prompt_length).copy_(prompts);
  for (std::int64_t length = size_.prompt_length; length < size_.length(); ++length) {
    symbols.select(1, length).copy_(next_symbols(symbols.narrow(1, 0, length)));
    token_done();
  }
  return symbols;
}

torch::Tensor CharGenerator::next_symbols(const torch::Tensor& symbols) {
  return model_->forward(symbols).select(1, symbols.size(1) - 1).argmax(-1);
}

void CharGenerator::post(const torch::Tensor& answer) {
  const torch::Tensor generated = answer.narrow(1, size_.prompt_length, size_.new_tokens).cpu().contiguous();
  const auto* symbol = generated.const_data_ptr<std::int64_t>();
  texts_.assign(static_cast<std::size_t>(size_.rows), "");
  for (std::string& text : texts_) {
    for (std::int64_t i = 0; i < size_.new_tokens; ++i) text += character_of(*symbol++);
  }
}

std::unique_ptr<Workload> make_tiny_char_generator(const CaseContext& context) {
  return std::make_unique<CharGenerator>(context, with_params(tiny_char_generator(), context.params));
}

}  // namespace stepgate
