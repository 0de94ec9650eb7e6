//! The files of the kits, as they are in the repository when this is built.

/// A file of a kit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name, without a folder.
    pub name: &'static str,
    /// What is in it.
    pub text: &'static str,
}

macro_rules! folder {
    ($folder:literal: $($file:literal),+) => {
        &[$(File { name: $file, text: include_str!(concat!("../../", $folder, "/", $file)) }),+]
    };
}

/// The folders of `bots/` with a manifest, by name.
pub(crate) const EMBEDDED: &[&[File]] = &[
    folder!("bash": "bot.yaml", "random_bot.sh", "greedy_bot.sh"),
    folder!("c": "bot.yaml", "random_bot.c", "greedy_bot.c"),
    folder!("cpp": "bot.yaml", "random_bot.cpp", "greedy_bot.cpp", "README.md"),
    folder!("csharp": "bot.yaml", "random_bot.cs", "greedy_bot.cs"),
    folder!("go": "bot.yaml", "random_bot.go", "greedy_bot.go"),
    folder!("haskell": "bot.yaml", "random_bot.hs", "greedy_bot.hs"),
    folder!("java": "bot.yaml", "RandomBot.java", "GreedyBot.java", "README.md"),
    folder!("javascript": "bot.yaml", "random_bot.js", "greedy_bot.js", "README.md"),
    folder!("kotlin": "bot.yaml", "random_bot.kt", "greedy_bot.kt"),
    folder!("lua": "bot.yaml", "random_bot.lua", "greedy_bot.lua"),
    folder!("ocaml": "bot.yaml", "random_bot.ml", "greedy_bot.ml"),
    folder!("perl": "bot.yaml", "random_bot.pl", "greedy_bot.pl"),
    folder!("php": "bot.yaml", "random_bot.php", "greedy_bot.php"),
    folder!("python": "bot.yaml", "random_bot.py", "greedy_bot.py", "README.md"),
    folder!("r": "bot.yaml", "random_bot.R", "greedy_bot.R"),
    folder!("ruby": "bot.yaml", "random_bot.rb", "greedy_bot.rb"),
    folder!("rust": "bot.yaml", "random_bot.rs", "greedy_bot.rs", "README.md"),
    folder!("tcl": "bot.yaml", "random_bot.tcl", "greedy_bot.tcl"),
    folder!("typescript": "bot.yaml", "random_bot.ts", "greedy_bot.ts"),
];
