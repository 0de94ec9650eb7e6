//! What a source file imports from its own crate: every path that begins with `crate::` or `super::`.

/// Returns the paths below the root of the crate that a text names, each as its words; `module` is where the text stands.
pub(super) fn of(text: &str, module: &[String]) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    for line_start in starts(text) {
        let (begin, rest) = line_start;
        let mut base = module.to_vec();
        let rest = match begin {
            Begin::Crate => {
                base.clear();
                rest
            }
            Begin::Super => {
                base.pop();
                let mut rest = rest;
                while let Some(further) = rest.strip_prefix("super::") {
                    base.pop();
                    rest = further;
                }
                rest
            }
        };
        tree(rest, &base, &mut paths);
    }
    paths
}

#[derive(Clone, Copy)]
enum Begin {
    Crate,
    Super,
}

/// Returns what follows every `crate::` and the first `super::` of a path, comments aside.
fn starts(text: &str) -> Vec<(Begin, &str)> {
    let mut found = Vec::new();
    for (word, begin) in [("crate::", Begin::Crate), ("super::", Begin::Super)] {
        for (at, _) in text.match_indices(word) {
            let before = &text[..at];
            let line = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
            let is_path_inside = before.ends_with("super::")
                || before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$');
            if !line.trim_start().starts_with("//") && !is_path_inside {
                found.push((begin, &text[at + word.len()..]));
            }
        }
    }
    found
}

/// Adds the paths of a tree as it stands in `use`: `a::{b, c::D}` is `a::b` and `a::c::D`. Returns what follows it.
fn tree<'a>(text: &'a str, base: &[String], paths: &mut Vec<Vec<String>>) -> &'a str {
    let mut path = base.to_vec();
    let mut rest = text;
    loop {
        if let Some(inner) = rest.strip_prefix('{') {
            rest = inner.trim_start();
            while !rest.starts_with('}') && !rest.is_empty() {
                let before = rest.len();
                rest = tree(rest, &path, paths).trim_start();
                if let Some((_, after)) =
                    rest.strip_prefix("as ").and_then(|rest| rest.split_once([',', '}']))
                {
                    rest = &rest[rest.len() - after.len() - 1..];
                }
                rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
                if rest.len() == before {
                    break;
                }
            }
            return rest.strip_prefix('}').unwrap_or(rest);
        }
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        if word.is_empty() {
            // `a::*` and the like: the module itself.
            paths.push(path);
            return after.strip_prefix('*').unwrap_or(after);
        }
        if word != "self" {
            path.push(word.to_owned());
        }
        match after.strip_prefix("::") {
            Some(further) => rest = further,
            None => {
                paths.push(path);
                return after;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let module = ["a".to_owned(), "b".to_owned()];
        let mut paths: Vec<_> = of(text, &module).iter().map(|path| path.join("::")).collect();
        paths.sort();
        assert_eq!(paths, expected, "{text}");
    }

    #[test]
    fn paths_are_found_wherever_they_stand() {
        check("use crate::c::D;", &["c::D"]);
        check("use crate::{c::{self, D as E, f::G}, H};", &["H", "c", "c::D", "c::f::G"]);
        check("use super::x::Y; use super::super::z;", &["a::x::Y", "z"]);
        check("fn f() -> crate::c::D { crate::g(1) }", &["c::D", "g"]);
        check("// crate::c\n/// [`crate::d`]\nuse std::fmt;", &[]);
        check("pub(crate) fn f() {} use crate::c::*;", &["c"]);
    }
}
