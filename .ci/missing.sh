# What a machine may lack, and whether it can be installed or started: for .ci/run, which sources it.

# The tests of pages run in Chromium or, which is faster, in its headless shell, those of a pooler in PgBouncer, those of Redis
# Cluster and Sentinel on servers of their own, and the failovers need the rest as well; without them they are skipped.
packages=(chromium curl pgbouncer redis-server patroni etcd-server haproxy postgresql)
has_program() {
  case $1 in
    chromium) command -v chromium || command -v chromium-browser || command -v google-chrome ;;
    etcd-server) command -v etcd ;;
    postgresql) compgen -G '/usr/lib/postgresql/*/bin/initdb' ;;
    *) command -v "$1" ;;
  esac >/dev/null
}
missing_packages() { for package in "${packages[@]}"; do has_program "$package" || echo "$package"; done; }

# Nothing can be installed without root, apt-get, or sources that can be reached and have the package. Fails if a package could
# have been installed and was not.
install_programs() {
  local failed=0 wanted
  wanted=$(missing_packages)
  has_program chromium-headless-shell || wanted="$wanted chromium-headless-shell"
  if [ -z "${wanted// /}" ] || [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then return 0; fi
  apt-get update >/dev/null || true
  for package in $wanted; do
    if ! apt-get install -y --no-install-recommends --download-only "$package" >/dev/null; then
      echo "$package cannot be downloaded"
    elif ! apt-get install -y --no-install-recommends "$package" >/dev/null && ! has_program "$package"; then
      echo "$package was downloaded and could not be installed"
      failed=1
    fi
  done
  return "$failed"
}

# Whether an `npm ci` failed because the registry cannot be reached or does not serve a package, as on a closed network. Any
# other failure, such as a lockfile that does not match or a wrong checksum, comes from the change.
registry_failed() {
  local unreachable='EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|EIDLETIMEOUT|ERR_SOCKET_TIMEOUT'
  grep -qE "^npm (error|ERR!) (code (E401|E403|E404|E429|E5[0-9][0-9]|ENOTCACHED|$unreachable)\$|Exit handler never called)" "$1"
}

answers() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
until_answers() { for _ in {1..100}; do if answers "$1"; then return 0; fi; sleep 0.1; done; }

# Start the servers that the tests use at their standard ports, where they are installed and do not run; they end with the run.
start_redis() {
  if answers 6379 || ! has_program redis-server; then return 0; fi
  redis-server --bind 127.0.0.1 --save '' --dir "$1" >/dev/null &
  until_answers 6379
}
start_postgresql() {
  # It refuses to run as root.
  if answers 5432 || ! has_program postgresql || [ "$(id -u)" != 0 ] || ! id postgres >/dev/null 2>&1; then return 0; fi
  local bin
  bin=$(compgen -G '/usr/lib/postgresql/*/bin' | sort -V | tail -n 1)
  install -d -o postgres "$1/postgresql"
  chmod a+x "$1"
  runuser -u postgres -- "$bin/initdb" -D "$1/postgresql" -U postgres -A trust >/dev/null
  runuser -u postgres -- "$bin/postgres" -D "$1/postgresql" -k "$1/postgresql" >"$1/postgresql.log" 2>&1 &
  until_answers 5432
}
