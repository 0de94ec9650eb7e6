# Starts the worker of the unit as systemd would, as far as that goes without a systemd that runs the machine; has it play for a run,
# and ends it with the signal of the unit. Variables: NAME of the unit, START (its ExecStart), SET (its Environment), SIGNAL, WORK.
set -eu
cd "$WORK"
# Such a user is nobody's on this machine.
user=61999
broker= worker=
leave() {
    [ -z "$worker" ] || kill -KILL "$worker" 2> /dev/null || true
    [ -z "$broker" ] || kill "$broker" 2> /dev/null || true
    wait
    for place in lib cache; do rm -rf "/var/$place/$NAME" "/var/$place/private/$NAME"; done
}
trap leave EXIT
# StateDirectory, CacheDirectory: with DynamicUser they lie in a directory that others do not enter.
for place in lib cache; do
    [ -d "/var/$place/private" ] || install -d -m 0700 "/var/$place/private"
    install -d -m 0755 -o "$user" -g "$user" "/var/$place/private/$NAME"
    ln -sfn "private/$NAME" "/var/$place/$NAME"
done

PATH=$PATH:/usr/sbin
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
nats-server --jetstream --store_dir broker --addr 127.0.0.1 --port "$port" --log broker.log &
broker=$!
# What its user writes into the file that the package brings.
sed -i "s,^ARENA_BROKER=.*,ARENA_BROKER=nats://127.0.0.1:$port," /etc/arena/worker.env
mapfile -t variables < <(grep '^[A-Z_]*=' /etc/arena/worker.env)
read -ra more <<< "$SET"
arguments=$(sed -n 's/^ARENA_WORKER_ARGUMENTS=//p' /etc/arena/worker.env)
read -ra words <<< "${START//\$ARENA_WORKER_ARGUMENTS/$arguments}"

cat > inside.sh << 'END'
set -eu
user=$1 && shift
mount --make-rprivate /
for place in lib cache; do
    mkdir -p "held/$place"
    mount --bind "/var/$place/private/$NAME" "held/$place"
    mount -t tmpfs -o mode=0755 tmpfs "/var/$place/private"
    mkdir "/var/$place/private/$NAME"
    mount --bind "held/$place" "/var/$place/private/$NAME"
    umount "held/$place"
done
# PrivateTmp, ProtectHome.
for folder in /tmp /var/tmp; do mount -t tmpfs -o mode=1777 tmpfs "$folder"; done
for folder in /home /root /run/user; do [ ! -d "$folder" ] || mount -t tmpfs -o mode=0000 tmpfs "$folder"; done
# ProtectSystem=strict: everything but these is read-only.
mapfile -t places < <(awk '{ print $5 }' /proc/self/mountinfo)
for place in "${places[@]}"; do
    case $place in
        /dev | /dev/* | /proc | /proc/* | /sys | /sys/* | /tmp | /var/tmp | "/var/lib/private/$NAME" | "/var/cache/private/$NAME") ;;
        # Others may lie hidden below what was mounted over them.
        *) [ ! -e "$place" ] || mount -o remount,bind,ro "$place" ;;
    esac
done
cd "/var/lib/$NAME"
if touch /etc/arena/written 2> /dev/null; then echo 'the imitation of ProtectSystem has a hole' >&2 && exit 1; fi
# DynamicUser, NoNewPrivileges; the environment that systemd gives to every service.
exec setpriv --reuid="$user" --regid="$user" --clear-groups --inh-caps=-all --no-new-privs env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin \
    LANG=C.UTF-8 USER="$NAME" LOGNAME="$NAME" SHELL=/usr/sbin/nologin "$@"
END
NAME=$NAME unshare --mount bash inside.sh "$user" "${more[@]}" "${variables[@]}" "${words[@]}" > worker.txt 2>&1 &
worker=$!

cat > bot.py << 'END'
import random, sys
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "ugi": print("protocol 1\nplays *\nwant legal\nugiok")
    elif word == "game": random.seed(line)
    elif word == "isready": print("readyok")
    elif word == "legal": legal = rest
    elif word == "go": print("bestmove", random.choice(legal))
    elif word == "quit": break
    sys.stdout.flush()
END
cat > cup.yaml << 'END'
games: [farook, {game: fanorona, options: {size: 5x5}}]
bots: [{name: mine, cmd: [python3, bot.py]}, {builtin: greedy}]
rounds: 2
tc: 10+0.1
# A busy machine may be late.
margin: 5s
out: cup
END
# With the same interpreter. This machine is as fast as itself, however busy it is.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin timeout 300 /usr/bin/arena run cup.yaml --workers "nats://127.0.0.1:$port" --clocks same > run.txt 2>&1 &
run=$!
while kill -0 "$run" 2> /dev/null && kill -0 "$worker" 2> /dev/null; do sleep 1; done
if kill "$run" 2> /dev/null; then echo 'the worker ended before the run' >&2 && cat worker.txt && exit 1; fi
wait "$run" || { cat run.txt worker.txt && exit 1; }
test "$(grep -c '"worker":{"name":' cup/journal.jsonl)" = 8
grep -q 'No game was lost by a fault.' cup/report.txt
# What it keeps lies in its StateDirectory, and is its own.
test -n "$(find "/var/lib/private/$NAME/worker" -type f -user "$user" -print -quit)"
kill -s "$SIGNAL" "$worker"
code=0
wait "$worker" || code=$?
worker=
[ "$code" = 0 ] || { cat worker.txt && echo "the worker ended with $code" >&2 && exit 1; }
