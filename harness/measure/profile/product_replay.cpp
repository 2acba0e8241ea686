#include "measure/profile/product_replay.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>

#include "core/study/written_product.h"
#include "measure/profile/call_time.h"
#include "measure/profile/replay_calls.h"

namespace stepgate {
namespace {

constexpr double least_written_share = 0.03;
constexpr std::size_t most_written_products = 4;
/// Each form is called at least five times.
constexpr std::int64_t slowest_written_call_ns = 1'000'000'000;

struct ProductOperands {
  torch::Tensor left;
  torch::Tensor right;
};

using ProductForm = std::function<torch::Tensor(const ProductOperands&)>;

std::int64_t forward_ns(const ObservedWork& work, const WrittenProduct& product) {
  std::int64_t ns = work.sites[product.product].self_ns + work.sites[product.sum].self_ns;
  for (const std::size_t copy : product.copies) ns += work.sites[copy].total_ns;
  return ns;
}

/// On a GPU the host's time says nothing about the device's: there the bytes that the product writes decide.
double cost_of(const ReplayRequest& request, const WrittenProduct& product) {
  if (!request.device.is_cuda()) return static_cast<double>(forward_ns(request.work, product));
  double elements = static_cast<double>(request.work.sites[product.product].calls);
  for (const std::int64_t size : product.sizes) elements *= static_cast<double>(size);
  return elements;
}

bool is_cheap(const ReplayRequest& request, const WrittenProduct& product) {
  const double least_ns = least_written_share * static_cast<double>(request.step_ns * request.work.steps);
  return !request.device.is_cuda() && static_cast<double>(forward_ns(request.work, product)) < least_ns;
}

bool is_slow(const ReplayRequest& request, const WrittenProduct& product) {
  const std::int64_t calls = std::max<std::int64_t>(1, request.work.sites[product.product].calls);
  return forward_ns(request.work, product) / calls > slowest_written_call_ns;
}

/// Costliest first.
std::vector<WrittenProduct> costly_products(const ReplayRequest& request) {
  std::vector<WrittenProduct> products = written_products(request.work);
  std::erase_if(products,
                [&](const WrittenProduct& product) { return is_cheap(request, product) || is_slow(request, product); });
  std::stable_sort(products.begin(), products.end(), [&](const WrittenProduct& a, const WrittenProduct& b) {
    return cost_of(request, a) > cost_of(request, b);
  });
  products.resize(std::min(products.size(), most_written_products));
  return products;
}

std::optional<torch::Tensor> operand_of(const WrittenFactor& factor, const ReplayRequest& request) {
  const auto dtype = matmul_dtype(factor.dtype);
  if (!dtype) return std::nullopt;
  return torch::full(factor.sizes, 0.5, torch::TensorOptions(request.device).dtype(*dtype));
}

/// As the step does it: written out by a copy, or as a view that broadcasts.
torch::Tensor at_full_size(const torch::Tensor& operand, const WrittenFactor& factor, const WrittenProduct& product) {
  if (!factor.copied) return operand;
  std::vector<std::int64_t> times(product.sizes.size(), 1);
  for (std::size_t i = 0; i < times.size(); ++i)
    times[i] = product.sizes[i] / std::max<std::int64_t>(1, factor.sizes[i]);
  return operand.repeat(times);
}

/// Without the dimensions of size 1, which the letters of einsum_of() leave out.
torch::Tensor squeezed(const torch::Tensor& operand) { return operand.squeeze(); }

/// One call of the form, with the gradients of both operands where the step computes them.
std::int64_t form_ns(const ReplayRequest& request, const ProductOperands& operands, const ProductForm& form,
                     std::int64_t budget_ns) {
  const bool trains = operands.left.requires_grad();
  const torch::Tensor gradient = trains ? torch::ones_like(form(operands).detach()) : torch::Tensor();
  return call_time_ns(
      request.backend,
      [&] {
        const torch::Tensor result = form(operands);
        if (trains) torch::autograd::grad({result}, {operands.left, operands.right}, {gradient});
      },
      budget_ns);
}

std::optional<ProductReplay> replayed(const ReplayRequest& request, const WrittenProduct& product,
                                      std::int64_t budget_ns) {
  const std::string equation = einsum_of(product);
  const auto left = operand_of(product.left, request);
  const auto right = operand_of(product.right, request);
  if (equation.empty() || !left || !right) return std::nullopt;
  const bool trains = !product.backward.empty();
  const ProductOperands operands{left->requires_grad_(trains), right->requires_grad_(trains)};
  const ProductForm written = [&](const ProductOperands& in) {
    return (at_full_size(in.left, product.left, product) * at_full_size(in.right, product.right, product))
        .sum(product.summed);
  };
  const ProductForm as_product = [&](const ProductOperands& in) {
    return at::einsum(equation, {squeezed(in.left), squeezed(in.right)});
  };
  return ProductReplay{.site = product.product,
                       .written_ns = form_ns(request, operands, written, budget_ns),
                       .product_ns = form_ns(request, operands, as_product, budget_ns)};
}

}  // namespace

std::vector<ProductReplay> replay_products(const ReplayRequest& request) {
  const torch::AutoGradMode with_gradients(true);
  const std::vector<WrittenProduct> products = costly_products(request);
  std::vector<ProductReplay> replays;
  for (const WrittenProduct& product : products) {
    try {
      if (auto replay = replayed(request, product, request.budget_ns / (2 * std::ssize(products)))) {
        replays.push_back(*replay);
      }
    } catch (const c10::Error&) {  // no memory for it, or operands that are not as they seem
    }
  }
  return replays;
}

}  // namespace stepgate
