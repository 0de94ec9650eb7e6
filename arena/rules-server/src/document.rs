//! What every answer is: a line of JSON; and the one that says what is wrong.

use serde::Serialize;

/// What is wrong with a request.
#[derive(Debug, Serialize)]
pub(super) struct RequestError {
    error: &'static str,
    message: String,
    /// Why a ply is refused, without saying which.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

impl RequestError {
    /// Returns an error with its code.
    pub(super) const fn new(error: &'static str, message: String) -> Self {
        Self { error, message, why: None }
    }

    /// Returns the error with the reason for a refusal.
    pub(super) fn because(self, why: String) -> Self {
        Self { why: Some(why), ..self }
    }

    /// Returns the error as an answer.
    pub(super) fn to_json(&self) -> String {
        to_json(self)
    }
}

/// Returns a document as a line of JSON.
pub(super) fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("strings and numbers can be written as JSON")
}
