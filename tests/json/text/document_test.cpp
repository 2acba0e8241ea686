#include "json/text/document.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

TEST(DocumentOf, StartsWithNameAndVersion) {
  EXPECT_EQ(document_of(policy_document).dump(), R"({"schema":{"name":"stepgate.policy","major":1,"minor":4}})");
}

TEST(ObjectWithRoom, IsEmpty) { EXPECT_EQ(object_with_room(3).dump(), "{}"); }

}  // namespace
}  // namespace stepgate
