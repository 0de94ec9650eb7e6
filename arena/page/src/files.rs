//! The pages of `arena serve` as files that any web server can show: links lead from where a page lies, not from the root
//! of a server; the policy stands in the page, since nobody sends it with it; and what changes is read from a file.

use std::collections::BTreeMap;

use crate::live::{FIRST_NAME, STYLE_NAME, asset};

/// The name of the file beside a page from which its script reads what changes: `{"now": …, "late": …, "ended": …,
/// "picture": …}`, with the time of the picture in milliseconds since 1970, by how many seconds it is shown late, and
/// whether it will not change any more.
pub const PICTURE: &str = "picture.json";

/// Only what lies beside the page, and no markup that runs.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
                      base-uri 'none'; form-action 'none'";

/// Which modules each of the scripts imports, as the build script has read it.
const IMPORTS: &[(&str, &[&str])] = include!(concat!(env!("OUT_DIR"), "/imports.rs"));

/// Returns a page that [`LivePage`](crate::LivePage) or [`list_page`](crate::list_page) has made as a file. `root` leads from
/// the page to the folder in which `index.html` and `assets` lie: nothing, or as many `../` as it takes.
#[must_use]
pub fn as_file(page: &str, root: &str) -> String {
    let head = format!(
        "<head>\n<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n<meta name=\"referrer\" content=\"no-referrer\">"
    );
    // Text is escaped: none of it has quotation marks.
    page.replacen("<html ", "<html data-feed=\"file\" ", 1)
        .replacen("<head>", &head, 1)
        .replace("=\"/assets/", &format!("=\"{root}assets/"))
        .replace("href=\"/\"", &format!("href=\"{root}index.html\""))
}

/// Returns the parts of these pages, by their names in `assets`: the style sheet, and the scripts with all that they import.
#[must_use]
pub fn parts() -> BTreeMap<String, String> {
    let mut parts = BTreeMap::new();
    let mut wanted = [STYLE_NAME, FIRST_NAME, "live.js", "runs.js"].map(str::to_owned).to_vec();
    while let Some(name) = wanted.pop() {
        if let Some((_, text)) = asset(&name)
            && !parts.contains_key(&name)
        {
            let imports = IMPORTS.iter().filter(|(module, _)| *module == name);
            wanted.extend(imports.flat_map(|(_, imports)| *imports).map(|&import| import.to_owned()));
            parts.insert(name, text);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use rules::Catalogue;

    use super::*;
    use crate::script::modules::Module;
    use crate::{ListedRun, LivePage, Stage, list_page};

    #[test]
    fn pages_as_files_name_nothing_by_the_root_of_a_server() {
        let stages = [Stage::named("farook", &Catalogue::default())];
        let name = "=\"/assets/\" <head>";
        let live = LivePage {
            name,
            stages: &stages,
            files: &[],
            takes_orders: false,
            is_continuable: false,
            has_list: true,
        };
        let run = ListedRun {
            name: name.to_owned(),
            link: "runs/x/index.html".to_owned(),
            state: "finished".to_owned(),
            games: "3".to_owned(),
            about: String::new(),
        };
        for (page, root) in [(live.render(), "../../"), (list_page(name, &[run], false), "")] {
            let file = as_file(&page, root);
            assert!(!file.contains("=\"/") && file.contains("data-feed=\"file\""), "{file}");
            assert!(file.contains(&format!("\"{root}assets/style.css\"")), "{file}");
            assert_eq!(file.matches("http-equiv=\"Content-Security-Policy\"").count(), 1);
            // What stands in the page itself may neither run nor change how it looks.
            let scripts = file.matches("<script").count();
            let foreign = file.matches("<script type=\"application/json\"").count();
            let own =
                file.matches("<script type=\"module\" src=").count() + file.matches("<script src=").count();
            assert_eq!(own, scripts - foreign);
            assert!(!file.contains("<style") && !file.contains(" style="));
        }
    }

    #[test]
    fn all_that_a_script_imports_is_a_part() {
        let parts = parts();
        for (name, text) in parts.iter().filter(|(name, _)| name.ends_with(".js")) {
            for (import, _) in Module::read(text).expect("a module").imports {
                assert!(parts.contains_key(import), "{name} imports {import}");
            }
        }
        assert!(parts.contains_key("feed.js") && parts.contains_key("style.css"));
    }

    #[test]
    fn the_script_that_reads_files_makes_no_markup_and_knows_no_server() {
        let text = &parts()["feed.js"];
        for word in
            ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "http:", "https:"]
        {
            assert!(!text.contains(word), "{word}");
        }
    }
}
