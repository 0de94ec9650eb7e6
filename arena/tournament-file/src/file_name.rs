//! What a name that somebody else chose has to be before it can be that of a file.

/// Names of devices on file systems of Windows, in lower case; so are these with a digit from 1 to 9 after the last three.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// Returns whether a name, whatever stands after its first full stop, is that of a device on file systems of Windows.
pub fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    let (word, digits) = stem.split_at_checked(3).unwrap_or((&stem, ""));
    let has_digit = digits.len() == 1 && digits.bytes().all(|byte| (b'1'..=b'9').contains(&byte));
    match DEVICES.iter().position(|device| *device == word) {
        Some(0..4) => digits.is_empty(),
        Some(_) => has_digit,
        None => false,
    }
}

/// Returns the first part of a name, at most this long in bytes.
pub fn cut(name: &str, most: usize) -> &str {
    let end = (0..=most.min(name.len())).rev().find(|end| name.is_char_boundary(*end));
    &name[..end.unwrap_or_default()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_known_in_every_spelling() {
        for name in ["con", "CON", "Nul.txt", "aux .x", "com1", "LPT9"] {
            assert!(is_device(name), "{name}");
        }
        for name in ["", "co", "console", "com", "com0", "com10", "null", "a.con", "été"] {
            assert!(!is_device(name), "{name}");
        }
    }

    #[test]
    fn a_name_is_cut_between_letters() {
        assert_eq!((cut("été", 2), cut("été", 1), cut("été", 3), cut("été", 9)), ("é", "", "ét", "été"));
    }
}
