//! What was meant by a key that there is none of.

use settings::{Form, Key, Shape};

use crate::written::path::{Path, Step};
use crate::written::schema::KeysByPath as _;

/// What to do about an unknown key.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Advice {
    /// What helps.
    pub hint: String,
    /// The key of the same map that was meant, if it can be guessed.
    pub meant: Option<&'static str>,
}

/// Says what was meant by a key called `name` in the map at `parent` of a file of this form.
pub(crate) fn advice(name: &str, parent: &Path, form: &Form) -> Advice {
    let known = form.keys_at(parent);
    let meant = |key: &Key, hint: String| Advice { hint, meant: Some(key.name) };
    if let Some(key) = known.iter().find(|key| key.is_spelt(name)) {
        return meant(key, format!("did you mean `{}`?", key.name));
    }
    for key in known {
        if let Some(line) = key.instead_of(name) {
            return meant(key, format!("the key is called `{}` here: for example `{line}`", key.name));
        }
    }
    if let Some(key) =
        rules::nearest(name, known.iter().map(|key| key.name)).and_then(|near| find(known, near))
    {
        return meant(key, format!("did you mean `{}`?", key.name));
    }
    if let Some(key) = find(known, "game")
        && rules::find(name).is_ok()
    {
        return meant(key, format!("the name of a game is a value: `{{game: {name}, options: …}}`"));
    }
    let hint = match (elsewhere(name, form), parent.split()) {
        (Some(Elsewhere::Top(key)), _) => {
            format!("`{name}` is a key at the top of the file: `{}`, without indentation", key.line())
        }
        (Some(Elsewhere::Below(map, key)), _) => {
            let line = match map.shape {
                Shape::Maps(_) | Shape::MapOrMaps(_) => format!("{}: [{{{}, …}}]", map.name, key.line()),
                Shape::Map(_) | Shape::WordOrMap(_) | Shape::Free | Shape::Words => {
                    format!("{}: {{{}}}", map.name, key.line())
                }
            };
            format!("`{name}` is a key of `{}`: for example `{line}`", map.name)
        }
        (None, Some((_, Step::Key(list)))) if is_list(form, parent) => {
            format!("`{list}` is a list: each item begins with `-`, for example `- name: {name}`")
        }
        (None, _) => {
            let names: Vec<_> = known.iter().map(|key| key.name).collect();
            format!("the keys{} are {}", of(parent), names.join(", "))
        }
    };
    Advice { hint, meant: None }
}

/// Where a key stands that is known, but not here.
enum Elsewhere {
    /// At the top.
    Top(&'static Key),
    /// In the map that is the value of the first key, or in those of its list.
    Below(&'static Key, &'static Key),
}

/// Finds a key that is no key where it was written.
fn elsewhere(name: &str, form: &Form) -> Option<Elsewhere> {
    fn below(name: &str, maps: &'static [Key]) -> Option<Elsewhere> {
        let here = maps.iter().find_map(|map| Some(Elsewhere::Below(map, find(map.below(), name)?)));
        here.or_else(|| maps.iter().find_map(|map| below(name, map.below())))
    }
    find(form.keys(), name).map(Elsewhere::Top).or_else(|| below(name, form.keys()))
}

/// Returns whether the value at `path` is to be a list of maps.
fn is_list(form: &Form, path: &Path) -> bool {
    let key = form.innermost(path);
    key.is_some_and(|key| matches!(key.shape, Shape::Maps(_) | Shape::MapOrMaps(_)))
}

/// Says of what a map has its keys.
fn of(map: &Path) -> String {
    match map.split() {
        None => String::new(),
        Some((list, Step::Item(_))) => match list.steps().last() {
            Some(Step::Key(key)) => format!(" of a {}", key.strip_suffix('s').unwrap_or(key)),
            _ => String::new(),
        },
        Some((_, Step::Key(key))) => format!(" of `{key}`"),
    }
}

fn find(keys: &'static [Key], name: &str) -> Option<&'static Key> {
    keys.iter().find(|key| key.name == name)
}

#[cfg(test)]
mod tests {
    use settings::TOURNAMENT;

    use super::*;

    fn check(path: &[Step], name: &str, hint: &str) {
        let told = advice(name, &Path::new(path.to_vec()), &TOURNAMENT).hint;
        assert!(told.contains(hint), "{name}: {told}");
    }

    #[test]
    fn what_newcomers_write_leads_to_the_key() {
        let key = |name: &str| Step::Key(name.to_owned());
        let bot = [key("bots"), Step::Item(0)];
        check(&[], "concurency", "did you mean `concurrency`?");
        check(&[], "max_faults", "did you mean `max-faults`?");
        check(&[], "ThinkLimit", "did you mean `think-limit`?");
        for name in ["time-control", "timecontrol", "time_control", "TimeControl"] {
            check(&[], name, "the key is called `tc` here: for example `tc: 10+0.1`");
        }
        check(&[], "nodes", "for example `tc: nodes 10000`");
        check(&[], "threads", "called `concurrency` here");
        check(&bot, "threads", "for example `options: {Threads: 1}`");
        check(&bot, "command", "called `cmd` here");
        check(&bot, "path", "called `cmd` here");
        check(&bot, "rounds", "`rounds` is a key at the top of the file: `rounds: 10`");
        check(&[], "memory", "called `limits`");
        check(&[], "builtin", "for example `bots: [{builtin: random, …}]`");
        check(&[], "resign", "`adjudicate: {resign: {score: 800, turns: 4, both: true}}`");
        check(&[key("bots")], "mine", "each item begins with `-`, for example `- name: mine`");
        check(&[key("games"), Step::Item(0)], "farook", "`{game: farook, options: …}`");
        check(&bot, "colour", "the keys of a bot are from, name,");
        check(&[], "colour", "the keys are name, games,");
    }
}
