#!/usr/bin/env bash
# The same as 05-points-and-config.ts with only curl (and node to read answers).
# Run it against your service:  FOYER_APP_KEY=pk_… FOYER_SECRET_KEY=sk_… examples/05-points-and-config.sh
set -euo pipefail
base=${FOYER_BASE_URL:-http://localhost:3000/api/v2}
key=${FOYER_APP_KEY:?the app key, printed by the first npm start}
secret=${FOYER_SECRET_KEY:?the secret key, printed by the first npm start}

call() { # call METHOD PATH TOKEN [BODY] [CURL OPTION…]: prints the answer, fails on an error answer
  local method=$1 path=$2 token=$3 body=${4:-}
  shift $(($# < 4 ? $# : 4))
  curl --silent --show-error --fail-with-body -X "$method" "$base$path" \
    -H "X-App-Key: $key" -H 'Accept: application/json' -H "Authorization: Bearer $token" \
    ${body:+-H 'Content-Type: application/json' -d "$body"} "$@"
}
read_json() { node -pe "const {data} = JSON.parse(require('fs').readFileSync(0)); $1"; }
config() { # config [ETAG]: prints the status and the ETag of the values
  curl --silent --output /dev/null --write-out '%{http_code} %header{etag}' "$base/config" \
    -H "X-App-Key: $key" ${1:+-H "If-None-Match: $1"}
}

call PATCH /admin/settings "$secret" \
  '{"tiers": [{"tier": "member", "min_points": 0}, {"tier": "silver", "min_points": 100}]}' >/dev/null

email="ada-$(date +%s)-$RANDOM@example.com"
user=$(curl --silent --show-error --fail-with-body "$base/auth/sign-up" -H "X-App-Key: $key" \
  -H 'Content-Type: application/json' -d "{\"email\": \"$email\", \"password\": \"correct horse battery staple\"}")
token=$(read_json data.access_token <<<"$user")
entries=/admin/users/$(read_json data.user.uid <<<"$user")/loyalty/entries

# The reference makes the call idempotent: the entry is added once.
for _ in 1 2; do
  call POST "$entries" "$secret" '{"points": 200, "description": "Welcome", "reference": "welcome"}' >/dev/null
done
call POST "$entries" "$secret" '{"points": -50, "description": "Coffee voucher", "reference": "voucher-1"}' >/dev/null

call GET /me/loyalty "$token" |
  read_json '`${data.points} points, ${data.tier}, next: ${JSON.stringify(data.next_tier)}`'
call GET /me/loyalty/history "$token" | read_json 'data.items.map((e) => `${e.points} ${e.description}`).join("\n")'

# The values with their ETag; then a change by the team, with If-Match.
read -r _ etag <<<"$(config)"
parameters=$(call GET /admin/config "$secret" |
  read_json 'JSON.stringify({parameters: {...data.parameters, banner: {type: "string", value: "Points count double today"}}})')
call PUT /admin/config "$secret" "$parameters" -H "If-Match: $etag" >/dev/null

read -r status etag <<<"$(config "$etag")"
echo "a change makes it $status"
read -r status etag <<<"$(config "$etag")"
echo "back to a cheap $status"
call DELETE /me "$token" >/dev/null
