#!/usr/bin/env bash
# Makes docs/images/replay-report.png: the report of the example log, as a browser shows it.
#
#   scripts/report-screenshot.sh [FILE]    FILE is docs/images/replay-report.png if none is given
#
# Needs Chromium and Python; CHROMIUM names the program if it is not chromium, chromium-browser or google-chrome.
set -euo pipefail
root=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
image=${1:-$root/docs/images/replay-report.png}

fail() {
  printf 'report-screenshot: %s\n' "$1" >&2
  exit 2
}

browser=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
[ -n "$browser" ] || fail "there is no Chromium on the PATH; install it, or name it in CHROMIUM"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(cd "$root" && ./weir replay --limit 60/1m --limit "fixed-window 60/1m" --limit "token-bucket 60/1m" \
  --report "$folder/report.html" examples/access.log >/dev/null) || fail "the report could not be made"

# The sandbox needs rights that root in a container does not have; the page is our own file.
sandbox=()
[ "$(id -u)" -ne 0 ] || sandbox=(--no-sandbox)
"$browser" --headless=new "${sandbox[@]}" --disable-gpu --hide-scrollbars --disable-lcd-text --force-device-scale-factor=1 \
  --user-data-dir="$folder/profile" --window-size=1000,1360 --screenshot="$folder/report.png" \
  "file://$folder/report.html" >"$folder/log" 2>&1 || fail "the browser failed: $(tail -n 1 "$folder/log")"
[ -s "$folder/report.png" ] || fail "the browser made no picture: $(tail -n 1 "$folder/log")"
python3 "$root/scripts/shrink_png.py" "$folder/report.png" || fail "the picture could not be made smaller"
mv "$folder/report.png" "$image"
printf 'report-screenshot: wrote %s, %s bytes\n' "$image" "$(wc -c <"$image")" >&2
