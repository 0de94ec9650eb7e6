//! The modules of the pages' scripts: what each imports and exports, and all of a page as one text.
//!
//! A page that is a single file cannot load modules, so they are put one after the other. This reads the few forms that our
//! own scripts use, and refuses everything else, two names that collide included: a script is either put together rightly
//! or not at all. The build script calls it, so that a form that is not known here fails the build.
//!
//! A bundler of others would be hundreds of crates, or Node.js, before the arena can be built, for some two dozen small files.

use std::collections::{BTreeMap, BTreeSet};

/// A module.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Module<'a> {
    /// The names that it imports, by the file that they come from.
    pub(crate) imports: Vec<(&'a str, Vec<&'a str>)>,
    /// The names that it exports.
    pub(crate) exports: Vec<&'a str>,
    /// The names that it declares at its top level, exported ones included.
    pub(crate) names: Vec<&'a str>,
    /// Its text without imports and without the word `export`.
    body: String,
}

impl<'a> Module<'a> {
    /// Reads a module.
    ///
    /// # Errors
    /// With the line, when it imports, exports or declares in a form that is not one of these, each at the start of a line:
    /// `import { a, b } from './file.js';`, `[export] [async] function a`, `[export] class a`, `[export] const a =`,
    /// `let a`, and `const { a, b } =` or `const [a, b] =`.
    pub(crate) fn read(text: &'a str) -> Result<Self, String> {
        let mut module =
            Self { imports: Vec::new(), exports: Vec::new(), names: Vec::new(), body: String::new() };
        for (place, line) in text.lines().enumerate() {
            let refused = |why: &str| Err(format!("line {}: {why}: {line}", place + 1));
            if has_word(line, "import") {
                match import(line) {
                    Some(import) => module.imports.push(import),
                    None if is_said(line, "import") => module.keep(line),
                    None => return refused("this form of `import` is not known"),
                }
                continue;
            }
            let (is_exported, rest) = line.strip_prefix("export ").map_or((false, line), |rest| (true, rest));
            if has_word(rest, "export") && !is_said(rest, "export") {
                return refused("this form of `export` is not known");
            }
            let is_indented = rest.starts_with([' ', '\t', '}', ')', ']', '/']) || rest.is_empty();
            if !is_indented {
                match declared(rest) {
                    Ok(names) => {
                        if is_exported && names.len() != 1 {
                            return refused("an export declares one name");
                        }
                        module.exports.extend(names.iter().filter(|_| is_exported));
                        module.names.extend(names);
                    }
                    Err(why) => return refused(why),
                }
            }
            module.keep(rest);
        }
        Ok(module)
    }

    fn keep(&mut self, line: &str) {
        self.body.push_str(line);
        self.body.push('\n');
    }
}

/// Returns whether a word stands in a line by itself.
fn has_word(line: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$' || c == '-' || c == '.';
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// Returns whether a word only stands in a comment of one line.
fn is_said(line: &str, word: &str) -> bool {
    let code = line.split_once("//").map_or(line, |(code, _)| code);
    !has_word(code, word)
}

/// Reads `import { a, b } from './file.js';`.
fn import(line: &str) -> Option<(&str, Vec<&str>)> {
    let (names, file) = line.strip_prefix("import { ")?.split_once(" } from './")?;
    let file = file.strip_suffix("';")?;
    let names: Vec<&str> = names.split(", ").collect();
    let is_file =
        file.strip_suffix(".js").is_some_and(|stem| stem.bytes().all(|byte| byte.is_ascii_lowercase()));
    (is_file && names.iter().all(|name| is_name(name))).then_some((file, names))
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Returns the names that a line at the top level declares; none for a statement that declares nothing.
fn declared(line: &str) -> Result<Vec<&str>, &'static str> {
    let until =
        |text: &'_ str| text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    for word in ["async function ", "function ", "class "] {
        if let Some(rest) = line.strip_prefix(word) {
            let name = &rest[..until(rest)];
            return if is_name(name) { Ok(vec![name]) } else { Err("a name is missing") };
        }
    }
    if line.starts_with("var ") {
        return Err("`var` is not used");
    }
    let Some(rest) = line.strip_prefix("const ").or_else(|| line.strip_prefix("let ")) else {
        return Ok(Vec::new());
    };
    let list = match (rest.strip_prefix("{ "), rest.strip_prefix('[')) {
        (Some(rest), _) => rest.split_once(" } =").map(|(list, _)| list),
        (_, Some(rest)) => rest.split_once("] =").map(|(list, _)| list),
        _ => Some(&rest[..until(rest)]),
    };
    let names: Vec<&str> = list.unwrap_or_default().split(", ").collect();
    if names.iter().all(|name| is_name(name)) { Ok(names) } else { Err("this declaration is not known") }
}

/// Returns a module with all that it imports as one text without imports, every module after those that it imports from.
/// `text` returns the text of a file.
///
/// # Errors
/// When a module is missing or not understood, when it imports a name that its source does not export, when modules import
/// each other in a circle, and when two of them declare the same name.
pub(crate) fn bundle<'a>(first: &'a str, text: &impl Fn(&str) -> Option<&'a str>) -> Result<String, String> {
    let mut found = BTreeMap::new();
    let mut order = Vec::new();
    visit(first, text, &mut Vec::new(), &mut found, &mut order)?;
    let mut owners: BTreeMap<&str, &str> = BTreeMap::new();
    let mut whole = String::new();
    for file in order {
        let module: &Module<'_> = &found[file];
        for (source, names) in &module.imports {
            for name in names {
                if !found[source].exports.contains(name) {
                    return Err(format!("{file}: {source} does not export {name}"));
                }
            }
        }
        let mut own = BTreeSet::new();
        for name in &module.names {
            if let Some(other) = owners.insert(name, file) {
                return Err(format!("{file}: {name} is declared in {other}, too"));
            }
            own.insert(*name);
        }
        whole.push_str(&module.body);
    }
    Ok(whole)
}

/// Reads a module after all that it imports.
fn visit<'a>(
    file: &'a str,
    text: &impl Fn(&str) -> Option<&'a str>,
    above: &mut Vec<&'a str>,
    found: &mut BTreeMap<&'a str, Module<'a>>,
    order: &mut Vec<&'a str>,
) -> Result<(), String> {
    if above.contains(&file) {
        return Err(format!("{} import each other in a circle", above.join(", ")));
    }
    if found.contains_key(file) {
        return Ok(());
    }
    let module = Module::read(text(file).ok_or_else(|| format!("{file} is missing"))?)
        .map_err(|why| format!("{file}, {why}"))?;
    above.push(file);
    for (source, _) in &module.imports {
        visit(source, text, above, found, order)?;
    }
    above.pop();
    found.insert(file, module);
    order.push(file);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let error = Module::read(text).expect_err(text);
        assert!(error.contains(expected), "{text}: {error}");
    }

    fn join<'a>(files: &'a [(&'a str, &'a str)]) -> Result<String, String> {
        bundle(files[0].0, &|name: &str| files.iter().find(|(file, _)| *file == name).map(|(_, text)| *text))
    }

    #[test]
    fn what_a_module_says_is_found() {
        let text = "// Words: import this.\nimport { a, b } from './x.js';\nexport class C {\n}\nconst { d, e } = a;\nlet [f, g] = b;\n\
                    export async function h() {\n  return 1;\n}\n";
        let module = Module::read(text).expect("a module");
        assert_eq!(module.imports, [("x.js", vec!["a", "b"])]);
        assert_eq!(module.exports, ["C", "h"]);
        assert_eq!(module.names, ["C", "d", "e", "f", "g", "h"]);
        assert!(!module.body.contains("\nimport") && !module.body.contains("export"), "{}", module.body);
    }

    #[test]
    fn forms_that_are_not_known_are_refused() {
        for text in [
            "import { a,\n  b } from './x.js';",
            "import { a as b } from './x.js';",
            "import * as x from './x.js';",
            "import x from './x.js';",
            "import './x.js';",
            "import { a } from \"./x.js\";",
            "import { a } from '../x.js';",
            "  import { a } from './x.js';",
            "const x = await import('./x.js');",
        ] {
            check(text, "this form of `import`");
        }
        check("export { a };", "an export declares one name");
        check("export default 1;", "an export declares one name");
        check("  export const a = 1;", "this form of `export`");
        check("export const a = 1, b = 2; export const c = 3;", "this form of `export`");
        check("const { a: b } = c;", "this declaration");
        check("var a = 1;", "`var`");
    }

    #[test]
    fn modules_follow_what_they_import_from() {
        let joined = join(&[
            ("a.js", "import { b } from './b.js';\nb();\n"),
            ("b.js", "import { c } from './c.js';\nexport function b() { c(); }\n"),
            ("c.js", "export const c = () => 1;\n"),
        ]);
        assert_eq!(joined.as_deref(), Ok("const c = () => 1;\nfunction b() { c(); }\nb();\n"));
    }

    #[test]
    fn what_would_break_in_a_browser_is_an_error() {
        let check = |files: &[(&str, &str)], expected: &str| {
            let error = join(files).expect_err(expected);
            assert!(error.contains(expected), "{error}");
        };
        let import = "import { b } from './b.js';\n";
        check(&[("a.js", import)], "b.js is missing");
        check(&[("a.js", import), ("b.js", "const b = 1;\n")], "b.js does not export b");
        check(
            &[
                ("a.js", "import { b } from './b.js';\nconst same = 1;\n"),
                ("b.js", "export const b = 1;\nlet same = 2;\n"),
            ],
            "same is declared in",
        );
        check(
            &[("a.js", import), ("b.js", "import { a } from './a.js';\nexport const b = 1;\n")],
            "in a circle",
        );
    }
}
