#include "emulator/math/solver_workspaces.h"

#include <gtest/gtest.h>

namespace stepgate::emulator {
namespace {

TEST(SolverWorkspaces, FactorisationsInPlaceNeedNone) {
  EXPECT_EQ(workspace_elements(SolverRoutine::potrf, {8, 8}), 0);
  EXPECT_EQ(workspace_elements(SolverRoutine::getrf, {8, 4}), 0);
}

TEST(SolverWorkspaces, OrthogonalFactorsNeedAColumnOrARow) {
  EXPECT_EQ(workspace_elements(SolverRoutine::geqrf, {8, 4}), 4);
  EXPECT_EQ(workspace_elements(SolverRoutine::orgqr, {8, 4}), 4);
  EXPECT_EQ(workspace_elements(SolverRoutine::ormqr, {8, 4, true}), 4);
  EXPECT_EQ(workspace_elements(SolverRoutine::ormqr, {8, 4, false}), 8);
}

TEST(SolverWorkspaces, EmptyMatricesNeedOneElement) {
  EXPECT_EQ(workspace_elements(SolverRoutine::geqrf, {0, 0}), 1);
  EXPECT_EQ(workspace_elements(SolverRoutine::ormqr, {0, 0, false}), 1);
}

TEST(SolverWorkspaces, SingularValuesNeedBothSides) {
  EXPECT_EQ(workspace_elements(SolverRoutine::gesvj, {8, 4}), 12);
  EXPECT_EQ(workspace_elements(SolverRoutine::gesvj, {1, 1}), 6);
}

TEST(SolverWorkspaces, EigenvectorsNeedASquare) {
  EXPECT_EQ(eigen_workspace_bytes(10, false, MathType::f32), 4 * 21);
  EXPECT_EQ(eigen_workspace_bytes(10, true, MathType::f64), 8 * 261);
  EXPECT_EQ(eigen_workspace_bytes(10, false, MathType::c64), 8 * 11 + 4 * 10);
  EXPECT_EQ(eigen_workspace_bytes(10, true, MathType::c128), 16 * 120 + 8 * 251);
}

TEST(SolverWorkspaces, NegativeSizesHaveNone) {
  EXPECT_EQ(workspace_elements(SolverRoutine::potrf, {-1, -1}), -1);
  EXPECT_EQ(workspace_elements(SolverRoutine::geqrf, {8, -1}), -1);
  EXPECT_EQ(eigen_workspace_bytes(-5, true, MathType::f32), -1) << "2 n n is larger than 6 n";
  EXPECT_EQ(workspace_of_batch(-1, -2), -1);
  EXPECT_EQ(workspace_of_batch(6, -2), -1);
  EXPECT_EQ(workspace_of_batch(6, 2), 12);
}

}  // namespace
}  // namespace stepgate::emulator
