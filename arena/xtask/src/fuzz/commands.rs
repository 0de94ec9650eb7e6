//! Fuzzing of the executable from outside: tournament files, entries, requests of browsers and orders of players at a board.
//! It finds a process that aborts, hangs, panics or writes what a terminal obeys, in whatever code.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::shell::{ChoreError, executable};

/// How long one command may take, on a busy machine.
const LONGEST: Duration = Duration::from_secs(20);

/// How long a server may take to answer, and how many bytes of an answer are read.
const ANSWER: (Duration, u64) = (Duration::from_secs(10), 1 << 20);

/// The longest input.
const MOST_BYTES: usize = 60_000;

/// What is put into inputs, beside what stands in them already.
const PIECES: [&str; 24] = [
    "? ",
    "- ",
    "[",
    "{a: ",
    "]",
    "}",
    "&a ",
    "*a",
    "!!str ",
    "'",
    "\"",
    "|\n",
    ": ",
    "\n",
    "\t",
    "\u{1b}]0;x\u{7}",
    "\0",
    "\u{202e}",
    "9999999999",
    "..",
    "%00",
    "\r\n",
    "é",
    "--- ",
];

/// Requests, orders to a run and orders to a table among them. `TOKEN` stands for the token of the server.
const REQUESTS: [&str; 9] = [
    "GET / HTTP/1.1\r\nhost: HOST\r\n\r\n",
    "GET /runs/cup/ HTTP/1.1\r\nhost: HOST\r\nconnection: close\r\n\r\n",
    "GET /runs/cup/files/journal.jsonl HTTP/1.1\r\nhost: HOST\r\nrange: bytes=0-10\r\n\r\n",
    "GET 127.0.0.1:80 HTTP/1.1\r\nhost: HOST\r\n\r\n",
    "CONNECT a:1 HTTP/1.1\r\nhost: HOST\r\n\r\n",
    "POST /runs/cup/order HTTP/1.1\r\nhost: HOST\r\nauthorization: Bearer TOKEN\r\ncontent-type: application/json\r\ncontent-length: 18\r\n\r\n{\"order\": \"pause\"}",
    "POST /by-hand HTTP/1.1\r\nhost: HOST\r\nauthorization: Bearer TOKEN\r\ncontent-type: application/json\r\ncontent-length: 62\r\n\r\n{\"game\": \"farook\", \"options\": {}, \"seats\": [\"person\", \"greedy\"]}",
    "POST /by-hand/0123456789abcdef0123456789abcdef HTTP/1.1\r\nhost: HOST\r\nauthorization: Bearer TOKEN\r\ncontent-type: application/json\r\ncontent-length: 30\r\n\r\n{\"order\": \"play\", \"ply\": \"a1\"}",
    "GET /by-hand/ HTTP/1.1\r\nhost: HOST\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
];

/// Fuzzes for this time.
pub(super) fn check(target: &str, root: &Path, time: Duration) -> Result<(), ChoreError> {
    let arena = executable("arena")?;
    let kept = root.join("arena/fuzz/artifacts").join(target);
    let place = kept.join("place");
    fs::create_dir_all(&place)?;
    let mut chance = Chance(1);
    let until = Instant::now() + time;
    let count = match target {
        "files" => files(&arena, root, &place, until, &mut chance)?,
        _ => requests(&arena, &place, until, &mut chance)?,
    };
    fs::remove_dir_all(&kept)?;
    println!("{target}: {count} inputs, and nothing was found");
    Ok(())
}

/// Has changed tournament files and entries read.
fn files(
    arena: &Path,
    root: &Path,
    place: &Path,
    until: Instant,
    chance: &mut Chance,
) -> Result<u64, ChoreError> {
    let seeds = seeds(&root.join("tests/config_errors"))?;
    fs::create_dir_all(place.join("entries/one"))?;
    fs::write(
        place.join("cup.yaml"),
        "games: [farook]\nbots: [{from: 'entries/*/bot.yaml'}, {builtin: random}]\n",
    )?;
    let mut count = 0;
    while Instant::now() < until {
        let seed = &seeds[chance.below(seeds.len())];
        let text = chance.changed(seed);
        for (name, command) in [("fuzz.yaml", "fuzz.yaml"), ("entries/one/bot.yaml", "cup.yaml")] {
            fs::write(place.join(name), &text)?;
            let mut plan = Command::new(arena);
            plan.args(["plan", command]).current_dir(place).stdin(Stdio::null());
            let child = plan.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
            let (code, told) = end_of(child)?;
            let is_bad =
                |letter: char| letter.is_control() && !"\n\t".contains(letter) || letter == '\u{202e}';
            if !matches!(code, Some(0 | 2)) || told.contains(is_bad) {
                let path = place.join(name).display().to_string();
                return Err(ChoreError(format!("`{path}`: `arena plan` ended with {code:?}: {told:.2000}")));
            }
            count += 1;
        }
    }
    Ok(count)
}

/// Returns the files that the tests of messages hold.
fn seeds(folder: &Path) -> Result<Vec<Vec<u8>>, ChoreError> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let mut paths = fs::read_dir(folder)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<Vec<_>, _>>()?;
        paths.sort();
        for path in paths {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "yaml") {
                found.push(fs::read(path)?);
            }
        }
    }
    Ok(found)
}

/// Waits for a command, and returns its exit code and what it has said.
fn end_of(mut child: Child) -> Result<(Option<i32>, String), ChoreError> {
    let deadline = Instant::now() + LONGEST;
    while child.try_wait()?.is_none() && Instant::now() < deadline {
        thread::park_timeout(Duration::from_millis(2));
    }
    let hangs = child.try_wait()?.is_none();
    if hangs {
        child.kill()?;
    }
    let output = child.wait_with_output()?;
    let told = [output.stdout, output.stderr].concat();
    let told = String::from_utf8_lossy(&told).into_owned();
    Ok((output.status.code().filter(|_| !hangs), told))
}

/// Sends changed requests to a server, which has to go on answering.
fn requests(arena: &Path, place: &Path, until: Instant, chance: &mut Chance) -> Result<u64, ChoreError> {
    let stderr = fs::File::create(place.join("stderr"))?;
    fs::create_dir_all(place.join("runs"))?;
    let mut serve = Command::new(arena);
    serve.args(["serve", "runs", "--port", "0", "--allow-actions"]).current_dir(place).stdin(Stdio::null());
    let mut server = serve.stdout(Stdio::piped()).stderr(stderr).spawn()?;
    let count = talk(&mut server, until, chance);
    server.kill()?;
    server.wait()?;
    let told = fs::read_to_string(place.join("stderr"))?;
    if told.contains("panicked") {
        return Err(ChoreError(format!("the server panicked: {told:.2000}")));
    }
    count
}

fn talk(server: &mut Child, until: Instant, chance: &mut Chance) -> Result<u64, ChoreError> {
    let out = server.stdout.take().ok_or_else(|| ChoreError("the server has no output".to_owned()))?;
    let mut line = String::new();
    BufReader::new(out).read_line(&mut line)?;
    let (address, rest) = line
        .trim()
        .strip_prefix("http://")
        .and_then(|line| line.split_once('/'))
        .ok_or_else(|| ChoreError(format!("the server says no address: {line}")))?;
    let token = rest.strip_prefix("#token=").unwrap_or_default();
    let seeds: Vec<_> = REQUESTS
        .map(|request| request.replace("HOST", address).replace("TOKEN", token).into_bytes())
        .into_iter()
        .collect();
    let mut count = 0;
    while Instant::now() < until {
        let seed = &seeds[chance.below(seeds.len())];
        // Some as they are: what they are refused or answered with is not looked at.
        let bytes = if chance.below(8) == 0 { seed.clone() } else { chance.changed(seed) };
        // A server may close the connection at any time.
        let _ = ask(address, &bytes);
        count += 1;
        if let Some(status) = server.try_wait()? {
            let shown = String::from_utf8_lossy(&bytes).into_owned();
            return Err(ChoreError(format!("the server ended with {status} after {shown:.2000}")));
        }
        if count % 50 == 0 && !ask(address, &seeds[0])?.starts_with(b"HTTP/1.1 ") {
            let shown = String::from_utf8_lossy(&bytes).into_owned();
            return Err(ChoreError(format!("the server does not answer after {shown:.2000}")));
        }
    }
    Ok(count)
}

/// Sends bytes, says that there are no more, and reads the answer.
fn ask(address: &str, bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(ANSWER.0))?;
    stream.set_write_timeout(Some(ANSWER.0))?;
    stream.write_all(bytes)?;
    stream.shutdown(std::net::Shutdown::Write)?;
    let mut answer = Vec::new();
    stream.take(ANSWER.1).read_to_end(&mut answer)?;
    Ok(answer)
}

/// A stream of numbers, the same in every run: SplitMix64.
struct Chance(u64);

impl Chance {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let number = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (number ^ (number >> 31)) as usize % count.max(1)
    }

    /// Changes an input in a few places: something put in, repeated, taken out or replaced.
    fn changed(&mut self, seed: &[u8]) -> Vec<u8> {
        let mut bytes = seed.to_vec();
        for _ in 0..=self.below(4) {
            let start = self.below(bytes.len() + 1);
            let end = (start + self.below(40)).min(bytes.len());
            let piece = PIECES[self.below(PIECES.len())].as_bytes();
            let times = [1, 1, 2, 100, 20_000][self.below(5)];
            let with = match self.below(4) {
                0 => Vec::new(),
                1 => piece.to_vec(),
                2 => piece.repeat(times),
                _ => bytes[start..end].repeat(times),
            };
            bytes.splice(start..end, with);
            bytes.truncate(MOST_BYTES);
        }
        bytes
    }
}
