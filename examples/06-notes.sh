#!/usr/bin/env bash
# The same as 06-notes.ts with only curl (and node to read answers).
# Run it against your service:  FOYER_APP_KEY=pk_… FOYER_SECRET_KEY=sk_… examples/06-notes.sh
set -euo pipefail
base=${FOYER_BASE_URL:-http://localhost:3000/api/v2}
key=${FOYER_APP_KEY:?the app key, printed by the first npm start}
secret=${FOYER_SECRET_KEY:?the secret key, printed by the first npm start}
token=

call() { # call METHOD PATH [BODY [HEADER]]: prints the answer, fails on an error answer
  curl --silent --show-error --fail-with-body -X "$1" "$base$2" \
    -H "X-App-Key: $key" -H 'Accept: application/json' \
    ${token:+-H "Authorization: Bearer $token"} ${4:+-H "$4"} \
    ${3:+-H 'Content-Type: application/json' -d "$3"}
}
read_json() { node -pe "JSON.parse(require('fs').readFileSync(0)).$1"; }
sign_up() { # sign_up NAME: prints the access token of a new account
  call POST /auth/sign-up "{\"email\": \"$1-$(date +%s)-$RANDOM@example.com\", \"password\": \"correct horse battery staple\"}" |
    read_json data.access_token
}

# Once, by your backend: declares the collection, accessible only to each note's owner.
token=$secret
call POST /admin/collections '{"name": "notes", "access_mode": "owner", "indexed_fields": ["title"]}' || echo ' (there already)'
token=

call GET /data/notes || echo ' (signed out)'

token=$(sign_up ada)
note=$(call POST /data/notes '{"fields": {"title": "Groceries", "done": false, "place": {"name": "market"}, "tags": ["weekly"]}}')
id=$(read_json data.id <<<"$note")
call POST /data/notes '{"fields": {"title": "Call Charles", "done": false, "place": {"name": "home"}, "tags": ["engine"]}}' >/dev/null

# A merge preserves the fields it does not contain, at every depth.
merged=$(call PATCH "/data/notes/$id" '{"fields": {"place": {"floor": 2}}}')
echo "merged: $(read_json data.fields.place.name <<<"$merged"), floor $(read_json data.fields.place.floor <<<"$merged")"

# Replacing an outdated version is rejected.
call PUT "/data/notes/$id" '{"fields": {"title": "Groceries"}}' 'If-Match: "1"' || echo ' (the version before)'

found=$(call POST /data/notes/query '{"where": [{"field": "done", "op": "==", "value": false}], "orderBy": [{"field": "title"}]}')
echo "open: $(read_json 'data.items.map(({ fields }) => fields.title).join(", ")' <<<"$found")"

ada=$token
token=$(sign_up bob)
call GET "/data/notes/$id" || echo ' (somebody else)'
call DELETE /me
token=$ada
call DELETE /me
