#include "measure/profile/experiments/optimizer_seen.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>

namespace stepgate {
namespace {

/// Two steps over three parameter tensors: calls per tensor and step in boundary optimizer.
OptimizerSeen seen_of(const std::map<std::string, std::int64_t>& per_update) {
  ObservedWork work{.steps = 2};
  for (const auto& [name, calls] : per_update) {
    work.sites.push_back({.boundary = "optimizer", .name = name});
    work.sites.back().calls = 6 * calls;
  }
  work.sites.push_back({.boundary = "forward", .name = "aten::addcdiv_"});
  work.sites.back().calls = 100;
  return optimizer_seen(work, 3);
}

TEST(OptimizerSeen, TellsOptimizersByTheirOperators) {
  EXPECT_EQ(seen_of({{"aten::mul_", 3}, {"aten::add_", 1}, {"aten::addcmul_", 1}, {"aten::addcdiv_", 1}}).kind,
            FusedUpdateKind::adamw);
  EXPECT_EQ(seen_of({{"aten::add_", 1}}).kind, FusedUpdateKind::sgd);
  const auto rmsprop = seen_of({{"aten::mul_", 1}, {"aten::addcmul_", 1}, {"aten::addcdiv_", 1}, {"aten::add_", 1}});
  EXPECT_FALSE(rmsprop.kind);
  EXPECT_EQ(rmsprop.refused, "the optimizer is neither SGD, Adam nor AdamW with one update per parameter tensor");
  EXPECT_EQ(seen_of({{"aten::_fused_adamw_", 1}}).refused, "the optimizer is fused already");
  EXPECT_FALSE(seen_of({}).kind) << "forward does not count";
}

TEST(OptimizerSeen, TellsMomentumFromClipping) {
  const OptimizerSeen with_momentum = seen_of({{"aten::mul_", 1}, {"aten::add_", 2}});
  EXPECT_EQ(with_momentum.kind, FusedUpdateKind::sgd);
  EXPECT_TRUE(with_momentum.momentum);
  EXPECT_FALSE(seen_of({{"aten::mul_", 1}, {"aten::add_", 1}}).momentum) << "clipping";
}

TEST(OptimizerSeen, RefusesSparseGradients) {
  ObservedWork work{.steps = 2};
  for (const auto& [boundary, name] : {std::pair{"optimizer", "aten::add_"}, {"backward", "aten::mm"}}) {
    work.sites.push_back({.boundary = boundary, .name = name});
    work.sites.back().calls = 6;
  }
  EXPECT_TRUE(optimizer_seen(work, 3).kind);
  work.sites.back().name = "aten::embedding_sparse_backward";
  EXPECT_FALSE(optimizer_seen(work, 3).kind);
  EXPECT_EQ(optimizer_seen(work, 3).refused, "some of its gradients are sparse");
}

TEST(OptimizerSeen, NoticesClipping) {
  EXPECT_FALSE(seen_of({{"aten::add_", 1}}).clips);
  EXPECT_TRUE(seen_of({{"aten::add_", 1}, {"aten::_foreach_norm", 1}}).clips);
}

}  // namespace
}  // namespace stepgate
