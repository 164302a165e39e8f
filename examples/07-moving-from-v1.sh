#!/usr/bin/env bash
# The same as 07-moving-from-v1.ts with only curl (and node to read one field of an answer).
# Run it against your service:  FOYER_APP_KEY=pk_… examples/07-moving-from-v1.sh
set -euo pipefail
base=${FOYER_BASE_URL:-http://localhost:3000/api/v2}
key=${FOYER_APP_KEY:?the app key, printed by the first npm start}
v1=${base%v2}v1

call() { # call METHOD URL TOKEN [BODY]: prints the answer, fails on an error answer
  curl --silent --show-error --fail-with-body -X "$1" "$2" \
    -H "X-App-Key: $key" -H 'Accept: application/json' \
    ${3:+-H "Authorization: Bearer $3"} \
    ${4:+-H 'Content-Type: application/json' -d "$4"}
}
field() { node -pe 'JSON.parse(require("fs").readFileSync(0)).data[process.argv[1]]' "$1"; }

# The v1 release: one token.
credential="\"email\": \"ada-$(date +%s)-$RANDOM@example.com\", \"password\": \"correct horse battery staple\""
call POST "$v1/register" '' "{$credential, \"first_name\": \"Ada\", \"last_name\": \"Lovelace\",
  \"password_confirmation\": \"correct horse battery staple\"}" >/dev/null
v1_token=$(call POST "$v1/login" '' "{$credential}" | field token)

# The update exchanges it once and then deletes it.
answer=$(call POST "$base/auth/token/from-v1" '' "{\"v1_token\": \"$v1_token\"}")
access_token=$(field access_token <<<"$answer")
echo "hello $(call GET "$base/me" "$access_token" | field first_name)"
echo "points: $(call GET "$base/me/loyalty" "$access_token" | field points)"
status=$(curl --silent --output /dev/null --write-out '%{http_code}' "$v1/me" \
  -H "X-App-Key: $key" -H "Authorization: Bearer $v1_token")
echo "v1 now answers the old token with $status"
call DELETE "$base/me" "$access_token"
echo 'deleted'
