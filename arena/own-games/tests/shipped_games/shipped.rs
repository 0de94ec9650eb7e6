//! The games of `arena/games`.

use std::env;
use std::path::Path;
use std::sync::Arc;

use own_games::{Origin, ProgramLimits, RulesProgram, load, load_module, named_source};
use processes::{Direct, ProcessSpec};
use rules::{GameRef, RulesSource, Setup};

/// Options of a game.
type Given = &'static [(&'static str, &'static str)];

/// A game that is shipped, with the options under which it is tried.
struct Shipped {
    /// Its file, from the root of the repository.
    file: &'static str,
    variants: &'static [Given],
    /// Whether it runs as it is where these tests do.
    is_always_here: bool,
}

const SHIPPED: [Shipped; 7] = [
    Shipped { file: "arena/games/telo/telo.py", variants: &[&[], &[("centre", "on")]], is_always_here: true },
    Shipped {
        file: "arena/games/hex/hex.mjs",
        variants: &[&[("size", "4")], &[("size", "3"), ("swap", "off")]],
        is_always_here: false,
    },
    Shipped { file: "target/games/dao.wasm", variants: &[&[]], is_always_here: false },
    Shipped { file: "target/games/othello.wasm", variants: &[&[("size", "4")], &[]], is_always_here: false },
    Shipped {
        file: "target/games/connect-four.wasm",
        variants: &[&[], &[("width", "5"), ("height", "4"), ("connect", "3")]],
        is_always_here: false,
    },
    Shipped {
        file: "target/games/trails.wasm",
        variants: &[
            &[("size", "5")],
            &[("players", "3"), ("out", "vanish")],
            &[("players", "4"), ("size", "5")],
            &[("players", "6")],
        ],
        is_always_here: false,
    },
    Shipped { file: "target/games/chess", variants: &[&[]], is_always_here: false },
];

/// Returns every game that is to be tried.
pub(crate) fn all() -> Vec<Setup> {
    let are_all = env::var_os("ARENA_SECOND_STAGE").is_some();
    let wanted = SHIPPED.iter().filter(|game| are_all || game.is_always_here);
    wanted.flat_map(|game| game.variants.iter().map(|options| game.open(options))).collect()
}

impl Shipped {
    fn open(&self, options: Given) -> Setup {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let game = match named_source(self.file, &root).expect("it is named by its path") {
            RulesSource::Module(file) => {
                load_module(&file, None, None).expect("`cargo xtask games` builds it")
            }
            RulesSource::Program { command, directory, files } => {
                let args = command[1..].iter().map(Into::into).collect();
                let spec = ProcessSpec { args, ..ProcessSpec::new(&command[0], &directory) };
                let program = RulesProgram::new(spec, &Direct, ProgramLimits::default()).expect("pipes");
                let source = RulesSource::Program { command, directory, files };
                let origin = Origin { digest: String::new(), source, module: None };
                load(Arc::new(program), None, None, origin).unwrap_or_else(|fault| panic!("{fault}"))
            }
        };
        GameRef::Own(game).setup(options).expect("the options are valid")
    }
}
