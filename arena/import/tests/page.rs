//! The tables of the page are what is declared of the options. `ARENA_BLESS=1` writes them.

use std::{env, fs};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/moving-over.md");
const BEGIN: &str = "<!-- options: begin -->\n";
const END: &str = "<!-- options: end -->";

#[test]
fn the_page_has_the_tables_of_all_options() {
    let page = fs::read_to_string(PAGE).expect("the page is there");
    let (before, rest) = page.split_once(BEGIN).expect("the place of the tables begins");
    let (tables, after) = rest.split_once(END).expect("the place of the tables ends");
    if env::var_os("ARENA_BLESS").is_some_and(|value| value == "1") {
        let blessed = format!("{before}{BEGIN}{}{END}{after}", import::tables());
        fs::write(PAGE, blessed).expect("the page is written");
        return;
    }
    assert_eq!(tables, import::tables(), "`cargo xtask bless` writes the tables");
}
