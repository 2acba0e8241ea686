#include "launch/emulated/order_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class OrderFiles : public testing::Test {
 protected:
  std::filesystem::path one() const { return folder_.path() / "order.txt"; }
  std::filesystem::path other() const { return folder_.path() / "other.txt"; }
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }

 private:
  TemporaryFolder folder_;
};

TEST_F(OrderFiles, AreThoseOfAllProcessesAndNoOther) {
  for (const char* name : {"order.txt.rank1", "order.txt", "order.txt.4242", "other.txt", "order.record.json"}) {
    write(name, "");
  }
  EXPECT_THAT(order_files(one()), ElementsAre(one(), one().string() + ".4242", one().string() + ".rank1"));
  remove_order_files(one());
  EXPECT_THAT(order_files(one()), IsEmpty());
  EXPECT_THAT(order_files(other()), SizeIs(1));
  EXPECT_THAT(order_files("/nonexistent/order.txt"), IsEmpty());
}

TEST_F(OrderFiles, OfOneNameArePairedWhereverTheyAre) {
  for (const char* name : {"order.txt", "order.txt.rank2", "other.txt", "other.txt.rank0", "order.txt.12"}) {
    write(name, "");
  }
  const std::vector<OrderPair> pairs = named_pairs(one(), other());
  ASSERT_THAT(pairs, SizeIs(3));
  EXPECT_EQ(pairs[0].one, one());
  EXPECT_EQ(pairs[0].other, other());
  EXPECT_EQ(pairs[1].one, "");
  EXPECT_EQ(pairs[1].other, other().string() + ".rank0");
  EXPECT_EQ(pairs[2].one, one().string() + ".rank2");
  EXPECT_EQ(pairs[2].other, "");
}

TEST_F(OrderFiles, OfProcessesWithoutARankArePairedBySizeThenText) {
  write("order.txt.1", "long text");
  write("order.txt.2", "b");
  write("order.txt.3", "a");
  write("other.txt.7", "a");
  write("other.txt.8", "long text");
  write("other.txt.9", "b");
  const std::vector<OrderPair> pairs = numbered_pairs(one(), other());
  ASSERT_THAT(pairs, SizeIs(3));
  for (const OrderPair& pair : pairs) EXPECT_EQ(text_of(pair.one), text_of(pair.other));
  EXPECT_EQ(text_of(pairs[2].one), "long text");
}

TEST_F(OrderFiles, OfAnotherNumberOfProcessesWithoutARankAreNotPaired) {
  write("order.txt", "");
  write("order.txt.1", "");
  EXPECT_THROW(numbered_pairs(one(), other()), Error);
  write("other.txt.2", "");
  EXPECT_THAT(numbered_pairs(one(), other()), SizeIs(1));
}

}  // namespace
}  // namespace stepgate
