//! Collecting what a bot declares, within bounds.

use super::identity::Identity;
use crate::{BotMessage, IdField, MAX_HANDSHAKE_BYTES, MAX_HANDSHAKE_LINES, MAX_IDENTITY_CHARS};

/// The identity of a bot, built line by line.
#[derive(Clone, Debug, Default)]
pub(super) struct Handshake {
    identity: Identity,
    lines: usize,
    bytes: usize,
}

impl Handshake {
    /// Returns the identity so far.
    pub(super) fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Counts a line of `bytes` and returns whether it is within the bounds.
    pub(super) fn admits(&mut self, bytes: usize) -> bool {
        if self.lines >= MAX_HANDSHAKE_LINES || self.bytes + bytes > MAX_HANDSHAKE_BYTES {
            return false;
        }
        self.lines += 1;
        self.bytes += bytes;
        true
    }

    /// Adds a declaration and returns whether the message was one.
    ///
    /// Lists accumulate over several lines. For anything else the last declaration counts.
    pub(super) fn declare(&mut self, message: BotMessage) -> bool {
        let identity = &mut self.identity;
        match message {
            BotMessage::Id(field, text) => {
                let text = Some(text.chars().take(MAX_IDENTITY_CHARS).collect());
                match field {
                    IdField::Name => identity.name = text,
                    IdField::Author => identity.author = text,
                    IdField::Version => identity.version = text,
                    IdField::Language => identity.language = text,
                }
            }
            BotMessage::Protocol(version) => identity.declared_protocol = Some(version),
            BotMessage::Plays(games) => identity.plays.get_or_insert_default().extend(games),
            BotMessage::Want(words) => add_new(&mut identity.wants, words),
            BotMessage::Can(words) => add_new(&mut identity.abilities, words),
            BotMessage::Option(option) => {
                match identity.options.iter_mut().find(|known| known.name == option.name) {
                    Some(known) => *known = option,
                    None => identity.options.push(option),
                }
            }
            _ => return false,
        }
        true
    }
}

/// The most different words kept of one list.
const MAX_WORDS: usize = 256;

fn add_new(list: &mut Vec<String>, words: Vec<String>) {
    for word in words {
        if list.len() < MAX_WORDS && !list.contains(&word) {
            list.push(word);
        }
    }
}
