#include "tabular/field_transformer_size.h"

#include <stdexcept>

#include "support/named_choice.h"
#include "support/named_numbers.h"

namespace stepgate {
namespace {

// The words stand in the order of the enumerations.
NamedChoice model_choice() { return {.workload = "field_transformer", .name = "model", .words = {"naive", "fixed"}}; }
NamedChoice loading_choice() {
  return {.workload = "field_transformer", .name = "loader", .words = {"naive", "tuned"}};
}
NamedChoice step_choice() { return {.workload = "field_transformer", .name = "step", .words = {"eager", "compiled"}}; }

std::vector<NamedNumber> field_numbers_of(FieldTransformerSize& size) {
  return {{.name = "width", .value = &size.width, .most = 65536},
          {.name = "heads", .value = &size.heads, .most = 65536},
          {.name = "batch_size", .value = &size.loader.batch_size},
          {.name = "loader_workers", .value = &size.loader.workers, .least = 0, .most = 1024},
          {.name = "prefetch_batches", .value = &size.loader.prefetch_batches},
          {.name = "pin", .value = &size.loader.pinned, .least = 0, .most = 1},
          {.name = "repeats", .value = &size.repeats}};
}

}  // namespace

FieldTransformerSize tiny_field_transformer() { return {.loader = {.batch_size = 32}}; }

FieldTransformerSize full_field_transformer() {
  return {.width = 128,
          .heads = 8,
          .loader = {.batch_size = 1024, .workers = 2, .prefetch_batches = 4, .pinned = 1},
          .repeats = 64};
}

std::map<std::string, std::string> params_of(const FieldTransformerSize& size) {
  FieldTransformerSize copy = size;
  std::map<std::string, std::string> params = params_of(field_numbers_of(copy));
  params["model"] = model_choice().words[static_cast<std::size_t>(size.model)];
  params["loader"] = loading_choice().words[static_cast<std::size_t>(size.loading)];
  return params;
}

FieldTransformerSize with_params(FieldTransformerSize size, std::map<std::string, std::string> params) {
  if (const auto word = take_choice(model_choice(), params)) size.model = static_cast<FieldModel>(*word);
  if (const auto word = take_choice(loading_choice(), params)) size.loading = static_cast<FieldLoading>(*word);
  set_params("field_transformer", field_numbers_of(size), params);
  if (size.width % size.heads == 0) return size;
  throw std::invalid_argument("field_transformer: width " + std::to_string(size.width) + " is no multiple of heads " +
                              std::to_string(size.heads));
}

FieldStep take_field_step(std::map<std::string, std::string>& params) {
  return static_cast<FieldStep>(take_choice(step_choice(), params).value_or(0));
}

}  // namespace stepgate
