//! The script and the style of the page, each as one text, and their names in its content security policy.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

/// The modules of the script, each after those that it imports from.
const MODULES: [&str; 7] = [
    include_str!("../assets/data.js"),
    include_str!("../assets/board.js"),
    include_str!("../assets/graph.js"),
    include_str!("../assets/replay.js"),
    include_str!("../assets/list.js"),
    include_str!("../assets/theme.js"),
    include_str!("../assets/main.js"),
];

const STYLE: &str = include_str!("../assets/style.css");

/// Returns the script: the modules one after the other. What they import from each other is there already.
pub(crate) fn script() -> String {
    let lines = MODULES.iter().flat_map(|module| module.lines());
    let own = lines.filter(|line| !line.starts_with("import "));
    own.flat_map(|line| [line.strip_prefix("export ").unwrap_or(line), "\n"]).collect()
}

/// Returns the style sheet, that of the boards included.
pub(crate) fn style() -> String {
    format!("{STYLE}{}", board::stylesheet())
}

/// Returns the policy of a page that runs this script and looks like this, and asks for nothing else.
pub(crate) fn policy(script: &str, style: &str) -> String {
    let hash = |text: &str| STANDARD.encode(Sha256::digest(text.as_bytes()));
    format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src data:; base-uri 'none'; form-action 'none'",
        hash(script),
        hash(style)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_is_one_module_without_imports() {
        let script = script();
        assert!(
            !script.contains("\nimport ")
                && !script.contains("\nexport ")
                && script.contains("class BoardView")
        );
        // Either would end the element around it.
        assert!(!script.contains("</script") && !script.contains("<!--") && !style().contains("</style"));
    }

    #[test]
    fn nothing_makes_markup_of_text() {
        for word in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "fetch(",
            "http:",
            "https:",
        ] {
            assert!(!script().replace("http://www.w3.org/2000/svg", "").contains(word), "{word}");
        }
    }
}
