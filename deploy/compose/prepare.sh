#!/bin/sh
# Writes .env, settings.env and secrets/ for compose.yaml: ./prepare.sh ride.example.com
# It does not change existing files.
set -eu
cd "$(dirname "$0")"
[ $# -eq 1 ] || { echo "Name the domain: ./prepare.sh ride.example.com" >&2; exit 2; }

umask 077
mkdir -p secrets
random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
keep() { [ -e "$1" ] || printf '%s' "$2" >"$1"; }

keep secrets/database-password "$(random)"
keep secrets/database-url "postgres://sameway:$(cat secrets/database-password)@database:5432/sameway"
keep secrets/database-calls-url "postgres://sameway_calls:$(random)@database:5432/sameway"
keep secrets/backup-key "$(random)"
keep secrets/metrics-token "$(random)"
# The container's user reads them; other users of this machine cannot enter the folder.
chmod 700 secrets
chmod 644 secrets/*
keep .env "DOMAIN=$1
"
# From now on the first role owns the tables, and the app uses the second, which the server creates.
grep -q '^DATABASE_URL_SECRET=' .env || echo DATABASE_URL_SECRET=database-calls-url >>.env
keep settings.env "$(cat settings.example.env)
"
echo "Ready for: docker compose up -d --build"
echo "Keep a copy of secrets/backup-key somewhere else: without it no backup can be read."
