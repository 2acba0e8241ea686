#include "report/page/source_link.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

const PublishedCode published = {"https://code.example/team/project", "4be1c0f0123456789012345678901234567890ab"};
const SourceFrame frame = {"Net::forward", "src/my model.cpp", 118};

TEST(SourceLink, LeadsToTheLineOfThatCommit) {
  const PageLink link = source_link(frame, published);
  EXPECT_EQ(link.text, "src/my model.cpp:118 in Net::forward");
  EXPECT_EQ(link.url,
            "https://code.example/team/project/blob/4be1c0f0123456789012345678901234567890ab/src/my%20model.cpp#L118");
}

TEST(SourceLink, WhateverIsNotPlainStaysText) {
  for (const char* address : {"", "javascript:alert(1)", "ftp://code.example/x", "https://user@code.example/x",
                              "https://code.example/x?y", "https://", "//code.example/x"}) {
    EXPECT_EQ(source_link(frame, {address, published.commit}).url, "") << address;
  }
  for (const char* commit : {"", "4be1c0f-dirty", "main", "../../x"}) {
    EXPECT_EQ(source_link(frame, {published.repository_url, commit}).url, "") << commit;
  }
  for (const char* file : {"/etc/passwd", "../secret.cpp", ""}) {
    EXPECT_EQ(source_link({"f", file, 3}, published).url, "") << file;
  }
  EXPECT_EQ(source_link({"f", "a.cpp", 0}, published).url, "");
}

}  // namespace
}  // namespace stepgate
