#!/usr/bin/env bash
# The same as 02-magic-link.ts with only curl (and node to read answers and the link).
# Run it against your service:  FOYER_APP_KEY=pk_… examples/02-magic-link.sh
# It reads the email from the development mailbox, so SMTP_URL must not be set, and requires the app's deep link.
set -euo pipefail
base=${FOYER_BASE_URL:-http://localhost:3000/api/v2}
key=${FOYER_APP_KEY:?the app key, printed by the first npm start}

headers=$(mktemp)
trap 'rm -f "$headers"' EXIT

call() { # call METHOD PATH [BODY]: prints the answer, fails on an error answer
  curl --silent --show-error --fail-with-body -X "$1" "$base$2" \
    --dump-header "$headers" -H "X-App-Key: $key" -H 'Accept: application/json' \
    ${flow:+-H "X-Code-Flow: $flow"} \
    ${access_token:+-H "Authorization: Bearer $access_token"} \
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

email="ada-$(date +%s)-$RANDOM+link@example.com"
call POST /auth/email-code/send "{\"email\": \"$email\"}"
echo
# Binds the code to this client, so that others who know the email cannot invalidate it.
flow=$(awk 'tolower($1) == "x-code-flow:" { print $2 }' "$headers" | tr -d '\r')

link=$(mailed "$email" link)
[[ $link != null ]] || { echo 'The email contains no link: the app has no deep link, see 02-magic-link.ts.' >&2; exit 1; }
echo "the mail's link: $link"
# The app sends the link's parameters, with the names for a new account.
proof=$(node -pe '
  const { mode, ...proof } = Object.fromEntries(new URL(process.argv[1]).searchParams);
  JSON.stringify({ ...proof, first_name: "Ada" })' "$link")
answer=$(call POST /auth/email-code/verify "$proof")
access_token=$(read_json data.access_token <<<"$answer")

echo "hello $(call GET /me | read_json data.first_name), verified: $(call GET /me | read_json data.email_verified)"
call POST /auth/sign-out
