#include "environment/process/secret_mask.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

TEST(SecretMask, HidesTheValuesOfSecrets) {
  const SecretMask mask(
      Variables{{"GITHUB_TOKEN", "ghs_0123456789"}, {"DB_PASSWORD", "correct horse"}, {"HOME", "/home/me/long"}});
  EXPECT_EQ(mask.masked("a ghs_0123456789 b ghs_0123456789, correct horse in /home/me/long"),
            "a [GITHUB_TOKEN] b [GITHUB_TOKEN], [DB_PASSWORD] in /home/me/long");
  EXPECT_EQ(mask.masked(""), "");
}

TEST(SecretMask, HidesTheLongerOneFirst) {
  const SecretMask mask(Variables{{"A_TOKEN", "abcdefgh"}, {"B_TOKEN", "abcdefghij"}});
  EXPECT_EQ(mask.masked("abcdefghij abcdefgh"), "[B_TOKEN] [A_TOKEN]");
}

TEST(SecretMask, HidesAUrlWithAPassword) {
  const SecretMask mask(Variables{{"HTTPS_PROXY", "http://me:pass@proxy:8080"}, {"SITE", "https://example.org/a@b"}});
  EXPECT_EQ(mask.masked("via http://me:pass@proxy:8080 to https://example.org/a@b"),
            "via [HTTPS_PROXY] to https://example.org/a@b");
}

TEST(SecretMask, HidesTheLinesOfAKey) {
  const std::string line(64, 'k');
  const SecretMask mask(Variables{{"DEPLOY_KEY", "-----BEGIN KEY-----\n" + line + "\n-----END KEY-----"}});
  EXPECT_EQ(mask.masked("got " + line), "got [DEPLOY_KEY]");
  EXPECT_EQ(mask.masked("-----BEGIN KEY-----"), "-----BEGIN KEY-----");
}

TEST(SecretMask, LeavesShortValuesAndPaths) {
  const SecretMask mask(Variables{{"A_TOKEN", "1"}, {"SSH_AUTH_SOCK", "/run/agent.sock"}});
  EXPECT_EQ(mask.masked("step 1 of /run/agent.sock"), "step 1 of /run/agent.sock");
}

TEST(SecretMask, KnowsSecretsByName) {
  for (const char* name : {"GITHUB_TOKEN", "npm_token", "AWS_SECRET_ACCESS_KEY", "OPENAI_API_KEY", "GH_PAT",
                           "SLURM_JWT", "MYSQL_PASSWORD", "SMTP_PASSWD"}) {
    EXPECT_TRUE(names_a_secret(name)) << name;
  }
  for (const char* name : {"PATH", "HOME", "SLURM_JOB_ID", "CUDA_HOME", "NCCL_DEBUG", "LD_PRELOAD", "XDG_CACHE_HOME"}) {
    EXPECT_FALSE(names_a_secret(name)) << name;
  }
}

}  // namespace
}  // namespace stepgate
