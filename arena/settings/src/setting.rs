//! Settings: keys with a single value, each declared once with its type.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Deserializer, Serializer};

use crate::{Key, Reading};

/// A key whose value is one of the fields of `S`.
#[derive(Clone, Copy, Debug)]
pub struct Setting<S> {
    /// The key.
    pub key: Key,
    /// How a journal has it.
    pub record: Record,
    /// Reads a text into the field.
    pub read: fn(&mut S, &str) -> Reading<()>,
    /// Writes the field as a text that [`Setting::read`] reads.
    pub write: fn(&S) -> String,
}

/// How a journal has a setting.
#[derive(Clone, Copy, Debug)]
pub enum Record {
    /// Not among the settings: it stands elsewhere in the configuration, or makes no difference to a game.
    Elsewhere,
    /// As whole milliseconds, under this name.
    Millis(&'static str),
    /// As the text, under this name.
    Text(&'static str),
    /// As the text, under this name, unless it is the usual value.
    TextIfUnusual(&'static str),
    /// As a number, under this name, unless it is the usual value.
    NumberIfUnusual(&'static str),
    /// For each of these texts as `true` under this name; any other text leaves no trace.
    Truths(&'static [(&'static str, &'static str)]),
}

impl Record {
    /// Returns whether every journal has it, whatever its value.
    #[must_use]
    pub const fn is_always(&self) -> bool {
        matches!(self, Self::Millis(_) | Self::Text(_))
    }
}

/// Settings that are declared together.
pub trait Settings: Default + 'static {
    /// All of them, in the order in which a file is checked and a journal has them.
    const ALL: &'static [Setting<Self>];

    /// Returns the setting of this key.
    fn find(key: &str) -> Option<&'static Setting<Self>> {
        Self::ALL.iter().find(|setting| setting.key.name == key)
    }
}

/// A recorded setting that this version cannot read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// The key.
    pub key: &'static str,
    /// What the journal has.
    pub text: String,
}

/// Declares a struct of settings: its fields, and for each of them its key, how it is read, written and recorded. What
/// is said of a field is what is said of the key.
macro_rules! settings {
    (
        $(#[$struct_about:meta])*
        pub struct $name:ident {
            $(
                $(#[doc = $about:literal])+
                pub $field:ident: $type:ty = $usual:expr => {
                    key: $key:expr,
                    read: $read:expr,
                    write: $write:expr,
                    record: $record:expr $(,)?
                },
            )+
            $(;
                $(#[$extra_about:meta])*
                pub $extra:ident: $extra_type:ty,
            )?
        }
    ) => {
        $(#[$struct_about])*
        pub struct $name {
            $($(#[doc = $about])+ pub $field: $type,)+
            $($(#[$extra_about])* pub $extra: $extra_type,)?
        }

        impl Default for $name {
            /// What a tournament file means that says nothing of them.
            fn default() -> Self {
                Self { $($field: $usual,)+ $($extra: <$extra_type>::default(),)? }
            }
        }

        impl $crate::Settings for $name {
            const ALL: &'static [$crate::Setting<Self>] = &[$(
                $crate::Setting {
                    key: $crate::Key { about: concat!($($about),+), ..$key },
                    record: $record,
                    read: |settings, text| {
                        let read: fn(&str) -> $crate::Reading<$type> = $read;
                        settings.$field = read(text)?;
                        Ok(())
                    },
                    write: |settings| {
                        let write: fn(&$type) -> String = $write;
                        write(&settings.$field)
                    },
                },
            )+];
        }
    };
}

pub(crate) use settings;

/// Writes settings as a journal has them.
pub(crate) fn record<S: Settings, R: Serializer>(
    settings: &S,
    unread: &[Unread],
    serializer: R,
) -> Result<R::Ok, R::Error> {
    let usual = S::default();
    let mut map = serializer.serialize_map(None)?;
    for setting in S::ALL {
        let text = (setting.write)(settings);
        let unread = unread.iter().find(|unread| unread.key == setting.key.name);
        let text = unread.map_or(text, |unread| unread.text.clone());
        match setting.record {
            Record::Elsewhere => {}
            Record::Millis(name) => {
                let millis = crate::parse_duration(&text).map_or(0, |time| time.as_millis());
                map.serialize_entry(name, &u64::try_from(millis).unwrap_or(u64::MAX))?;
            }
            Record::Text(name) => map.serialize_entry(name, &text)?,
            Record::TextIfUnusual(name) if text != (setting.write)(&usual) => {
                map.serialize_entry(name, &text)?;
            }
            Record::NumberIfUnusual(name) if text != (setting.write)(&usual) => {
                map.serialize_entry(name, &text.parse::<u64>().unwrap_or(0))?;
            }
            Record::TextIfUnusual(_) | Record::NumberIfUnusual(_) => {}
            Record::Truths(names) => {
                for (_, name) in names.iter().filter(|(word, _)| *word == text) {
                    map.serialize_entry(name, &true)?;
                }
            }
        }
    }
    map.end()
}

/// Reads settings as a journal has them. A text that is no value of this version is kept apart.
pub(crate) fn recall<'de, S: Settings, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<(S, Vec<Unread>), D::Error> {
    let recorded = Written::deserialize(deserializer)?.0;
    let mut settings = S::default();
    let mut unread = Vec::new();
    for setting in S::ALL {
        let mut take = |text: String| {
            if (setting.read)(&mut settings, &text).is_err() {
                unread.push(Unread { key: setting.key.name, text });
            }
        };
        match setting.record {
            Record::Elsewhere => {}
            Record::Millis(name) => match recorded.get(name) {
                Some(Scalar::Number(millis)) => take(format!("{millis}ms")),
                Some(_) => return Err(D::Error::custom(format!("`{name}` is no number"))),
                None => return Err(D::Error::missing_field(name)),
            },
            Record::Text(name) => match recorded.get(name) {
                Some(Scalar::Text(text)) => take(text.clone()),
                Some(_) => return Err(D::Error::custom(format!("`{name}` is no text"))),
                None => return Err(D::Error::missing_field(name)),
            },
            Record::TextIfUnusual(name) => match recorded.get(name) {
                Some(Scalar::Text(text)) => take(text.clone()),
                Some(Scalar::Null) | None => {}
                Some(_) => return Err(D::Error::custom(format!("`{name}` is no text"))),
            },
            Record::NumberIfUnusual(name) => match recorded.get(name) {
                Some(Scalar::Number(number)) => take(number.to_string()),
                Some(Scalar::Null) | None => {}
                Some(_) => return Err(D::Error::custom(format!("`{name}` is no number"))),
            },
            Record::Truths(names) => {
                for (word, name) in names {
                    match recorded.get(*name) {
                        Some(Scalar::Truth(true)) => take((*word).to_owned()),
                        Some(Scalar::Truth(false)) | None => {}
                        Some(_) => return Err(D::Error::custom(format!("`{name}` is no truth value"))),
                    }
                }
            }
        }
    }
    Ok((settings, unread))
}

/// What stands in a journal, by its names there.
struct Written(BTreeMap<String, Scalar>);

enum Scalar {
    Null,
    Truth(bool),
    Number(u64),
    Text(String),
    /// Something else: what a newer arena may write.
    Other,
}

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Map;

        impl<'de> Visitor<'de> for Map {
            type Value = Written;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the settings of a run")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Written, A::Error> {
                let mut written = BTreeMap::new();
                while let Some((name, scalar)) = map.next_entry::<String, Scalar>()? {
                    if written.insert(name.clone(), scalar).is_some() {
                        return Err(A::Error::custom(format!("duplicate field `{name}`")));
                    }
                }
                Ok(Written(written))
            }
        }

        deserializer.deserialize_map(Map)
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;

        impl<'de> Visitor<'de> for Any {
            type Value = Scalar;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value")
            }

            fn visit_unit<E>(self) -> Result<Scalar, E> {
                Ok(Scalar::Null)
            }

            fn visit_bool<E>(self, truth: bool) -> Result<Scalar, E> {
                Ok(Scalar::Truth(truth))
            }

            fn visit_u64<E>(self, number: u64) -> Result<Scalar, E> {
                Ok(Scalar::Number(number))
            }

            fn visit_i64<E>(self, _: i64) -> Result<Scalar, E> {
                Ok(Scalar::Other)
            }

            fn visit_f64<E>(self, _: f64) -> Result<Scalar, E> {
                Ok(Scalar::Other)
            }

            fn visit_str<E>(self, text: &str) -> Result<Scalar, E> {
                Ok(Scalar::Text(text.to_owned()))
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut list: A) -> Result<Scalar, A::Error> {
                while list.next_element::<serde::de::IgnoredAny>()?.is_some() {}
                Ok(Scalar::Other)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Scalar, A::Error> {
                while map.next_entry::<serde::de::IgnoredAny, serde::de::IgnoredAny>()?.is_some() {}
                Ok(Scalar::Other)
            }
        }

        deserializer.deserialize_any(Any)
    }
}
