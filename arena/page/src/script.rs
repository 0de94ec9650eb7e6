//! The script and the style of the page, each as one text, and their names in its content security policy.

#[cfg(test)]
pub(crate) mod modules;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

/// The script of the report: its modules as one text, which the build script puts together.
const SCRIPT: &str = include_str!(concat!(env!("OUT_DIR"), "/report.js"));

/// What shows the theme that a reader has chosen before anything is drawn: the script itself runs later.
pub(crate) const THEME: &str = "try{const t=localStorage.getItem('arena-theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}";

const STYLE: &str = include_str!("../assets/style.css");

/// What changes on small screens: last, so that it holds whatever the rules before it say.
const SMALL: &str = include_str!("../assets/small.css");

/// Returns the script.
pub(crate) const fn script() -> &'static str {
    SCRIPT
}

/// Returns the style sheet, that of the boards and the `own` rules of a page included.
pub(crate) fn style(own: &str) -> String {
    format!("{STYLE}{}{own}{SMALL}", board::stylesheet())
}

/// Returns the policy of a page that runs this script and [`THEME`] and looks like this, and asks for nothing else.
pub(crate) fn policy(script: &str, style: &str) -> String {
    let hash = |text: &str| STANDARD.encode(Sha256::digest(text.as_bytes()));
    format!(
        "default-src 'none'; script-src 'sha256-{}' 'sha256-{}'; style-src 'sha256-{}'; img-src data:; base-uri 'none'; form-action 'none'",
        hash(script),
        hash(THEME),
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
        assert!(!script.contains("</script") && !script.contains("<!--") && !style("").contains("</style"));
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
