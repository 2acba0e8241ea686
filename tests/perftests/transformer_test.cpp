#include "language/transformer.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

torch::Tensor some_symbols(std::int64_t rows, std::int64_t length) {
  return torch::arange(rows * length, torch::kInt64).remainder(padding_symbol).view({rows, length});
}

TEST(Transformer, NoPositionSeesALaterOne) {
  torch::manual_seed(1);
  Transformer model(tiny_char_lm());
  const torch::NoGradGuard no_grad;
  const auto symbols = some_symbols(2, 32);
  auto changed = symbols.clone();
  changed.slice(1, 20).fill_(padding_symbol);
  const auto before = model->forward(symbols);
  const auto after = model->forward(changed);
  EXPECT_TRUE(torch::allclose(before.slice(1, 0, 20), after.slice(1, 0, 20), 1e-5, 1e-6));
  EXPECT_FALSE(torch::allclose(before.slice(1, 20), after.slice(1, 20), 1e-5, 1e-6));
}

TEST(Transformer, PaddingDoesNotChangeWhatARowGives) {
  torch::manual_seed(1);
  Transformer model(tiny_char_lm());
  const torch::NoGradGuard no_grad;
  const auto row = some_symbols(1, 21);
  const auto padded = torch::cat({row, torch::full({1, 11}, padding_symbol, torch::kInt64)}, 1);
  EXPECT_TRUE(torch::allclose(model->forward(row), model->forward(padded).slice(1, 0, 21), 1e-5, 1e-6));
}

TEST(Transformer, EarlierSymbolsAndTheirOrderMatter) {
  torch::manual_seed(1);
  Transformer model(tiny_char_lm());
  const torch::NoGradGuard no_grad;
  const auto symbols = torch::tensor({{3, 5, 7, 9}}, torch::kInt64);
  const auto swapped = torch::tensor({{5, 3, 7, 9}}, torch::kInt64);
  EXPECT_FALSE(torch::allclose(model->forward(symbols).select(1, 3), model->forward(swapped).select(1, 3), 1e-5, 1e-6));
}

TEST(Transformer, HeadIsTheEmbedding) {
  Transformer model(tiny_char_lm());
  std::int64_t matrices_over_symbols = 0;
  for (const auto& parameter : model->parameters()) {
    if (parameter.dim() == 2 && parameter.size(0) == vocabulary_size) ++matrices_over_symbols;
  }
  EXPECT_EQ(matrices_over_symbols, 1);
}

}  // namespace
}  // namespace stepgate
