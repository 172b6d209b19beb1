#!/usr/bin/env bash
# Builds what is committed twice, in two directories, and compares the jars and the published POMs byte by byte.
#
#   scripts/check-reproducible.sh [COMMIT]    COMMIT is HEAD if none is given
#
# Prints the SHA-256 of each file. Exits with 1 if a file differs, and then keeps both directories.
set -euo pipefail
CDPATH='' cd "$(dirname "$0")/.."

commit=${1:-HEAD}
folder=$(mktemp -d)
# Names of different lengths, so that a path that gets into a jar shows.
first=$folder/first
second=$folder/second-with-a-longer-name

build() {
  local target=$1
  mkdir "$target"
  git archive "$commit" | tar -x -C "$target"
  if ! (cd "$target" && mvn -B -ntp -Prelease -Dmaven.test.skip=true verify >"$target.log" 2>&1); then
    grep -E '^\[(ERROR|FATAL)\]' "$target.log" >&2 || tail -n 15 "$target.log" >&2
    printf 'check-reproducible: the build failed, see %s\n' "$target.log" >&2
    exit 2
  fi
  (cd "$target" && find . -path '*/target/*' \( -name '*.jar' -o -name .flattened-pom.xml \) -print0 |
    sort -z | xargs -0 sha256sum) >"$target.sums"
}

build "$first"
build "$second"

cat "$first.sums"
if ! diff "$first.sums" "$second.sums" >&2; then
  printf 'check-reproducible: these files differ, see %s\n' "$folder" >&2
  exit 1
fi
printf 'check-reproducible: two builds gave the same %s files\n' "$(wc -l <"$first.sums")"
rm -rf "$folder"
