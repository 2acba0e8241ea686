#!/usr/bin/env bash
# Adds new files to the branch that holds the history (docs/history.md) and pushes it. The branch is created, without a parent,
# if it is missing. A file that is already there stays as it is.
#   ci/workflows/push_history.sh FOLDER REPOSITORY BRANCH
# FOLDER may come from a job that ran somebody else's code, and this job may write to the repository. So git takes regular files
# from it that have the name of a file of a history, and nothing else: no links, no workflows, and no hooks or configuration of a
# repository that lies in it. Nothing is checked out, so a link on the branch leads nowhere either.
set -euo pipefail
[ $# -eq 3 ] || { echo "push_history.sh: give FOLDER REPOSITORY BRANCH" >&2; exit 2; }
[ -d "$1" ] || { echo "push_history.sh: there is no folder '$1': did 'stepgate history add' write it?" >&2; exit 2; }
sessions=$(cd "$1" && pwd -P) repository=$2 branch=$3

part='[A-Za-z0-9_][A-Za-z0-9_.-]*'
is_of_history() { [[ $1 =~ ^($part/[0-9]{4}/[0-9]{2}/$part\.json|acknowledged/$part\.json|renames\.json)$ ]]; }

files=()
while IFS= read -r -d '' file; do
  if [ -f "$sessions/$file" ] && [ ! -L "$sessions/$file" ] && is_of_history "$file"; then files+=("$file"); continue; fi
  printf 'push_history.sh: left out, it is no file of a history: %q\n' "$file" >&2
done < <(cd "$sessions" && find . -mindepth 1 -name '.*' -prune -o ! -type d -printf '%P\0' | sort -z)

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
git init --quiet --bare --template= "$place"
here() { git --git-dir "$place" -c core.hooksPath=/dev/null -c user.name=stepgate -c user.email=stepgate@localhost "$@"; }
# Another writer may push in between. Its files have other names, so the same files go on top of what it pushed.
for _ in 1 2 3 4 5; do
  parent=()
  here read-tree --empty
  if here ls-remote --exit-code "$repository" "refs/heads/$branch" >/dev/null; then
    here fetch --quiet --depth 1 "$repository" "refs/heads/$branch"
    here read-tree FETCH_HEAD
    parent=(-p FETCH_HEAD)
  fi
  before=$(here write-tree)
  for file in "${files[@]}"; do
    [ -z "$(here ls-files -- ":(literal)$file")" ] || continue
    here update-index --add --cacheinfo "100644,$(here hash-object -w --no-filters -- "$sessions/$file"),$file"
  done
  tree=$(here write-tree)
  if [ "$tree" = "$before" ]; then echo "nothing new"; exit 0; fi
  commit=$(here commit-tree "${parent[@]}" -m "A session" "$tree")
  if here push --quiet "$repository" "$commit:refs/heads/$branch"; then exit 0; fi
done
echo "push_history.sh: $branch could not be pushed to $repository: may this job write to it?" >&2
exit 1
