//! Who may ask: requests by names that are not ours, or sent by pages of others, are refused.
//!
//! A page of somebody else can make a browser ask us, and by a name that it makes point to this machine it could even read
//! the answers. So the name must be one of ours, and what says where it comes from must come from there.

use std::fmt;
use std::fmt::Write as _;
use std::net::IpAddr;

use diagnostic::Failure;
use hyper::HeaderMap;
use hyper::header::{HOST, HeaderName, HeaderValue, ORIGIN};
use hyper::http::uri::Authority;
use subtle::ConstantTimeEq as _;

/// The header in which the token comes.
const TOKEN: HeaderName = HeaderName::from_static("x-arena-token");

/// What a browser says of the page that asks.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The names under which the server may be asked.
#[derive(Debug)]
pub(crate) struct Hosts {
    names: Vec<String>,
}

impl Hosts {
    /// Returns `localhost`, every address, and these names. An address needs no list: no name server can make it point
    /// elsewhere.
    pub(crate) fn new(names: &[String]) -> Self {
        let names = names.iter().map(|name| name.to_ascii_lowercase());
        Self { names: names.chain(["localhost".to_owned()]).collect() }
    }

    /// Returns whether a request is meant for this server.
    pub(crate) fn know(&self, headers: &HeaderMap) -> bool {
        let mut values = headers.get_all(HOST).iter();
        let (Some(value), None) = (values.next(), values.next()) else { return false };
        let authority = value.to_str().ok().filter(|text| !text.contains('@'));
        let Some(authority) = authority.and_then(|text| text.parse::<Authority>().ok()) else { return false };
        let host = authority.host().to_ascii_lowercase();
        let address = host.trim_start_matches('[').trim_end_matches(']');
        address.parse::<IpAddr>().is_ok() || self.names.contains(&host)
    }
}

/// Returns whether a request that changes something, or reads what is not a page, comes from a page of this server or from no
/// page at all.
pub(crate) fn is_same_origin(headers: &HeaderMap) -> bool {
    let text = |name: &HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let is_own_site = text(&FETCH_SITE).is_none_or(|site| matches!(site, "same-origin" | "none"));
    let is_own_origin = text(&ORIGIN).is_none_or(|origin| {
        let host = text(&HOST).unwrap_or_default();
        let name = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        name.is_some_and(|name| name.eq_ignore_ascii_case(host))
    });
    is_own_site && is_own_origin
}

/// What those know who may give orders: 256 random bits.
pub(crate) struct AccessToken {
    words: String,
}

impl AccessToken {
    /// Returns a new one.
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub(crate) fn random() -> Result<Self, Failure> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|error| {
            Failure::io("failed to make a token", &std::io::Error::other(error.to_string()))
        })?;
        let mut words = String::new();
        for byte in bytes {
            let _ = write!(words, "{byte:02x}");
        }
        Ok(Self { words })
    }

    /// Returns the one that was written as [`words`](Self::words); `None` for what is none.
    #[cfg(unix)]
    pub(crate) fn read(words: &str) -> Option<Self> {
        let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        (words.len() == 64 && words.bytes().all(is_hex)).then(|| Self { words: words.to_owned() })
    }

    /// Returns it as the user reads it.
    pub(crate) fn words(&self) -> &str {
        &self.words
    }

    /// Returns whether a request brings it. How long that takes tells nothing about it.
    pub(crate) fn is_brought(&self, headers: &HeaderMap) -> bool {
        let brought = headers.get(TOKEN).map(HeaderValue::as_bytes).unwrap_or_default();
        self.words.as_bytes().ct_eq(brought).into()
    }
}

/// It stays out of logs.
impl fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pairs = pairs.iter().map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap()));
        pairs.collect()
    }

    #[test]
    fn names_of_others_are_refused() {
        let hosts = Hosts::new(&["Bots.example".to_owned()]);
        for host in ["localhost:8642", "127.0.0.1", "[::1]:80", "192.168.1.7:1", "bots.EXAMPLE", "LOCALHOST"]
        {
            assert!(hosts.know(&headers(&[("host", host)])), "{host}");
        }
        for host in [
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "",
            "a@127.0.0.1",
            "127.0.0.1/",
        ] {
            assert!(!hosts.know(&headers(&[("host", host)])), "{host}");
        }
        assert!(!hosts.know(&HeaderMap::new()));
    }

    #[test]
    fn pages_of_others_are_refused() {
        let check = |pairs: &[(&'static str, &'static str)]| {
            let pairs = [&[("host", "127.0.0.1:8642")], pairs].concat();
            is_same_origin(&headers(&pairs))
        };
        assert!(
            check(&[]) && check(&[("origin", "http://127.0.0.1:8642"), ("sec-fetch-site", "same-origin")])
        );
        for origin in
            ["null", "http://evil.example", "http://127.0.0.1:1", "http://127.0.0.1", "file://127.0.0.1:8642"]
        {
            assert!(!check(&[("origin", origin)]), "{origin}");
        }
        assert!(!check(&[("sec-fetch-site", "cross-site")]) && !check(&[("sec-fetch-site", "same-site")]));
    }

    #[test]
    fn a_token_is_known_by_all_of_its_digits() {
        let (one, two) = (AccessToken::random().expect("a token"), AccessToken::random().expect("a token"));
        let bring = |words: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(TOKEN, words.parse().expect("a value"));
            headers
        };
        assert!(one.is_brought(&bring(one.words())));
        assert!(!one.is_brought(&bring(two.words())) && !one.is_brought(&bring(&one.words()[1..])));
        assert!(!one.is_brought(&HeaderMap::new()) && format!("{one:?}") == "Token");
        assert_eq!(one.words().len(), 64);
    }
}
