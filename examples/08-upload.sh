#!/usr/bin/env bash
# The same as 08-upload.ts with only curl (and node to read answers).
# Run it against your service:  FOYER_APP_KEY=pk_… examples/08-upload.sh
set -euo pipefail
base=${FOYER_BASE_URL:-http://localhost:3000/api/v2}
key=${FOYER_APP_KEY:?the app key, printed by the first npm start}

call() { # call METHOD PATH [CURL OPTION…]: prints the answer, fails on an error answer
  curl --silent --show-error --fail-with-body -X "$1" "$base$2" -H "X-App-Key: $key" -H 'Accept: application/json' \
    ${token:+-H "Authorization: Bearer $token"} "${@:3}"
}
read_json() { node -pe "JSON.parse(require('fs').readFileSync(0)).$1"; }
status() { curl --silent --output /dev/null --write-out '%{http_code} %{content_type}' "$1"; }

email="ada-$(date +%s)-$RANDOM@example.com"
answer=$(call POST /auth/sign-up -H 'Content-Type: application/json' \
  -d "{\"email\": \"$email\", \"password\": \"correct horse battery staple\"}")
token=$(read_json data.access_token <<<"$answer")

picture=$(mktemp)
trap 'rm -f "$picture"' EXIT
printf 'GIF89a\1\0\1\0\200\0\0\0\0\0\377\377\377,\0\0\0\0\1\0\1\0\0\2\2D\1\0;' >"$picture"

# -F sends a form and -# shows a progress bar; the service detects the type from the content.
answer=$(call POST /files -# -F "file=@$picture;filename=holiday.gif" -F visibility=private)
id=$(read_json data.id <<<"$answer")
echo "uploaded $(read_json data.name <<<"$answer") $(read_json data.content_type <<<"$answer") $(read_json data.size <<<"$answer") bytes"

url=$(call GET "/files/$id/url?expires_in=60" | read_json data.url)
echo "the address answers $(status "$url")"
call DELETE "/files/$id"
echo "and once the file is deleted $(status "$url")"
call POST /auth/sign-out
