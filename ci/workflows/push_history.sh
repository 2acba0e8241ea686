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
blobs=()
for file in "${files[@]}"; do blobs+=("$(here hash-object -w --no-filters -- "$sessions/$file")"); done

# Sets $head to the commit that the branch is at, "" where the repository answers and has no such branch.
look_at_branch() {
  local refs
  refs=$(here ls-remote "$repository" "refs/heads/$branch" 2>"$place/said") || return 1
  head=$(awk -v name="refs/heads/$branch" '$2 == name { print $1 }' <<<"$refs")
}

# Milliseconds since an unknown start.
now_ms() { local time=${EPOCHREALTIME//[^0-9]/}; echo "${time%???}"; }

# Another writer may push in between. Its files have other names, so the same files go on top of what it pushed. As long as the branch
# moves, somebody gets on, so only tries in a row that find it unmoved count. Own choice: 8 of them last about 25 s, longer than a
# short outage; all tries together end before the five minutes of the job.
most_tries=${STEPGATE_PUSH_TRIES:-8} most_seconds=240
head=unknown tries=0 failures=0
while :; do
  began=$(now_ms) last=$head problem="could not be read"
  if look_at_branch && { [ -z "$head" ] || here fetch --quiet --depth 1 "$repository" "refs/heads/$branch" 2>"$place/said"; }; then
    parent=()
    here read-tree --empty
    if [ -n "$head" ]; then
      head=$(here rev-parse FETCH_HEAD)
      here read-tree "$head"
      parent=(-p "$head")
    fi
    before=$(here write-tree)
    for number in "${!files[@]}"; do
      [ -z "$(here ls-files -- ":(literal)${files[number]}")" ] || continue
      here update-index --add --cacheinfo "100644,${blobs[number]},${files[number]}"
    done
    tree=$(here write-tree)
    if [ "$tree" = "$before" ]; then echo "nothing new"; exit 0; fi
    commit=$(here commit-tree "${parent[@]}" -m "A session" "$tree")
    if here push --quiet "$repository" "$commit:refs/heads/$branch" 2>"$place/said"; then exit 0; fi
    problem="could not be pushed to: may this job write to it?"
  fi
  if [ "$head" = "$last" ]; then tries=$((tries + 1)); else tries=1; fi
  failures=$((failures + 1))
  if [ "$tries" -ge "$most_tries" ] || [ "$SECONDS" -ge "$most_seconds" ]; then break; fi
  # By chance within a span that grows, so that writers that met do not meet again. A try that nobody else explains waits for longer.
  span=$(($(now_ms) - began))
  if [ "$tries" -gt 1 ] || [ "$head" = unknown ]; then span=$((span + 1000)); fi
  pause=$(((span << (failures < 3 ? failures - 1 : 2)) * RANDOM / 32768))
  sleep "$((pause / 1000)).$(printf %03d $((pause % 1000)))"
done
# A token in the address stays out of the log.
without_token() { sed -E 's#//[^/@]*@#//#g'; }
{
  cat "$place/said"
  echo "push_history.sh: the branch $branch of $repository $problem ($failures tries)"
} | without_token >&2
exit 1
