//! What the author of a confined bot is told where the sandbox may have refused it something.

/// What programs say when the system refuses them something.
const REFUSALS: [&str; 9] = [
    "Permission denied",
    "Operation not permitted",
    "PermissionError",
    "PermissionDenied",
    "AccessDenied",
    "EACCES",
    "EPERM",
    "ModuleNotFoundError",
    "Cannot find module",
];

/// Returns what the author of a confined bot is to know, where the end of its standard error says that something was
/// refused to it.
pub(super) fn advice(stderr: &[String]) -> Option<&'static str> {
    let is_refused = |line: &String| REFUSALS.iter().any(|words| line.contains(words));
    stderr.iter().any(is_refused).then_some(
        "the sandbox may have refused it something: a bot writes only below `$HOME`, a private directory, and reads only the \
         system's programs and its own directory, without a network. Name what it needs under `write:` or `read:` of the key \
         `sandbox`, or trust it with `sandbox: none`",
    )
}
