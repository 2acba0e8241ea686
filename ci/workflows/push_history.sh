#!/usr/bin/env bash
# Adds new files to the branch that holds the history (docs/history.md) and pushes it. The branch is created, without a parent,
# if it is missing. A file that is already there stays as it is.
#   ci/workflows/push_history.sh FOLDER REPOSITORY BRANCH
set -euo pipefail
[ $# -eq 3 ] || { echo "push_history.sh: give FOLDER REPOSITORY BRANCH" >&2; exit 2; }
[ -d "$1" ] || { echo "push_history.sh: there is no folder '$1': did 'stepgate history add' write it?" >&2; exit 2; }
sessions=$(cd "$1" && pwd) repository=$2 branch=$3
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
git init --quiet "$place"
cd "$place"
git config user.name stepgate
git config user.email stepgate@localhost
# Another writer may push in between. Its files have other names, so the same files go on top of what it pushed.
for _ in 1 2 3 4 5; do
  if git ls-remote --exit-code "$repository" "refs/heads/$branch" >/dev/null; then
    git fetch --quiet --depth 1 "$repository" "refs/heads/$branch"
    git checkout --quiet --force -B "$branch" FETCH_HEAD
  else
    git checkout --quiet --force --orphan "$branch"
  fi
  cp -Rn "$sessions/." .
  git add --all
  if git diff --cached --quiet; then echo "nothing new"; exit 0; fi
  git commit --quiet --message "A session"
  if git push --quiet "$repository" "HEAD:refs/heads/$branch"; then exit 0; fi
done
echo "push_history.sh: $branch could not be pushed to $repository: may this job write to it?" >&2
exit 1
