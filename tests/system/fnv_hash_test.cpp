#include "system/fnv_hash.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

template <typename Hash>
std::string hash_of(std::string_view text) {
  Hash hash;
  hash.add(text);
  return hex_text(hash);
}

TEST(FnvHash, GivesThePublishedValues) {
  // Test vectors of RFC 9923.
  EXPECT_EQ(hash_of<FnvHash>(""), "cbf29ce484222325");
  EXPECT_EQ(hash_of<FnvHash>("foobar"), "85944171f73967e8");
  EXPECT_EQ(hash_of<ShortFnvHash>(""), "811c9dc5");
  EXPECT_EQ(hash_of<ShortFnvHash>("foobar"), "bf9cf968");
}

TEST(FnvHash, DependsOnTheOrderOfWords) {
  FnvHash first;
  first.add_word(1);
  first.add_word(2);
  FnvHash second;
  second.add_word(2);
  second.add_word(1);
  EXPECT_NE(first.value(), second.value());
}

TEST(FnvHash, CarriesHighBitsDown) {
  FnvHash plain;
  plain.add_word(0);
  FnvHash high;
  high.add_word(1ULL << 63);
  EXPECT_NE(plain.value() & 0xffffffffU, high.value() & 0xffffffffU);
}

}  // namespace
}  // namespace stepgate
