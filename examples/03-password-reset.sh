#!/usr/bin/env bash
# The same as 03-password-reset.ts with only curl (and node to read answers).
# Run it against your service:  FOYER_APP_KEY=pk_… examples/03-password-reset.sh
# It reads the email from the development mailbox, so SMTP_URL must not be set.
set -euo pipefail
base=${FOYER_BASE_URL:-http://localhost:3000/api/v2}
key=${FOYER_APP_KEY:?the app key, printed by the first npm start}

headers=$(mktemp)
trap 'rm -f "$headers"' EXIT

call() { # call METHOD PATH [BODY]: prints the answer, fails on an error answer
  curl --silent --show-error --fail-with-body -X "$1" "$base$2" \
    --dump-header "$headers" -H "X-App-Key: $key" -H 'Accept: application/json' \
    ${flow:+-H "X-Code-Flow: $flow"} \
    ${3:+-H 'Content-Type: application/json' -d "$3"}
}
read_json() { node -pe "JSON.parse(require('fs').readFileSync(0)).$1"; }
mailed() { # mailed ADDRESS FIELD: waits for the newest mail and prints its code or its link
  for _ in $(seq 50); do
    mails=$(curl --silent --get "${base%/api/v2}/dev/mailbox" --data-urlencode "to=$1" -H 'Accept: application/json')
    [[ $(read_json data.items.length <<<"$mails") == 0 ]] || break
    sleep 0.2
  done
  read_json "data.items[0].$2" <<<"$mails"
}

email="ada-$(date +%s)-$RANDOM@example.com"
call POST /auth/sign-up "{\"email\": \"$email\", \"password\": \"the password that gets lost\", \"first_name\": \"Ada\"}" >/dev/null

call POST /auth/password/forgot "{\"email\": \"$email\"}"
echo
# Binds the code to this client, so that others who know the email cannot invalidate it.
flow=$(awk 'tolower($1) == "x-code-flow:" { print $2 }' "$headers" | tr -d '\r')
code=$(mailed "$email" code)
call POST /auth/password/reset "{\"email\": \"$email\", \"code\": \"$code\", \"password\": \"correct horse battery staple\"}"

call POST /auth/sign-in "{\"email\": \"$email\", \"password\": \"the password that gets lost\"}" || echo ' (the old password)'
answer=$(call POST /auth/sign-in "{\"email\": \"$email\", \"password\": \"correct horse battery staple\"}")
echo "hello again $(read_json data.user.first_name <<<"$answer")"
