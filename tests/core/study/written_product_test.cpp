#include "core/study/written_product.h"

#include <gtest/gtest.h>

#include <utility>

namespace stepgate {
namespace {

using Dimensions = std::vector<std::int64_t>;

ObservedTensor dense(Dimensions sizes, std::string from = "") {
  Dimensions strides(sizes.size(), 1);
  for (std::size_t i = sizes.size(); i-- > 1;) strides[i - 1] = strides[i] * sizes[i];
  return {std::move(sizes), std::move(strides), "float32", std::move(from)};
}

struct WrittenSite {
  std::string name;
  std::vector<ObservedTensor> inputs;
  ObservedTensor output;
  std::vector<std::string> arguments = {};
};

/// Each site has a place of its own.
void add_written(ObservedWork& work, WrittenSite site) {
  OperatorSite made{.boundary = "forward", .name = std::move(site.name), .place = work.sites.size()};
  made.inputs = std::move(site.inputs);
  made.outputs = {std::move(site.output)};
  made.arguments = std::move(site.arguments);
  made.calls = made.leaf_calls = 1;
  work.sites.push_back(std::move(made));
}

/// Rows of fields times a matrix of each field: both are repeated to 8 x 4 x 3 x 5, multiplied, and summed.
ObservedWork repeated_products() {
  ObservedWork work{.steps = 1};
  add_written(work, {"aten::repeat", {dense({8, 4, 3, 1}, "aten::unsqueeze")}, dense({8, 4, 3, 5})});
  add_written(work, {"aten::repeat", {dense({1, 4, 3, 5}, "aten::unsqueeze")}, dense({8, 4, 3, 5})});
  add_written(
      work,
      {"aten::mul", {dense({8, 4, 3, 5}, "aten::repeat"), dense({8, 4, 3, 5}, "aten::repeat")}, dense({8, 4, 3, 5})});
  add_written(work, {"aten::sum", {dense({8, 4, 3, 5}, "aten::mul")}, dense({8, 4, 5}), {"[2]", "False", "None"}});
  OperatorSite gradient{.boundary = "backward", .name = "aten::mul", .place = 2, .for_forward = true};
  OperatorSite part = gradient;
  part.parent = "aten::mul";
  OperatorSite other = gradient;
  other.place = 9;
  work.sites.insert(work.sites.end(), {gradient, part, other});
  return work;
}

TEST(WrittenProduct, RepeatedOperandsAreAsSmallAsBefore) {
  const auto found = written_products(repeated_products());
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].product, 2U);
  EXPECT_EQ(found[0].sum, 3U);
  EXPECT_EQ(found[0].copies, (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(found[0].backward, (std::vector<std::size_t>{4})) << "not what it calls, nor what belongs to others";
  EXPECT_EQ(found[0].left.sizes, (Dimensions{8, 4, 3, 1}));
  EXPECT_EQ(found[0].right.sizes, (Dimensions{1, 4, 3, 5}));
  EXPECT_TRUE(found[0].left.copied);
  EXPECT_EQ(found[0].summed, (Dimensions{2}));
  EXPECT_EQ(einsum_of(found[0]), "abc,bcd->abd");
}

TEST(WrittenProduct, ViewsThatBroadcastNeedNoCopy) {
  ObservedWork work{.steps = 1};
  ObservedTensor expanded = dense({6, 7, 3}, "aten::expand");
  expanded.strides = {3, 0, 1};
  add_written(work, {"aten::mul", {expanded, dense({7, 3})}, dense({6, 7, 3})});
  add_written(work, {"aten::sum", {dense({6, 7, 3}, "aten::mul")}, dense({6, 7}), {"[-1]", "False", "None"}});
  const auto found = written_products(work);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].left.sizes, (Dimensions{6, 1, 3}));
  EXPECT_EQ(found[0].right.sizes, (Dimensions{1, 7, 3}));
  EXPECT_FALSE(found[0].left.copied || found[0].right.copied);
  EXPECT_EQ(einsum_of(found[0]), "ac,bc->ab");
}

TEST(WrittenProduct, AProductThatIsNoLargerThanAnOperandIsNone) {
  ObservedWork full = repeated_products();
  full.sites[2].inputs[0].from = "aten::linear";  // nothing repeats: as large as the product
  EXPECT_TRUE(written_products(full).empty());
  ObservedWork kept = repeated_products();
  kept.sites[3].inputs[0].from = "aten::relu";  // the product itself is not summed
  EXPECT_TRUE(written_products(kept).empty());
  ObservedWork tiled = repeated_products();
  tiled.sites[1].inputs[0].sizes = {4, 4, 3, 5};  // its rows take turns: no view has these values
  EXPECT_TRUE(written_products(tiled).empty());
}

TEST(WrittenProduct, ASumWithoutDimensionsTakesAll) {
  ObservedWork work = repeated_products();
  work.sites[3].arguments = {"None"};
  EXPECT_EQ(einsum_of(written_products(work).at(0)), "abc,bcd->");
}

}  // namespace
}  // namespace stepgate
