#!/usr/bin/env bash
# A third party's system with a secret key and only curl (and node to read responses): creates a user, finds it, and sets
# its claims. Run it against your service:  FOYER_APP_KEY=pk_… FOYER_SECRET_KEY=sk_… examples/10-third-party.sh
set -euo pipefail
base=${FOYER_BASE_URL:-http://localhost:3000/api/v2}
key=${FOYER_APP_KEY:?the app key, printed by the first npm start}
secret=${FOYER_SECRET_KEY:?the secret key, printed by the first npm start}

admin() { # admin METHOD PATH [BODY] [CURL OPTION…]: prints the answer, fails on an error answer
  local method=$1 path=$2 body=${3:-}
  shift $(($# < 3 ? $# : 3))
  curl --silent --show-error --fail-with-body -X "$method" "$base$path" \
    -H "X-App-Key: $key" -H "Authorization: Bearer $secret" -H 'Accept: application/json' \
    ${body:+-H 'Content-Type: application/json' -d "$body"} "$@"
}
read_json() { node -pe "const {data, error} = JSON.parse(require('fs').readFileSync(0)); $1"; }

# With an Idempotency-Key the call can be retried after a lost response: the user is created once.
email="ada-$(date +%s)-$RANDOM@example.com"
once="customer-$email"
user="{\"email\": \"$email\", \"password\": \"correct horse battery staple\", \"first_name\": \"Ada\"}"
first=$(admin POST /admin/users "$user" -H "Idempotency-Key: $once")
second=$(admin POST /admin/users "$user" -H "Idempotency-Key: $once")
uid=$(read_json data.uid <<<"$first")
echo "made $uid"
echo "the same answer again: $([[ $first == "$second" ]] && echo true || echo false)"

# The cursor of a page fetches the next one.
page=$(admin GET "/admin/users?limit=2&q=${email%@*}")
echo "found $(read_json 'data.items.length' <<<"$page"): $(read_json 'data.items[0].email' <<<"$page")"

admin PUT "/admin/users/$uid/claims" '{"claims": {"role": "editor"}}' | read_json '"claims: " + JSON.stringify(data.claims)'

# The user's next token contains them; the service verifies it, as can anyone with the public keys.
token=$(curl --silent --show-error --fail-with-body "$base/auth/sign-in" -H "X-App-Key: $key" \
  -H 'Content-Type: application/json' -d "{\"email\": \"$email\", \"password\": \"correct horse battery staple\"}" |
  read_json data.access_token)
admin POST /admin/tokens/verify "{\"access_token\": \"$token\"}" | read_json '"in the token: " + JSON.stringify(data.claims)'

# Secret keys are rejected in requests with an Origin header, which browsers send.
refused=$(admin GET "/admin/users/$uid" '' -H 'Origin: https://app.example.com' 2>/dev/null || true)
echo "refused: $(read_json error.code <<<"$refused")"
admin DELETE "/admin/users/$uid"
