# Sourced by the commands at the root: finds Java, and builds a command's jar if it is missing or older than its sources.
# stdout is left to the command; everything said here goes to stderr. The command has set
#   name     its name, for messages
#   root     the directory of the checkout
#   jar      the jar to run
#   modules  what the jar is made of, the module that makes it last
# and finds in java what to run it with, and in flags the JVM's options for all commands.

fail() {
  printf '%s: %s\n' "$name" "$1" >&2
  exit 2
}

log=$root/target/$name-build.log
# One lock for all commands: they build some modules in common.
lock=$root/target/weir-build.lock

# --- Java -----------------------------------------------------------------------------------------------------------

if [ -n "${JAVA_HOME:-}" ]; then
  java=$JAVA_HOME/bin/java
  [ -x "$java" ] || fail "JAVA_HOME is $JAVA_HOME, and there is no java in it; Weir needs Java 17 or later"
else
  java=$(command -v java) || fail "there is no java on the PATH, and JAVA_HOME is not set; Weir needs Java 17 or later"
fi

# The file `release` beside bin/ names the version without starting a JVM; where there is none, java is asked.
java_version() {
  local release line
  release=$(dirname "$(dirname "$(readlink -f "$java")")")/release
  if [ -r "$release" ]; then
    while IFS= read -r line; do
      case $line in JAVA_VERSION=*) printf '%s\n' "${line#*=}" && return ;; esac
    done <"$release"
  fi
  "$java" -version 2>&1 | sed -n 's/.* version \("[^"]*"\).*/\1/p' | head -n 1
}

version=$(java_version)
version=${version//\"/}
major=${version#1.}
major=${major%%[!0-9]*}
[ -n "$major" ] || fail "$java does not tell its version; Weir needs Java 17 or later"
[ "$major" -ge 17 ] || fail "$java is Java $version; Weir needs Java 17 or later"

# Protobuf and JOL use sun.misc.Unsafe; Java 24 and later would write warnings of it to stderr.
flags=()
[ "$major" -lt 24 ] || flags+=(--sun-misc-unsafe-memory-access=allow)

# In the C locale, which cron, systemd and containers have, Java opens no file whose path has letters outside ASCII; nor in one
# that the system lacks, as after ssh from another machine. So it gets another one, if there is (else bash would warn), but still
# writes ASCII.
case $(locale charmap 2>/dev/null) in
  ANSI_X3.4-1968 | US-ASCII)
    { export LC_ALL=C.UTF-8; } 2>/dev/null
    flags+=(-Dstdout.encoding=US-ASCII)
    ;;
esac

# --- the build ------------------------------------------------------------------------------------------------------

sources=()
classes=()
for module in "${modules[@]}"; do
  sources+=("$root/$module/pom.xml" "$root/$module/src/main")
  classes+=("$root/$module/target/classes" "$root/$module/target/maven-status")
done

# A deleted or renamed file shows in its directory, whose time is looked at too.
is_current() {
  [ -f "$jar" ] || return 1
  local newer
  newer=$(find "$root/pom.xml" "${sources[@]}" -newer "$jar" 2>/dev/null | head -n 1)
  [ -z "$newer" ]
}

# Leaves the lock; called on every way out. With flock the kernel does it for a script that was killed, too.
unlock() {
  if [ -n "$has_flock" ]; then
    exec 9>&-
  elif [ "$(readlink "$lock.owner")" = $$ ]; then
    rm -f "$lock.owner"
  fi
}

take_lock() {
  local waited=0 owner
  if [ -n "$has_flock" ]; then
    exec 9>>"$lock" || return 1
    flock -n 9 && return
    printf '%s: another run is building, waiting for it\n' "$name" >&2
    flock -w "$patience" 9
    return
  fi
  # A symbolic link to the owner's number: made in one step, and it fails if there is one.
  until ln -s $$ "$lock.owner" 2>/dev/null; do
    owner=$(readlink "$lock.owner")
    if [ -n "$owner" ] && ! kill -0 "$owner" 2>/dev/null; then
      # Its owner is dead. One at a time clears it away, having looked again.
      if mkdir "$lock.clearing" 2>/dev/null; then
        [ "$(readlink "$lock.owner")" != "$owner" ] || rm -f "$lock.owner"
        rmdir "$lock.clearing"
        continue
      fi
    fi
    [ "$waited" -gt 0 ] || printf '%s: another run is building, waiting for it\n' "$name" >&2
    [ "$waited" -lt "$patience" ] || return 1
    sleep 1
    waited=$((waited + 1))
  done
}

maven=
# An interrupt ends Maven too, and waits until it has: nobody else may build before that.
stop() {
  trap '' INT TERM HUP
  [ -z "$maven" ] || { kill "$maven" && wait "$maven"; } 2>/dev/null
  unlock
  exit "$1"
}

build() {
  command -v mvn >/dev/null || fail "the jar is to be built, and there is no mvn on the PATH; Weir needs Maven 3.8 or later"
  printf '%s: building, this takes about half a minute (the first time longer; output in %s)\n' "$name" "$log" >&2

  # Left-overs of an interrupted build, or of a file deleted since, are not to be taken for current ones.
  rm -rf "$jar" "${classes[@]}" || return 1
  local started=$root/target/$name-build.started
  : >"$started" || return 1

  # In the background, so that a signal is heard at once; 9 is the lock, which lives as long as Maven does.
  mvn -B -ntp -f "$root/pom.xml" -P-checks -pl "$module" -am package \
    -DskipTests -Dmaven.test.skip=true -Denforcer.skip=true \
    >"$log" 2>&1 </dev/null &
  maven=$!
  wait "$maven"
  local status=$?
  maven=

  if [ "$status" -ne 0 ] || [ ! -f "$jar" ]; then
    # Some builds of Maven colour the first line all the same; the line that refers to help is the last that says something.
    { grep -Eo '\[(ERROR|FATAL)\].*' "$log" || tail -n 15 "$log"; } | sed '/ -> \[Help/{s/ -> \[Help.*//;q;}' | head -n 15 >&2
    fail "the build failed, all of its output is in $log"
  fi
  # What was edited while the build ran is newer than the jar.
  touch -r "$started" "$jar"
}

if ! is_current; then
  patience=900
  has_flock=$(command -v flock || true)
  mkdir -p "$root/target" 2>/dev/null && [ -w "$root/target" ] || fail "the jar is to be built, and $root/target cannot be written"
  take_lock || fail "another run has been building for $patience seconds; if there is none, remove $lock*"
  trap unlock EXIT
  trap 'stop 130' INT
  trap 'stop 143' TERM
  trap 'stop 129' HUP
  is_current || build || fail "the build could not be started"
  trap - EXIT INT TERM HUP
  unlock
fi
