//! What a bot declares in the handshake.

use crate::{GameSpec, OptionDeclaration, PROTOCOL};

/// What a bot declares in the handshake. Texts are as the bot wrote them, cut to a bound: escape them before you show them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// `id name`.
    pub name: Option<String>,
    /// `id author`.
    pub author: Option<String>,
    /// `id version`.
    pub version: Option<String>,
    /// `id lang`.
    pub language: Option<String>,
    /// `protocol`: the highest version that the bot speaks, if declared.
    pub declared_protocol: Option<u64>,
    /// `plays`, if declared.
    pub plays: Option<Vec<GameSpec>>,
    /// `want`, each word once.
    pub wants: Vec<String>,
    /// `can`, each word once.
    pub abilities: Vec<String>,
    /// `option`, in the order of declaration, each name once.
    pub options: Vec<OptionDeclaration>,
}

/// A line that a bot may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// `legal`.
    Legal,
    /// `board`.
    Board,
    /// `played`.
    Played,
    /// `after`.
    After,
}

/// An ability that a bot must declare before the arena uses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ability {
    /// `stop`.
    Stop,
    /// `go ponder` and `ponderhit`.
    Ponder,
    /// `go depth`.
    Depth,
    /// `go nodes`.
    Nodes,
    /// `go infinite`.
    Infinite,
    /// `query`.
    Query,
}

impl Identity {
    /// Returns the version that both sides use; 0 is plain UGI.
    #[must_use]
    pub fn protocol(&self) -> u32 {
        let declared = self.declared_protocol.unwrap_or(0);
        u32::try_from(declared).map_or(PROTOCOL, |declared| declared.min(PROTOCOL))
    }

    /// Returns whether the bot asked for this line. In plain UGI it cannot.
    #[must_use]
    pub fn wants(&self, want: Want) -> bool {
        self.protocol() > 0 && self.wants.iter().any(|word| word == want.word())
    }

    /// Returns whether the arena may use this ability of the bot.
    ///
    /// In plain UGI no bot can declare anything, so the arena assumes the abilities that UGI itself has.
    #[must_use]
    pub fn can(&self, ability: Ability) -> bool {
        if self.protocol() > 0 {
            return self.abilities.iter().any(|word| word == ability.word());
        }
        match ability {
            Ability::Stop | Ability::Depth | Ability::Nodes | Ability::Infinite => true,
            Ability::Ponder | Ability::Query => false,
        }
    }

    /// Returns whether the bot plays `game` with these options, which must be complete, including defaults. `players` is the
    /// number of seats if it is not the game's usual one.
    ///
    /// A bot that does not declare its games is assumed to play what it is configured for. At a table of an unusual number of
    /// seats this holds only if it asks for the legal plies.
    #[must_use]
    pub fn plays(&self, game: &str, options: &[(String, String)], players: Option<u8>) -> bool {
        // SPEC 6.2.11: no bot gets a seat at a table that it does not know.
        match &self.plays {
            Some(specs) => specs.iter().any(|spec| spec.admits(game, options, players)),
            None => players.is_none() || self.wants(Want::Legal) || self.wants(Want::After),
        }
    }

    /// Returns the declaration of an option.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<&OptionDeclaration> {
        self.options.iter().find(|option| option.name == name)
    }
}

impl Want {
    /// Returns the word in the bot's `want` line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Legal => "legal",
            Self::Board => "board",
            Self::Played => "played",
            Self::After => "after",
        }
    }
}

impl Ability {
    /// Returns the word in the bot's `can` line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Ponder => "ponder",
            Self::Depth => "depth",
            Self::Nodes => "nodes",
            Self::Infinite => "infinite",
            Self::Query => "query",
        }
    }
}
