#!/usr/bin/env bash
# The same as 01-quick-start.ts with only curl (and node to read one field of an answer).
# Run it against your service:  FOYER_APP_KEY=pk_… examples/01-quick-start.sh
set -euo pipefail
base=${FOYER_BASE_URL:-http://localhost:3000/api/v2}
key=${FOYER_APP_KEY:?the app key, printed by the first npm start}

call() { # call METHOD PATH [BODY]: prints the answer, fails on an error answer
  curl --silent --show-error --fail-with-body -X "$1" "$base$2" \
    -H "X-App-Key: $key" -H 'Accept: application/json' \
    ${access_token:+-H "Authorization: Bearer $access_token"} \
    ${3:+-H 'Content-Type: application/json' -d "$3"}
}
field() { node -pe 'JSON.parse(require("fs").readFileSync(0)).data[process.argv[1]]' "$1"; }

email="ada-$(date +%s)-$RANDOM@example.com"
answer=$(call POST /auth/sign-up "{\"email\": \"$email\", \"password\": \"correct horse battery staple\", \"first_name\": \"Ada\"}")
access_token=$(field access_token <<<"$answer")
refresh_token=$(field refresh_token <<<"$answer")

echo "hello $(call GET /me | field first_name)"
call PATCH /me '{"last_name": "Lovelace"}' >/dev/null
echo "now called $(call GET /me | field last_name)"

# A refresh token is valid once; each response contains the next one.
answer=$(call POST /auth/token/refresh "{\"refresh_token\": \"$refresh_token\"}")
access_token=$(field access_token <<<"$answer")

call GET /me/sessions
echo
call POST /auth/sign-out
echo 'signed out'
