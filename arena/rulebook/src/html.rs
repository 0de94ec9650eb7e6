//! The rules as HTML that can stand within a page.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Tag, TagEnd, html};

use crate::Rulebook;

/// Draws a diagram of the page: its lines of text, to markup; `None` for one that stays text.
pub type DrawDiagram<'a> = &'a dyn Fn(&str) -> Option<String>;

impl Rulebook {
    /// Returns the rules as HTML without headings of the first two levels, which belong to the page around it. It holds no
    /// links, scripts or styles. `diagram` may draw the boards of the page.
    #[must_use]
    pub fn to_html(&self, diagram: DrawDiagram<'_>) -> String {
        let mut events = Vec::new();
        let mut drawn: Option<String> = None;
        let (mut is_title, mut is_code) = (false, false);
        for event in self.events() {
            match event {
                // The page around it has the title.
                Event::Start(Tag::Heading { level: HeadingLevel::H1, .. }) => is_title = true,
                Event::End(TagEnd::Heading(HeadingLevel::H1)) => is_title = false,
                _ if is_title => {}
                Event::Start(Tag::Heading { level, id, classes, attrs }) => {
                    events.push(Event::Start(Tag::Heading { level: lower(level), id, classes, attrs }));
                }
                Event::End(TagEnd::Heading(level)) => events.push(Event::End(TagEnd::Heading(lower(level)))),
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented)) => {
                    is_code = true;
                }
                Event::Text(text) if is_code => drawn.get_or_insert_default().push_str(&text),
                Event::End(TagEnd::CodeBlock) => {
                    is_code = false;
                    let text = drawn.take().unwrap_or_default();
                    if let Some(markup) = diagram(&text) {
                        events.push(Event::Html(format!("<div class=\"diagram\">{markup}</div>\n").into()));
                    } else {
                        events.push(Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)));
                        events.push(Event::Text(text.into()));
                        events.push(Event::End(TagEnd::CodeBlock));
                    }
                }
                // A table that is wider than a phone scrolls by itself, with the keyboard too.
                Event::Start(Tag::Table(_)) => {
                    events.push(Event::Html(
                        "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table\">".into(),
                    ));
                    events.push(event);
                }
                Event::End(TagEnd::Table) => {
                    events.push(event);
                    events.push(Event::Html("</div>\n".into()));
                }
                event => events.push(event),
            }
        }
        let mut text = String::new();
        html::push_html(&mut text, events.into_iter());
        // Columns of a table are what its head says.
        text.replace("<th>", "<th scope=\"col\">").replace(" style=\"text-align: right\"", "")
    }
}

const fn lower(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 | HeadingLevel::H2 => HeadingLevel::H3,
        HeadingLevel::H3 => HeadingLevel::H4,
        HeadingLevel::H4 => HeadingLevel::H5,
        HeadingLevel::H5 | HeadingLevel::H6 => HeadingLevel::H6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_of_a_text_stays_text_and_nothing_leads_away() {
        let text = "# A (`a`)\n\n<script>alert(1)</script>\n\n<img src=x onerror=alert(2)> [here](javascript:alert(3)) ![x](http://x)\n\n## The game\n\n`<b>` & more\n";
        let html = Rulebook::from_text(text).to_html(&|_| None);
        for word in ["<script", "<img", "javascript:", "href", "http:"] {
            assert!(!html.contains(word), "{html}");
        }
        assert!(html.contains("here") && html.contains("<h3>The game</h3>"), "{html}");
        assert!(html.contains("<code>&lt;b&gt;</code> &amp; more"), "{html}");
    }

    #[test]
    fn diagrams_are_drawn_or_stay_text() {
        let text = "# A\n\n## The game\n\n```text\n1 b\n```\n\n```text\nwords\n```\n";
        let draw = |text: &str| text.starts_with('1').then(|| "<svg></svg>".to_owned());
        let html = Rulebook::from_text(text).to_html(&draw);
        assert!(html.contains("<div class=\"diagram\"><svg></svg></div>"), "{html}");
        assert!(html.contains("<pre><code>words\n</code></pre>"), "{html}");
    }

    #[test]
    fn the_sections_for_authors_of_bots_are_left_out() {
        for game in rules::GAMES {
            let html = Rulebook::of(game).expect("a page").to_html(&|_| None);
            assert!(html.contains("<h3>Options</h3>") && html.contains("<table>"), "{html}");
            assert!(
                !html.contains("vectors") && !html.contains("Symmetries") && !html.contains(" style="),
                "{html}"
            );
        }
    }
}
