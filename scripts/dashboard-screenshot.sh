#!/usr/bin/env bash
# Makes docs/images/dashboard.png and docs/images/dashboard-key.png: a server with five minutes of traffic, as a browser shows it.
#
#   scripts/dashboard-screenshot.sh [DIRECTORY]    DIRECTORY is docs/images if none is given
#
# Takes six minutes. Needs Chromium and its driver as Debian has them (chromium, chromium-driver), Maven and Python.
set -euo pipefail
root=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
images=${1:-$root/docs/images}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The name of the server on the page, as that of a container.
HOSTNAME=edge-1 mvn -B -ntp -q -f "$root/pom.xml" -pl weir-browser -am test -Dtest=DashboardPicture -Dsurefire.failIfNoSpecifiedTests=false \
  -Dweir.pictures="$folder"
for name in dashboard dashboard-key; do
  python3 "$root/scripts/shrink_png.py" "$folder/$name.png"
  mv "$folder/$name.png" "$images/$name.png"
  printf 'dashboard-screenshot: wrote %s, %s bytes\n' "$images/$name.png" "$(wc -c <"$images/$name.png")" >&2
done
