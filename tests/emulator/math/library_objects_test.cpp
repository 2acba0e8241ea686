#include "emulator/math/library_objects.h"

#include <gtest/gtest.h>

namespace stepgate::emulator {
namespace {

enum class OneStatus { success, wrong_argument, not_initialized };
enum class OtherStatus { wrong_argument, success };
struct Opaque;

using OneLibrary = LibraryObjects<OneStatus, OneStatus::success, OneStatus::wrong_argument>;
using OtherLibrary = LibraryObjects<OtherStatus, OtherStatus::success, OtherStatus::wrong_argument>;

TEST(LibraryObjects, AreThereUntilTheyAreDestroyed) {
  Opaque* handle = nullptr;
  ASSERT_EQ(OneLibrary::make(&handle, 5), OneStatus::success);
  EXPECT_EQ(OneLibrary::change<int>(handle, [](int& state) { state += 2; }), OneStatus::success);
  EXPECT_EQ(*OneLibrary::shelf<int>().find(handle), 7);
  EXPECT_EQ(OneLibrary::destroy<int>(handle), OneStatus::success);
  EXPECT_EQ(OneLibrary::destroy<int>(handle), OneStatus::wrong_argument);
  EXPECT_EQ(OneLibrary::destroy<int>(handle, OneStatus::not_initialized), OneStatus::not_initialized);
  EXPECT_EQ(OneLibrary::change<int>(
                handle, [](int&) {}, OneStatus::not_initialized),
            OneStatus::not_initialized);
}

TEST(LibraryObjects, AHandleHasAPlace) {
  EXPECT_EQ(OneLibrary::make(static_cast<Opaque**>(nullptr), 5), OneStatus::wrong_argument);
}

TEST(LibraryObjects, OfOneLibraryAreNoneOfAnother) {
  Opaque* handle = nullptr;
  ASSERT_EQ(OneLibrary::make(&handle, 5), OneStatus::success);
  EXPECT_EQ(OtherLibrary::destroy<int>(handle), OtherStatus::wrong_argument);
  EXPECT_EQ(OneLibrary::destroy<long>(handle), OneStatus::wrong_argument) << "nor are those of one kind another's";
  EXPECT_EQ(OneLibrary::destroy<int>(handle), OneStatus::success);
}

}  // namespace
}  // namespace stepgate::emulator
