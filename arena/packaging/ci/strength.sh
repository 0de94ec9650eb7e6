#!/bin/sh
# A test of strength on a build server: gets the arena, plays `arena sprt` and tells what came of it.
# Its input are the variables of arena/docs/sprt-in-ci.md. `action.yml` runs this file; `gitlab.yml` holds a copy, which
# `cargo xtask bless` writes.
set -eu

state=$PWD/.arena-ci
mkdir -p "$state/results"
echo '*' > "$state/.gitignore"
rm -f "$state/junit.xml" "$state/errors.txt"
: > "$state/summary.md"
touch "$state/began"
out=

# Tells log, summary and later steps what an exit code means, and ends with it.
conclude() {
    case $1 in
        0) verdict=passed meaning='passed, or nothing changed' ;;
        1) verdict=failed meaning='the new version failed the test' ;;
        2) verdict=error meaning='there is an error in the input, a commit, a build or a bench' ;;
        3) verdict=no-verdict meaning='no verdict: run the job again to continue the test; if a bot cannot play, fix it' ;;
        *) verdict=error meaning="the arena ended with exit code $1" ;;
    esac
    if [ ! -s "$state/summary.md" ]; then
        printf '**%s**\n\n' "$meaning" > "$state/summary.md"
        tail -n 40 "$state/errors.txt" | sed 's/^/    /' >> "$state/summary.md"
    fi
    [ -s "$state/junit.xml" ] || cat > "$state/junit.xml" << XML
<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="arena sprt" tests="1" failures="0" errors="1" skipped="0">
  <testcase classname="sprt" name="test of strength"><error message="exit code $1"/></testcase>
</testsuite>
XML
    cat "$state/summary.md"
    [ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$state/summary.md" >> "$GITHUB_STEP_SUMMARY"
    if [ -n "${GITHUB_OUTPUT:-}" ]; then
        {
            echo "verdict=$verdict"
            echo "exit-code=$1"
            echo "directory=$out"
            echo "summary=$state/summary.md"
            echo "junit=$state/junit.xml"
        } >> "$GITHUB_OUTPUT"
        [ "$1" = 0 ] || echo "::error title=arena sprt::$meaning (exit code $1)"
    fi
    echo "exit code $1: $meaning" >&2
    exit "$1"
}

# Ends because of what the user wrote: the message, then the advice.
refuse() {
    printf 'error: %s\nhint: %s\n' "$1" "$2" | tee -a "$state/errors.txt" >&2
    conclude 2
}

# Prints the digest of a file.
digest() {
    if command -v sha256sum > /dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

# The executable: one that is there, one of a release, or one that is built now and kept.
if [ -n "${ARENA_EXECUTABLE:-}" ]; then
    arena=$(command -v "$ARENA_EXECUTABLE") ||
        refuse "\`$ARENA_EXECUTABLE\` is no executable" 'the input `executable` is a path, or a command of `PATH`'
elif [ -n "${ARENA_ARCHIVE:-}" ]; then
    archive=$ARENA_ARCHIVE
    case $archive in
        *://*)
            archive=$state/archive.tar.gz
            curl --fail --location --silent --show-error --output "$archive" "$ARENA_ARCHIVE" ||
                refuse "\`$ARENA_ARCHIVE\` cannot be downloaded" 'the input `archive` is the file `arena-VERSION-TARGET.tar.gz` of a release'
            ;;
    esac
    [ -f "$archive" ] ||
        refuse "there is no file \`$archive\`" 'the input `archive` is the path or the address of `arena-VERSION-TARGET.tar.gz`'
    if [ -n "${ARENA_SHA256:-}" ] && [ "$(digest "$archive")" != "$ARENA_SHA256" ]; then
        refuse "\`$ARENA_ARCHIVE\` has the digest $(digest "$archive")" "the input \`sha256\` wants $ARENA_SHA256"
    fi
    rm -rf "$state/archive"
    mkdir "$state/archive"
    tar -xzf "$archive" -C "$state/archive" || refuse "\`$ARENA_ARCHIVE\` cannot be unpacked" 'it must be a `.tar.gz`'
    arena=$(find "$state/archive" -path '*/bin/arena' | head -n 1)
    [ -n "$arena" ] || refuse "\`$ARENA_ARCHIVE\` holds no \`bin/arena\`" 'take the archive `arena-VERSION-TARGET.tar.gz` of a release'
elif [ -n "${ARENA_SOURCE:-}" ]; then
    arena=$state/arena/bin/arena
    command -v cargo > /dev/null ||
        refuse 'the arena must be built, and there is no `cargo`' 'install Rust, or give the input `archive` or `executable`'
    if [ -d "$ARENA_SOURCE" ]; then
        sources=$(cd "$ARENA_SOURCE" && find . \( -name .git -o -name target \) -prune -o -type f -exec cksum {} + | LC_ALL=C sort | cksum)
        if [ ! -x "$arena" ] || [ "$sources" != "$(cat "$state/arena/sources" 2> /dev/null)" ]; then
            cargo install --locked --force --path "$ARENA_SOURCE" --root "$state/arena" || refuse 'the arena cannot be built' 'the log says why'
            printf '%s\n' "$sources" > "$state/arena/sources"
        fi
    else
        # It builds only if there is another commit.
        cargo install --locked --git "$ARENA_SOURCE" --root "$state/arena" arena || refuse 'the arena cannot be built' 'the log says why'
    fi
else
    arena=$(command -v arena) || refuse 'there is no `arena` in `PATH`' 'give one of the inputs `executable`, `archive` and `source`'
fi
case $arena in
    /*) ;;
    *) arena=$PWD/$arena ;;
esac
"$arena" --version >&2 || refuse "\`$arena\` does not run on this machine" 'executables of releases are for Linux; build it from the sources elsewhere'

# The two versions. What a branch changes is what it has beyond the last commit that is in the target branch too.
cd "${ARENA_DIRECTORY:-.}" || refuse "there is no directory \`$ARENA_DIRECTORY\`" 'the input `directory` is relative to where the job starts'
git rev-parse --verify --quiet 'HEAD^{commit}' > /dev/null ||
    refuse 'this is no git repository with a commit' 'check out the sources before this step'
if [ "$(git rev-parse --is-shallow-repository)" = true ]; then
    git fetch --quiet --unshallow --tags origin || refuse 'the earlier commits cannot be fetched' 'check out the sources with all commits: `fetch-depth: 0`'
fi
new=${ARENA_NEW:-git:HEAD}
base=${ARENA_BASE:-}
target=${GITHUB_BASE_REF:-${CI_MERGE_REQUEST_TARGET_BRANCH_NAME:-}}
if [ -z "$base" ] && [ -n "$target" ]; then
    git fetch --quiet --no-tags origin "+refs/heads/$target:refs/remotes/origin/$target" ||
        refuse "the branch \`$target\` cannot be fetched" 'give the input `base`, for example `git:v1.0`'
    base=git:$(git merge-base HEAD "origin/$target") ||
        refuse "this commit and \`$target\` have no commit in common" 'give the input `base`, for example `git:v1.0`'
elif [ -z "$base" ]; then
    base=git:$(git rev-parse --verify --quiet 'HEAD^') ||
        refuse 'this commit is the first: there is no earlier one' 'give the input `base`, for example `random`'
fi

# The command. Another question, or other commits, have results of their own.
set -- --new "$new" --base "$base" --preset "${ARENA_PRESET:-smoke}"
set -f
for game in ${ARENA_GAME:-}; do set -- "$@" --game "$game"; done
set +f
[ -z "${ARENA_TC:-}" ] || set -- "$@" --tc "$ARENA_TC"
if [ -n "${ARENA_RUN:-}" ]; then
    set -- "$@" --run "$ARENA_RUN" --builds "$state/builds"
    [ -z "${ARENA_BUILD:-}" ] || set -- "$@" --build "$ARENA_BUILD"
fi
[ -z "${ARENA_BENCH:-}" ] || set -- "$@" --bench "$ARENA_BENCH"
flags=${ARENA_FLAGS:-}
while [ -n "$flags" ]; do
    flag=${flags%%
*}
    [ -z "$flag" ] || set -- "$@" "$flag"
    flags=${flags#"$flag"}
    flags=${flags#
}
done
commits=$(for side in "$new" "$base"; do git rev-parse --verify --quiet "${side#git:}" || true; done)
out=$state/results/$(printf '%s\n' "$@" "$commits" | cksum | cut -d ' ' -f 1)
set -- "$@" --max-time "${ARENA_MAX_TIME:-20m}" --out "$out" --junit "$state/junit.xml" --output-format markdown

# Its messages are shown as they come, and kept for the summary.
code=$({
    {
        result=0
        "$arena" sprt "$@" > "$state/summary.md" || result=$?
        echo "$result" >&3
    } 2>&1 | tee "$state/errors.txt" >&2
} 3>&1)

# What a test that was played did not use is of commits that are over: it would only make the cache larger. After an error, an
# earlier test may go on.
case $code in
    0 | 1 | 3)
        for old in "$state"/results/*; do
            [ "$old" = "$out" ] || rm -rf "$old"
        done
        for lock in "$state"/builds/*.lock; do
            if [ -n "$(find "$state/began" -newer "$lock" 2> /dev/null)" ]; then
                rm -rf "${lock%.lock}" "${lock%.lock}.built" "${lock%.lock}.log" "$lock" || true
            fi
        done
        ;;
esac
conclude "$code"
