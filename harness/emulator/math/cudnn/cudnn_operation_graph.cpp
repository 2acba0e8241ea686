#include "emulator/math/cudnn/cudnn_operation_graph.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <utility>

namespace stepgate::emulator {
namespace {

using Operations = std::vector<BackendPart>;

bool is_convolution(BackendKind kind) {
  return kind == BackendKind::convolution_forward || kind == BackendKind::convolution_backward_data ||
         kind == BackendKind::convolution_backward_filter;
}

ConvolutionPass pass_of(BackendKind kind) {
  if (kind == BackendKind::convolution_forward) return ConvolutionPass::forward;
  return kind == BackendKind::convolution_backward_data ? ConvolutionPass::backward_data
                                                        : ConvolutionPass::backward_filter;
}

/// "Matmul*2+Pointwise*7", in the order in which the kinds come first.
std::string list_of(const Operations& operations) {
  std::vector<std::pair<BackendKind, int>> counts;
  for (const BackendPart& operation : operations) {
    const auto at = std::find_if(counts.begin(), counts.end(),
                                 [&operation](const auto& count) { return count.first == operation->kind; });
    if (at == counts.end()) {
      counts.emplace_back(operation->kind, 1);
    } else {
      ++at->second;
    }
  }
  std::string text;
  for (const auto& [kind, count] : counts) {
    if (!text.empty()) text += '+';
    text += row_of(kind).name;
    if (count > 1) text += "*" + std::to_string(count);
  }
  return text;
}

/// Tensors that are in memory, once each, in the order of the operations.
std::vector<const BackendData*> stored_tensors(const Operations& operations) {
  std::vector<const BackendData*> tensors;
  std::set<std::vector<std::int64_t>> seen;
  for (const BackendPart& operation : operations) {
    for (const auto& [attribute, value] : operation->values) {
      for (const BackendPart& part : value.parts) {
        if (part->kind != BackendKind::tensor || flag_of(*part, BackendAttribute::tensor_is_virtual) ||
            flag_of(*part, BackendAttribute::tensor_is_by_value)) {
          continue;
        }
        if (seen.insert(numbers_of(*part, BackendAttribute::tensor_id)).second) tensors.push_back(part.get());
      }
    }
  }
  return tensors;
}

std::int64_t elements_at(const BackendData& operation, BackendAttribute attribute) {
  const BackendData* tensor = find_part(operation, attribute);
  if (tensor == nullptr) return 0;
  std::int64_t elements = 1;
  for (const std::int64_t dim : numbers_of(*tensor, BackendAttribute::tensor_dims)) elements *= dim;
  return elements;
}

/// The dimension that is `place` from the innermost one.
std::int64_t dim_at(const BackendData& operation, BackendAttribute attribute, std::size_t place) {
  const BackendData* tensor = find_part(operation, attribute);
  if (tensor == nullptr) return 0;
  const std::vector<std::int64_t> dims = numbers_of(*tensor, BackendAttribute::tensor_dims);
  return place < dims.size() ? dims[dims.size() - 1 - place] : 0;
}

double flops_of(const BackendData& operation) {
  if (operation.kind == BackendKind::matmul_operation) {
    return 2.0 * static_cast<double>(elements_at(operation, BackendAttribute::matmul_output)) *
           static_cast<double>(dim_at(operation, BackendAttribute::matmul_left, 0));
  }
  // Attention forward is two products of queries, keys and features; backward is five.
  const bool forward = operation.kind == BackendKind::attention_forward;
  if (!forward && operation.kind != BackendKind::attention_backward) return 0;
  const double product = 2.0 * static_cast<double>(elements_at(operation, BackendAttribute::attention_query)) *
                         static_cast<double>(dim_at(operation, BackendAttribute::attention_key, 1));
  return product * (forward ? 2 : 5);
}

/// Attention as a composed graph: products with a reduction between them.
std::string title_of(const Operations& operations) {
  const auto count = [&operations](BackendKind kind) {
    return std::count_if(operations.begin(), operations.end(),
                         [kind](const BackendPart& operation) { return operation->kind == kind; });
  };
  if (operations.size() == 1) return std::string(row_of(operations.front()->kind).name);
  const auto products = count(BackendKind::matmul_operation);
  constexpr int products_forward = 2;
  constexpr int products_backward = 5;
  if (count(BackendKind::attention_forward) > 0) return "AttentionForward";
  if (count(BackendKind::attention_backward) > 0) return "AttentionBackward";
  if (products == products_forward && count(BackendKind::reduction_operation) > 0) return "AttentionForward";
  if (products == products_backward) return "AttentionBackward";
  return "graph " + list_of(operations);
}

CudnnWork graph_work(const Operations& operations, std::span<const CudnnTypeRow> types) {
  CudnnWork work;
  work.name = "cudnn " + title_of(operations);
  std::string_view type;
  for (const BackendData* stored : stored_tensors(operations)) {
    const CudnnTensor tensor = tensor_of(*stored, types);
    work.name += " " + text_of(tensor);
    work.bytes += bytes_of(tensor);
    if (type.empty()) type = tensor.type.name;
  }
  if (!type.empty()) work.name += " " + std::string(type);
  for (const BackendPart& operation : operations) work.flops += flops_of(*operation);
  return work;
}

CudnnWork convolution_work(const BackendData& operation, std::span<const CudnnTypeRow> types) {
  ConvolutionWork work;
  work.pass = pass_of(operation.kind);
  const auto tensor = [&operation, types](BackendAttribute attribute) {
    const BackendData* part = find_part(operation, attribute);
    return part == nullptr ? CudnnTensor{} : tensor_of(*part, types);
  };
  work.image = tensor(BackendAttribute::operation_image);
  work.filter = tensor(BackendAttribute::operation_filter);
  work.output = tensor(BackendAttribute::operation_output);
  if (const BackendData* convolution = find_part(operation, BackendAttribute::operation_convolution)) {
    work.padding = numbers_of(*convolution, BackendAttribute::convolution_padding);
    work.strides = numbers_of(*convolution, BackendAttribute::convolution_strides);
    work.dilations = numbers_of(*convolution, BackendAttribute::convolution_dilations);
  }
  return work_of(work);
}

/// A plan names a configuration, this an engine, and that the graph.
const BackendData* graph_of(const BackendData& plan) {
  const BackendData* configuration = find_part(plan, BackendAttribute::plan_configuration);
  if (configuration == nullptr) return nullptr;
  const BackendData* engine = find_part(*configuration, BackendAttribute::configuration_engine);
  return engine == nullptr ? nullptr : find_part(*engine, BackendAttribute::engine_graph);
}

}  // namespace

CudnnTensor tensor_of(const BackendData& tensor, std::span<const CudnnTypeRow> types) {
  CudnnTensor found{
      numbers_of(tensor, BackendAttribute::tensor_dims), numbers_of(tensor, BackendAttribute::tensor_strides), {}};
  const BackendValue* type = find_value(tensor, BackendAttribute::tensor_type);
  if (type == nullptr || type->bytes.size() < sizeof found.type.number) return found;
  std::memcpy(&found.type.number, type->bytes.data(), sizeof found.type.number);
  for (const CudnnTypeRow& row : types) {
    if (row.number == found.type.number) found.type = row;
  }
  return found;
}

CudnnWork work_of_plan(const BackendData& plan, std::span<const CudnnTypeRow> types) {
  const BackendData* graph = graph_of(plan);
  const BackendValue* value = graph == nullptr ? nullptr : find_value(*graph, BackendAttribute::graph_operations);
  if (value == nullptr) return {};
  const auto at = std::find_if(value->parts.begin(), value->parts.end(),
                               [](const BackendPart& part) { return is_convolution(part->kind); });
  if (at == value->parts.end()) return graph_work(value->parts, types);
  CudnnWork work = convolution_work(**at, types);
  Operations others = value->parts;
  others.erase(others.begin() + (at - value->parts.begin()));
  if (!others.empty()) work.name += " +" + list_of(others);
  return work;
}

}  // namespace stepgate::emulator
