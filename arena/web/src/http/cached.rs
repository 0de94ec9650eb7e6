//! Answers that a browser may keep: it asks again whether they still hold, by their content, and gets them compressed.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use hyper::HeaderMap;
use hyper::StatusCode;
use hyper::body::Bytes;
use hyper::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, ETAG, HeaderValue, IF_NONE_MATCH, VARY,
};
use sha2::{Digest as _, Sha256};

use super::answer::{Body, HttpAnswer, answer};

/// How hard texts are compressed: more takes far longer, and saves little.
const LEVEL: Compression = Compression::new(4);

/// A text with its name by content, plain and compressed.
#[derive(Clone, Debug)]
pub(crate) struct CachedText {
    plain: Bytes,
    gzip: Bytes,
    tag: String,
}

impl CachedText {
    /// Compresses a text and names it by its content.
    pub(crate) fn new(plain: impl Into<Bytes>) -> Self {
        let plain = plain.into();
        let digest = Sha256::digest(&plain);
        let tag: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        let gzip = gzip(&plain).into();
        Self { plain, gzip, tag }
    }

    /// Answers a request with these headers: with the text in the form that the browser takes, or with the word that what it
    /// has still holds.
    pub(crate) fn answer(&self, headers: &HeaderMap, kind: &'static str) -> HttpAnswer {
        let takes_gzip = headers
            .get_all(ACCEPT_ENCODING)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .any(|coding| is_taken(coding, "gzip"));
        // What is compressed is another form of the text, so it has another name.
        let tag = if takes_gzip { format!("\"{}-gz\"", self.tag) } else { format!("\"{}\"", self.tag) };
        let held = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
        let is_held = held.flat_map(|value| value.split(',')).any(|known| {
            let known = known.trim();
            known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag
        });
        let body = match (is_held, takes_gzip) {
            (true, _) => None,
            (false, true) => Some(self.gzip.clone()),
            (false, false) => Some(self.plain.clone()),
        };
        let status = if is_held { StatusCode::NOT_MODIFIED } else { StatusCode::OK };
        let mut answer = answer(status, kind, Body::Whole(body));
        let headers = answer.headers_mut();
        // It is kept, and never shown without asking.
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
        if let Ok(tag) = HeaderValue::from_str(&tag) {
            headers.insert(ETAG, tag);
        }
        if takes_gzip && !is_held {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        answer
    }
}

/// Returns whether one part of `accept-encoding` takes this coding.
fn is_taken(part: &str, coding: &str) -> bool {
    let mut words = part.split(';').map(str::trim);
    let is_named = words.next().is_some_and(|name| name.eq_ignore_ascii_case(coding));
    let quality = words.find_map(|word| word.strip_prefix("q=")).and_then(|q| q.parse::<f32>().ok());
    is_named && quality != Some(0.0)
}

/// Returns a gzip file (RFC 1952) with these contents, without a name or a time.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut file = GzEncoder::new(Vec::new(), LEVEL);
    file.write_all(bytes).and_then(|()| file.finish()).expect("memory takes all bytes")
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::GzDecoder;

    use super::super::answer::HTML;
    use super::*;

    fn ask(text: &CachedText, lines: &[(hyper::header::HeaderName, &'static str)]) -> HttpAnswer {
        let lines = lines.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value)));
        text.answer(&lines.collect(), HTML)
    }

    fn body(answer: HttpAnswer) -> Option<Bytes> {
        match answer.into_body() {
            Body::Whole(bytes) => bytes,
            Body::Parts(_) => panic!("it is there as a whole"),
        }
    }

    #[test]
    fn who_takes_gzip_gets_it_and_others_the_text() {
        let text = CachedText::new("a text ".repeat(500));
        for (accepted, is_gzip) in
            [("gzip, deflate, br", true), ("br;q=1.0, GZIP;q=0.8", true), ("gzip;q=0", false), ("br", false)]
        {
            let answer = ask(&text, &[(ACCEPT_ENCODING, accepted)]);
            assert_eq!(answer.headers().contains_key(CONTENT_ENCODING), is_gzip, "{accepted}");
            let body = body(answer).expect("a body");
            if is_gzip {
                let mut plain = Vec::new();
                GzDecoder::new(&*body).read_to_end(&mut plain).expect("gzip");
                assert_eq!(plain, text.plain, "{accepted}");
                assert!(body.len() < 200, "{}", body.len());
            } else {
                assert_eq!(body, text.plain);
            }
        }
    }

    #[test]
    fn what_still_holds_is_not_sent_again() {
        let text = CachedText::new("one");
        let first = ask(&text, &[(ACCEPT_ENCODING, "gzip")]);
        let tag = first.headers()[ETAG].to_str().expect("text").to_owned();
        let headers = |tag: &str| {
            [
                (ACCEPT_ENCODING, HeaderValue::from_static("gzip")),
                (IF_NONE_MATCH, tag.parse().expect("a value")),
            ]
            .into_iter()
            .collect::<HeaderMap>()
        };
        let again = text.answer(&headers(&tag), HTML);
        assert_eq!((again.status(), body(again)), (StatusCode::NOT_MODIFIED, None));
        assert_eq!(
            text.answer(&headers(&format!("\"x\", W/{tag}")), HTML).status(),
            StatusCode::NOT_MODIFIED
        );
        let changed = CachedText::new("two").answer(&headers(&tag), HTML);
        assert_eq!(changed.status(), StatusCode::OK);
        // The plain form has another name.
        assert_eq!(ask(&text, &[]).headers()[ETAG].to_str().map(|plain| plain == tag).ok(), Some(false));
    }
}
