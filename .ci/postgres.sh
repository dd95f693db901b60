# A PostgreSQL of its own for the tests: Debian's package, a cluster in a scratch folder on
# a free port, gone at the end. Sourced by run.

POSTGRES_URL=
postgres_folder=

# The folder of the newest server's programs (version 15 or later); nothing if there is none.
postgres_programs() {
  local folder version
  for folder in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort --version-sort --reverse); do
    version=${folder#/usr/lib/postgresql/}
    if [ "${version%%/*}" -ge 15 ] && [ -x "$folder/initdb" ] && [ -x "$folder/postgres" ]; then
      echo "$folder"
      return
    fi
  done
}

postgres_install() {
  if [ -z "$(postgres_programs)" ]; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get -q -o Acquire::Retries=3 update &&
      apt-get -q -o Acquire::Retries=3 install --yes --no-install-recommends postgresql || return 1
  fi
  "$(postgres_programs)/postgres" --version
}

# The server refuses to run as root.
as_postgres() {
  if [ "$(id -u)" -eq 0 ]; then
    (cd / && exec runuser -u postgres -- "$@")
  else
    "$@"
  fi
}

free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# postgres_start FOLDER: makes the cluster, starts it, and sets POSTGRES_URL.
postgres_start() {
  local programs port
  programs=$(postgres_programs)
  port=$(free_port) || return 1
  mkdir -p "$1" || return 1
  if [ "$(id -u)" -eq 0 ]; then chown postgres "$1" || return 1; fi
  as_postgres "$programs/initdb" --pgdata="$1/data" --username=postgres --auth=trust \
    --encoding=UTF8 --locale=C.UTF-8 --no-sync >"$1.initdb" 2>&1 ||
    { cat "$1.initdb"; return 1; }
  # What protects data from a power cut only takes time here.
  cat >>"$1/data/postgresql.conf" <<CONF || return 1
listen_addresses = '127.0.0.1'
port = $port
unix_socket_directories = '$1'
max_connections = 200
fsync = off
synchronous_commit = off
full_page_writes = off
autovacuum = off
CONF
  postgres_folder=$1
  as_postgres "$programs/pg_ctl" start --wait --silent --pgdata="$1/data" --log="$1/log" ||
    { postgres_last_words; return 1; }
  # CREATEDB: every test process makes a database of its own. Dropping one ends the
  # sessions in it, also the server's own (autovacuum), which takes pg_signal_backend.
  as_postgres "$programs/psql" --quiet --no-psqlrc --set=ON_ERROR_STOP=1 --host="$1" --port="$port" \
    --username=postgres --dbname=postgres \
    --command="CREATE ROLE conderis LOGIN CREATEDB" --command="CREATE DATABASE conderis OWNER conderis" \
    --command="GRANT pg_signal_backend TO conderis" ||
    return 1
  POSTGRES_URL="postgresql://conderis@127.0.0.1:$port/conderis"
  # What tests of the server's files look into.
  export CONDERIS_TEST_POSTGRES_LOG="$1/log"
}

# What the server said last, for the log of a failed step.
postgres_last_words() {
  if [ -f "$postgres_folder/log" ]; then
    printf -- '--- the last lines of PostgreSQL:\n'
    tail -n 20 "$postgres_folder/log"
  fi
}

postgres_stop() {
  [ -n "$postgres_folder" ] || return 0
  as_postgres "$(postgres_programs)/pg_ctl" stop --mode=immediate --silent --pgdata="$postgres_folder/data"
  postgres_folder=
}
