#!/usr/bin/env bash
# The whole refresh procedure with curl (and node to read answers): a session in a file, one refresh at a time, and the
# same token again after a lost answer. Run it:  FOYER_APP_KEY=pk_… examples/12-refresh.sh
set -euo pipefail
base=${FOYER_BASE_URL:-http://localhost:3000/api/v2}
key=${FOYER_APP_KEY:?the app key, printed by the first npm start}
session=$(mktemp) # In an app: private storage that survives restarts.
trap 'rm -f "$session" "$session.lock"' EXIT

field() { node -pe "const {data, error} = JSON.parse(require('fs').readFileSync(0)); (data ?? error ?? {})['$1'] ?? ''"; }
post() { # post PATH BODY: prints the answer; 0 for a success, 22 for an error answer, another status without an answer
  curl --silent --fail-with-body --max-time 10 "$base$1" -H "X-App-Key: $key" -H 'Content-Type: application/json' -d "$2"
}

# A token is replaced before the next call can use the old one: written beside it, then renamed.
store() { printf '%s\n' "$1" >"$session.new" && mv "$session.new" "$session"; }

# One refresh at a time, for all processes that share the session; who waited finds the new token.
refresh() { # refresh USED_TOKEN
  exec 9>"$session.lock" && flock 9
  if [ "$(field access_token <"$session")" = "$1" ]; then renew; fi
  exec 9>&-
}
renew() {
  local token answer code
  token=$(field refresh_token <"$session")
  # A lost answer, 429 and 5xx: the same refresh token again. The service repeats its answer for a while.
  for pause in 0 1 2 4 8; do
    sleep "$pause"
    if answer=$(post /auth/token/refresh "{\"refresh_token\": \"$token\"}"); then store "$answer" && return; fi
    code=$(field code <<<"${answer:-{\}}" 2>/dev/null || true)
    case $code in '' | request/rate-limited | request/unavailable | request/internal-error) ;; *) break ;; esac
  done
  case ${code:-} in
    auth/*) : >"$session" && echo "signed out: $code" && return 1 ;; # The session has ended: only a new sign-in helps.
    *) echo "try again later: ${code:-no answer}" && return 2 ;;     # The session is kept.
  esac
}

call() { # call PATH: with a valid access token; an expired one is renewed once
  local token answer
  token=$(field access_token <"$session")
  answer=$(get "$1" "$token") || {
    [ "$(field code <<<"$answer")" = auth/token-expired ] || { echo "$answer" && return 1; }
    refresh "$token" && answer=$(get "$1" "$(field access_token <"$session")")
  }
  echo "$answer"
}
get() { curl --silent --fail-with-body "$base$1" -H "X-App-Key: $key" -H "Authorization: Bearer $2"; }

email="ada-$(date +%s)-$RANDOM@example.com"
store "$(post /auth/sign-up "{\"email\": \"$email\", \"password\": \"correct horse battery staple\"}")"
used=$(field access_token <"$session")
before=$(field refresh_token <"$session")
refresh "$used" && refresh "$used" # The second finds that somebody was faster.
echo "refreshed: $([ "$(field refresh_token <"$session")" != "$before" ] && echo true || echo false)"
call /me | field email
