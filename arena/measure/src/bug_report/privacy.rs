//! What nobody is to learn from a report: homes, names of users and hosts, addresses, and values that open something.

use std::env;
use std::fs;
use std::net::Ipv6Addr;
use std::process::{Command, Stdio};

/// Directories of the system, whose names tell nothing of their user.
const SYSTEM: [&str; 9] =
    ["/usr/", "/bin/", "/sbin/", "/lib/", "/lib64/", "/proc/", "/sys/", "/dev/", "/etc/os-release"];

/// What the name of a variable or of an option says if its value opens something.
const CREDENTIALS: [&str; 7] = ["token", "key", "secret", "pass", "cred", "auth", "cookie"];

/// Names that identify nobody.
const COMMON: [&str; 6] = ["root", "localhost", "user", "nobody", "arena", "bot"];

/// The shortest value of a variable that is looked for: shorter ones are words of any text.
const LEAST_VALUE: usize = 6;

/// What is replaced, and by what.
#[derive(Debug, Default)]
pub(super) struct Privacy {
    /// Replaced wherever they stand.
    values: Vec<String>,
    homes: Vec<String>,
    /// Replaced as whole words, in any case.
    names: Vec<(String, &'static str)>,
}

impl Privacy {
    /// Asks this process and the system who runs it, and where.
    pub(super) fn of_this_machine() -> Self {
        let mut privacy = Self::default();
        for (name, value) in env::vars() {
            privacy.add_variable(&name, &value);
        }
        let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
        for line in users.lines().filter(|line| privacy.is_of_this_user(line)).collect::<Vec<_>>() {
            let fields: Vec<_> = line.split(':').collect();
            privacy.add_name(fields[0], "USER");
            fields[4].split([' ', ',']).for_each(|part| privacy.add_name(part, "USER"));
        }
        let mut uname = Command::new("uname");
        let host = uname.arg("-n").stdin(Stdio::null()).stderr(Stdio::null()).output();
        privacy
            .add_host(&host.map(|out| String::from_utf8_lossy(&out.stdout).into_owned()).unwrap_or_default());
        privacy
    }

    /// Learns from a variable of the environment.
    fn add_variable(&mut self, name: &str, value: &str) {
        match name {
            "HOME" | "USERPROFILE" => {
                let home = value.trim_end_matches(['/', '\\']);
                if home.len() > 1 {
                    self.homes.push(home.to_owned());
                }
                self.add_name(home.rsplit(['/', '\\']).next().unwrap_or_default(), "USER");
            }
            "USER" | "LOGNAME" | "USERNAME" | "SUDO_USER" => self.add_name(value, "USER"),
            "HOSTNAME" | "COMPUTERNAME" => self.add_host(value),
            _ if opens_something(name) && value.len() >= LEAST_VALUE => self.values.push(value.to_owned()),
            _ => {}
        }
    }

    /// Returns whether a line of `/etc/passwd` is of a user who is known already, by name or home.
    fn is_of_this_user(&self, line: &str) -> bool {
        let fields: Vec<_> = line.split(':').collect();
        fields.len() > 5
            && (self.names.iter().any(|(name, _)| name == fields[0])
                || self.homes.iter().any(|home| home == fields[5]))
    }

    /// Learns the name of a host: all of it, and its first part.
    fn add_host(&mut self, name: &str) {
        self.add_name(name.trim(), "HOST");
        self.add_name(name.trim().split('.').next().unwrap_or_default(), "HOST");
    }

    /// Learns a name, which becomes this word.
    pub(super) fn add_name(&mut self, name: &str, word: &'static str) {
        let is_known = self.names.iter().any(|(known, _)| known == name);
        if name.chars().count() > 1 && !is_known && !COMMON.contains(&name) {
            self.names.push((name.to_owned(), word));
            // A longer name may hold a shorter one.
            self.names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        }
    }

    /// Returns a text without anything private.
    pub(super) fn clean(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for value in &self.values {
            text = text.replace(value, "SECRET");
        }
        for home in &self.homes {
            text = replaced(&text, home, "~", |next| next.is_alphanumeric() || next == '-' || next == '_');
        }
        let text = without_long_addresses(&text);
        let mut cleaned = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while !rest.is_empty() {
            let end = rest.find(is_separator).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            match (word, after.strip_prefix("://")) {
                // Of an address, its kind: everything else says where something is, or opens it.
                (kind, Some(address)) if !kind.is_empty() => {
                    let end = address.find(|c: char| c.is_whitespace() || "\"'`<>".contains(c));
                    cleaned += &format!("{kind}://…");
                    rest = &address[end.unwrap_or(address.len())..];
                }
                _ => {
                    cleaned += &word_without_place(word);
                    let separator = after.chars().next().map_or(0, char::len_utf8);
                    cleaned += &after[..separator];
                    rest = &after[separator..];
                }
            }
        }
        self.names
            .iter()
            .fold(cleaned, |text, (name, word)| replaced(&text, name, word, char::is_alphanumeric))
    }
}

/// Returns whether the name of a variable or an option says that its value opens something.
pub(super) fn opens_something(name: &str) -> bool {
    let name = name.to_lowercase();
    CREDENTIALS.iter().any(|word| name.contains(word))
}

/// Returns the words of a command without values that open something: those that options name, and long ones that are no words.
pub(super) fn command(words: &[String]) -> String {
    let mut is_hidden = false;
    let shown = words.iter().map(|word| {
        let was_hidden = std::mem::take(&mut is_hidden);
        // Of `--token=abc` as of `Authorization: Bearer abc`, the name stays.
        let at = word.find(['=', ':']);
        match at.map(|at| (&word[..=at], &word[at + 1..])) {
            Some((name, _)) if opens_something(name) => format!("{name}…"),
            Some((name, value)) if is_opaque(value) => format!("{name}…"),
            None if word.starts_with('-') && opens_something(word) => {
                is_hidden = true;
                word.clone()
            }
            _ if was_hidden || is_opaque(word) => "…".to_owned(),
            _ => word.clone(),
        }
    });
    shown.collect::<Vec<_>>().join(" ")
}

/// Returns whether a word looks like a key rather than a name: long, of letters and digits.
fn is_opaque(word: &str) -> bool {
    let is_of_key = |c: char| c.is_ascii_alphanumeric() || "+/=_-".contains(c);
    word.len() >= 20
        && word.chars().all(is_of_key)
        && word.chars().any(|c| c.is_ascii_digit())
        && word.chars().any(|c| c.is_ascii_alphabetic())
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || "\"'`()[]{}<>,;|=:".contains(c)
}

/// Returns a word without the place that it names: of a path the last name, of an address nothing.
fn word_without_place(word: &str) -> String {
    let is_system = SYSTEM.iter().any(|directory| word.starts_with(directory));
    let is_address = word.split_once('@').is_some_and(|(user, host)| !user.is_empty() && host.contains('.'));
    let quads: Vec<_> = word.split('.').collect();
    if is_address {
        "…@…".to_owned()
    } else if quads.len() == 4 && quads.iter().all(|part| part.parse::<u8>().is_ok()) {
        "IP".to_owned()
    } else if (word.starts_with('/') || word.starts_with("~/")) && !is_system {
        let start = if word.starts_with('~') { "~/" } else { "" };
        let path = word.trim_start_matches('~');
        match path.trim_end_matches('/').rsplit_once('/') {
            Some(("", name)) if !start.is_empty() => format!("~/{name}"),
            Some((_, name)) if !name.is_empty() => format!("{start}…/{name}"),
            _ => word.to_owned(),
        }
    } else {
        word.to_owned()
    }
}

/// Replaces addresses of machines in the form of IPv6, whose colons would part them.
fn without_long_addresses(text: &str) -> String {
    let is_of_address = |c: char| c.is_ascii_hexdigit() || c == ':' || c == '.';
    let is_of_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let (mut done, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(start) = rest.find(is_of_address) {
        let end = rest[start..].find(|c| !is_of_address(c)).map_or(rest.len(), |length| start + length);
        let word = &rest[start..end];
        // A colon or a full stop may follow it.
        let address = word.trim_end_matches(['.']).strip_suffix(':').filter(|word| !word.ends_with(':'));
        let address = address.unwrap_or_else(|| word.trim_end_matches('.'));
        let is_alone =
            !is_of_word(rest[..start].chars().next_back()) && !is_of_word(rest[end..].chars().next());
        let is_address = is_alone && address.len() > 2 && address.parse::<Ipv6Addr>().is_ok();
        done += &rest[..start];
        done += if is_address { "IP" } else { address };
        done += &word[address.len()..];
        rest = &rest[end..];
    }
    done + rest
}

/// Replaces a text, in any case, where it neither begins nor ends within a longer word.
fn replaced(text: &str, old: &str, new: &str, is_of_word: impl Fn(char) -> bool) -> String {
    let (lower, old) = (text.to_ascii_lowercase(), old.to_ascii_lowercase());
    let mut done = String::with_capacity(text.len());
    let mut from = 0;
    for (at, _) in lower.match_indices(&old) {
        let end = at + old.len();
        let is_within = text[..at].chars().next_back().is_some_and(&is_of_word)
            || text[end..].chars().next().is_some_and(&is_of_word);
        if !is_within {
            done += &text[from..at];
            done += new;
            from = end;
        }
    }
    done + &text[from..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn privacy() -> Privacy {
        let mut privacy = Privacy::default();
        for (name, value) in [
            ("HOME", "/people/ada"),
            ("USER", "ada"),
            ("HOSTNAME", "box7.example.org"),
            ("GITHUB_TOKEN", "ghp_abc123"),
            ("LANG", "en_GB.UTF-8"),
            ("SHORT_KEY", "a"),
        ] {
            privacy.add_variable(name, value);
        }
        privacy
    }

    fn check(text: &str, cleaned: &str) {
        assert_eq!(privacy().clean(text), cleaned);
    }

    #[test]
    fn homes_become_a_tilde_and_other_directories_go() {
        check("in `/people/ada/thesis/bot.py`: no", "in `~/…/bot.py`: no");
        check("/people/ada/bot", "~/bot");
        check("/people/adam/bot /srv/x/bot=/a", "…/bot …/bot=…/a");
        check("/usr/bin/python3 and / and a/b and ~", "/usr/bin/python3 and / and a/b and ~");
        check("PATH=/people/ada/bin:/opt/x", "PATH=~/bin:…/x");
    }

    #[test]
    fn names_and_hosts_are_replaced_as_whole_words() {
        check("Ada's ada-bot on box7, box7.example.org; adapter", "USER's USER-bot on HOST, HOST; adapter");
        check("mail ada@example.org at 10.0.0.7, version 1.2.3", "mail …@… at IP, version 1.2.3");
        check("from [fe80::1]:4222 or 2001:db8::7.", "from [IP]:4222 or IP.");
        check(
            "at ::1: refused, 12:30:05, xa::b and core::fa in dead:beef",
            "at IP: refused, 12:30:05, xa::b and core::fa in dead:beef",
        );
    }

    #[test]
    fn addresses_and_values_of_variables_go() {
        check("nats://ada:pw@box9:4222 failed", "nats://… failed");
        check("said ghp_abc123!", "said SECRET!");
        check("a cup in UTF-8", "a cup in UTF-8");
    }

    #[test]
    fn commands_lose_what_opens_something() {
        let words = |text: &str| command(&text.split(' ').map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(words("./bot --threads 2 --api-key abc --x"), "./bot --threads 2 --api-key … --x");
        assert_eq!(words("./bot --token=abc -v"), "./bot --token=… -v");
        assert_eq!(words("./bot eyJhbGciOiJIUzI1NiIsInR5 --net=AKIAIOSFODNN7EXAMPLE99"), "./bot … --net=…");
        assert_eq!(words("python3 bots/a-rather-long-name.py"), "python3 bots/a-rather-long-name.py");
        let header = ["curl", "-H", "Authorization: Bearer abc", "https://ada:pw@box/x"].map(str::to_owned);
        assert_eq!(privacy().clean(&command(&header)), "curl -H Authorization:… https://…");
    }
}
