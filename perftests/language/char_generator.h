// The character model of char_lm answers: it goes on with a prompt of Python source, symbol by symbol. Guards the parts
// of generation: a request of several forward passes, the time to the first symbol and per further symbol.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "language/char_generator_size.h"
#include "language/transformer.h"
#include "stepgate/inference_workload.h"
#include "support/text_windows.h"

namespace stepgate {

/// Requests carry one tensor, the prompts: int64 rows x prompt_length. The answer is prompt and generated symbols,
/// int64 rows x length. Each symbol is the most likely one, so that equal weights give equal answers. The model keeps
/// nothing from one symbol to the next. Its parts are virtual so that a test can replace one at a time with a faulty
/// one.
class CharGenerator : public InferenceWorkload {
 public:
  /// Reads the text from context.data_dir. Throws DataError if that is missing or altered.
  CharGenerator(const CaseContext& context, const CharGeneratorSize& size);
  /// Goes on with prompts from the given text.
  CharGenerator(const CaseContext& context, const CharGeneratorSize& size, const TextCorpus& corpus);

  Batch next_batch() override;
  torch::Tensor infer(const Batch& batch) override;
  /// The generated symbols as text.
  void post(const torch::Tensor& answer) override;
  std::vector<TrainingModule> training_modules() const override { return stepgate::training_modules(*model_); }
  std::vector<torch::Tensor> parameters() const override { return model_->parameters(); }
  std::string data_digest() const override { return data_digest_; }

  /// The last answer, one text for each prompt.
  const std::vector<std::string>& texts() const { return texts_; }

 protected:
  /// Symbols rows x length -> the next symbol of each row.
  virtual torch::Tensor next_symbols(const torch::Tensor& symbols);
  Transformer& model() { return model_; }

 private:
  CharGeneratorSize size_;
  std::string data_digest_;
  TextWindows prompts_;
  std::int64_t request_ = 0;
  std::int64_t flops_;
  Transformer model_;
  std::vector<std::string> texts_;
};

/// The workload of `language/char_lm_generate/tiny`; parameters in the context override the size's own.
std::unique_ptr<Workload> make_tiny_char_generator(const CaseContext& context);

}  // namespace stepgate
