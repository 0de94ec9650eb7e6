//! The pages, and which parts of one a player needs.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use rules::Game;

/// The pages of the games, by their ids.
const PAGES: [(&str, &str); 6] = [
    ("farook", include_str!("../../../protocol-spec/games/farook.md")),
    ("faust", include_str!("../../../protocol-spec/games/faust.md")),
    ("frenzy", include_str!("../../../protocol-spec/games/frenzy.md")),
    ("2-frenzy", include_str!("../../../protocol-spec/games/2-frenzy.md")),
    ("sophia", include_str!("../../../protocol-spec/games/sophia.md")),
    ("fanorona", include_str!("../../../protocol-spec/games/fanorona.md")),
];

/// The sections that are for the authors of bots.
const FOR_AUTHORS: [&str; 5] =
    ["Position string", "Examples", "Strings of three and four seats", "Symmetries", "Exchanging the seats"];

/// The rules of a game.
///
/// ```
/// let rules = rulebook::Rulebook::of(rules::find("farook").expect("a game")).expect("rules");
/// assert!(rules.to_text(80).starts_with("FAROOK\n"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rulebook {
    text: &'static str,
}

impl Rulebook {
    /// Returns the rules of a game: the page of a built-in one, the text of one's own. `None` where nothing is written.
    #[must_use]
    pub fn of(game: &Game) -> Option<Self> {
        match game.own_rules() {
            Some(rules) => Some(rules.rules()).filter(|text| !text.is_empty()).map(|text| Self { text }),
            None => PAGES.iter().find(|(id, _)| *id == game.id).map(|(_, text)| Self { text }),
        }
    }

    /// Returns the parts of the page that a player needs. The title is the one heading of the first level, without the id
    /// behind it. Markup that is no Markdown is text, and links are their words: nothing leads away or runs.
    pub(crate) fn events(&self) -> Vec<Event<'static>> {
        let mut events = Vec::new();
        let (mut level, mut heading, mut is_for_authors) = (None, String::new(), false);
        // A heading counts from its begin, and its words are known at its end.
        let mut begin = 0;
        for event in Parser::new_ext(self.text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Heading { level: new, .. }) => {
                    (level, begin) = (Some(new), events.len());
                    heading.clear();
                    events.push(event);
                }
                Event::End(TagEnd::Heading(ended)) => {
                    level = None;
                    events.push(event);
                    if ended <= HeadingLevel::H2 {
                        is_for_authors = FOR_AUTHORS.contains(&heading.as_str());
                    }
                    if is_for_authors {
                        events.truncate(begin);
                    }
                }
                // The id behind the title.
                Event::Code(_) if level == Some(HeadingLevel::H1) => {}
                Event::Text(text) if level.is_some() => {
                    heading.push_str(&text);
                    let text = if level == Some(HeadingLevel::H1) {
                        text.trim_matches([' ', '(', ')']).to_owned().into()
                    } else {
                        text
                    };
                    events.push(Event::Text(text));
                }
                Event::Html(text) | Event::InlineHtml(text) if !is_for_authors => {
                    events.push(Event::Text(text));
                }
                Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::HtmlBlock)
                | Event::End(TagEnd::Link | TagEnd::Image | TagEnd::HtmlBlock) => {}
                event if !is_for_authors => events.push(event),
                _ => {}
            }
        }
        events
    }

    /// Returns the parts of the page that a player needs, in Markdown as they are written.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let (mut text, mut is_for_authors, mut is_code) = (String::new(), false, false);
        for line in self.text.lines() {
            is_code ^= line.starts_with("```");
            if let Some(heading) = line.strip_prefix("## ").filter(|_| !is_code) {
                is_for_authors = FOR_AUTHORS.contains(&heading.trim());
            }
            if !is_for_authors {
                text.push_str(line);
                text.push('\n');
            }
        }
        text
    }

    /// Reads any text as a page.
    #[cfg(test)]
    pub(crate) const fn from_text(text: &'static str) -> Self {
        Self { text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_its_rules() {
        for game in rules::GAMES {
            let book = Rulebook::of(game).unwrap_or_else(|| panic!("{} has no page", game.id));
            let text = book.to_text(80);
            assert!(text.starts_with(&game.title.to_uppercase()), "{text}");
            assert!(
                text.contains("The game\n") && text.contains("The end\n") || game.id.contains("frenzy"),
                "{text}"
            );
            assert!(!text.contains("Symmetries") && !text.contains("Position string"), "{text}");
            for option in game.options {
                assert!(text.contains(option.name), "{}: {}", game.id, option.name);
            }
            let markdown = book.to_markdown();
            assert!(markdown.starts_with(&format!("# {} (`{}`)\n", game.title, game.id)), "{markdown}");
            assert!(markdown.contains("\n## Options\n") && !markdown.contains("\n## Position"), "{markdown}");
        }
    }
}
