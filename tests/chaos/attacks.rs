//! The table: every attack, what it does, from which level on what comes of it.

use record::Termination;

use crate::level::Level;

/// One way to misbehave.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attack {
    /// The name of the function in `attacker/*.py`, or of the case in `attacker.c`.
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) program: Program,
    /// What happens then.
    pub(crate) end: End,
    /// The lowest level that promises this end.
    pub(crate) from: Level,
    /// How long the bot may think.
    pub(crate) clock: Clock,
    /// What else the tournament file says.
    pub(crate) settings: &'static str,
    /// Whether a plain `cargo test` plays it.
    pub(crate) is_quick: bool,
    /// Whether it may only be played as a user whom nobody else is: it harms whatever else that user runs.
    pub(crate) needs_own_user: bool,
}

/// What an attack is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Lines,
    Faults,
    Processes,
    Others,
    Memory,
    Texts,
}

/// What carries it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Program {
    Python,
    C,
}

/// What comes of an attack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum End {
    /// Every game ends by its rules: the attack had no effect.
    PlaysOn,
    /// The attacker loses every game by this reason; the words stand in the record.
    Loses(Termination, &'static str),
    /// The attacker is refused what it tries, and plays on, or loses by its limit: it resigns where neither happens.
    Bounded,
    /// The attacker refuses every game.
    Refuses,
    /// The run ends before the first game, and says this.
    NoStart(&'static str),
}

/// How long the attacker may think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clock {
    /// As long as a slow machine may need.
    Long,
    /// So short that a bot that never answers does not keep the tests waiting.
    Short,
}

impl Kind {
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Lines => "Lines",
            Self::Faults => "Ends and silences",
            Self::Processes => "Processes",
            Self::Others => "Attacks on others",
            Self::Memory => "Hidden memory",
            Self::Texts => "Names and texts",
        }
    }
}

impl Attack {
    const fn new(kind: Kind, name: &'static str, end: End) -> Self {
        let clock = match end {
            End::Loses(Termination::Timeout, _) => Clock::Short,
            _ => Clock::Long,
        };
        Self {
            name,
            kind,
            program: Program::Python,
            end,
            from: Level::None,
            clock,
            settings: "",
            is_quick: false,
            needs_own_user: false,
        }
    }

    /// Played by every `cargo test`.
    const fn quick(mut self) -> Self {
        self.is_quick = true;
        self
    }

    /// Promised from a level on.
    const fn from(mut self, level: Level) -> Self {
        self.from = level;
        self
    }

    const fn with_end(mut self, end: End) -> Self {
        self.end = end;
        self
    }

    const fn as_own_user(mut self) -> Self {
        self.needs_own_user = true;
        self
    }

    const fn in_c(mut self) -> Self {
        self.program = Program::C;
        self
    }

    const fn with(mut self, settings: &'static str) -> Self {
        self.settings = settings;
        self
    }
}

const fn lines(name: &'static str, end: End) -> Attack {
    Attack::new(Kind::Lines, name, end)
}

const fn faults(name: &'static str, end: End) -> Attack {
    Attack::new(Kind::Faults, name, end)
}

const fn processes(name: &'static str, end: End) -> Attack {
    Attack::new(Kind::Processes, name, end)
}

/// An attack on somebody else, which is prevented from a level on.
const fn others(name: &'static str, from: Level) -> Attack {
    Attack::new(Kind::Others, name, PlaysOn).from(from)
}

/// An attempt to hold more memory than is allowed; it is found or refused from a level on.
const fn memory(name: &'static str, from: Level) -> Attack {
    Attack::new(Kind::Memory, name, Bounded).from(from).in_c().with("limits: {memory: 128MiB}\n")
}

const fn texts(name: &'static str, end: End) -> Attack {
    Attack::new(Kind::Texts, name, end)
}

use End::{Bounded, Loses, NoStart, PlaysOn, Refuses};
use Level::Basic;
use Termination::{BadMove, Crash, Flood, IllegalMove, Stall, Timeout};

/// Every attack.
pub(crate) const ATTACKS: &[Attack] = &[
    lines("endless_line", Loses(Flood, "a line of more than")).quick(),
    lines("gigabyte_without_newline", Loses(Flood, "a line of more than")),
    lines("torrent_of_lines", Loses(Flood, "more than 262144 lines")).quick(),
    lines("torrent_of_long_lines", Loses(Flood, "more than 16 MiB")),
    lines("torrent_of_newlines", Loses(Flood, "more than 262144 lines")),
    lines("torrent_of_short_lines", Loses(Flood, "more than 262144 lines")),
    lines("nul_in_answer", Loses(BadMove, "")).quick(),
    lines("nul_before_answer", PlaysOn).quick(),
    lines("nul_glued_to_answer", Loses(Timeout, "")),
    lines("invalid_utf8_in_answer", Loses(BadMove, "")),
    lines("invalid_utf8_in_info", PlaysOn).quick(),
    lines("crlf", PlaysOn).quick(),
    lines("cr_without_lf", Loses(Timeout, "")),
    lines("half_a_line_and_death", Loses(Crash, "exit 0")).quick(),
    lines("half_a_line_and_silence", Loses(Timeout, "")),
    lines("two_answers", PlaysOn).quick(),
    lines("second_answer_resigns", PlaysOn).quick(),
    lines("answer_before_question", PlaysOn).quick(),
    lines("answer_to_last_question", Loses(IllegalMove, "")),
    lines("answer_with_old_id", PlaysOn).quick(),
    lines("answer_in_info_string", Loses(Timeout, "")).quick(),
    lines("resignation_in_info_string", PlaysOn).quick(),
    lines("answer_in_capitals", Loses(Timeout, "")),
    lines("answer_after_byte_order_mark", Loses(Timeout, "")),
    lines("answer_in_cyrillic", Loses(BadMove, "")),
    lines("answer_of_sixty_thousand_bytes", Loses(BadMove, "")),
    lines("answer_without_ply", Loses(BadMove, "without a ply")).quick(),
    lines("answer_of_a_thousand_plies", PlaysOn).quick(),
    lines("answer_with_a_thousand_pairs", PlaysOn),
    lines("line_of_the_longest_length", PlaysOn),
    lines("line_one_byte_too_long", Loses(Flood, "65536")).quick(),
    lines("escapes_in_answer", Loses(BadMove, "")),
    lines("numbers_out_of_range", PlaysOn).quick(),
    lines("info_just_below_the_limit", PlaysOn),
    lines("fifteen_mebibytes_at_every_decision", PlaysOn),
    lines("slow_drip_without_end", Loses(Timeout, "")).quick(),
    lines("slow_drip_of_an_answer", PlaysOn),
    lines("handshake_again", PlaysOn).quick(),
    lines("words_of_the_arena", PlaysOn).quick(),
    lines("rejection_in_mid_game", PlaysOn),
    lines("errors_in_mid_game", PlaysOn),
    lines("million_options", NoStart("wrote more than 262144 lines")),
    lines("hundred_thousand_options", PlaysOn).quick(),
    lines("long_identity", PlaysOn),
    lines("protocol_of_the_far_future", PlaysOn),
    lines("closed_stdout", Loses(Crash, "")).quick(),
    lines("closed_stdin", Loses(Timeout, "")),
    lines("closed_stdin_after_answer", Loses(Crash, "closed its standard input")),
    lines("stdin_never_read_again", Loses(Timeout, "")),
    lines("torrent_instead_of_readiness", Loses(Flood, "more than 262144 lines")),
    lines("torrent_between_games", PlaysOn),
    lines("stderr_flood", PlaysOn),
    lines("stderr_flood_for_ever", PlaysOn).quick(),
    faults("crash_at_start", NoStart("exit 3")).quick(),
    faults("crash_at_greeting", NoStart("exit 3")),
    faults("crash_at_set_up", Loses(Crash, "exit 3")).quick(),
    faults("crash_at_decision", Loses(Crash, "exit 3")),
    faults("crash_at_game_over", PlaysOn),
    faults("crash_at_quit", PlaysOn),
    faults("hang_at_start", NoStart("within 10s")),
    faults("hang_at_greeting", NoStart("within 10s")),
    faults("hang_at_set_up", Loses(Stall, "readyok")),
    faults("hang_at_decision", Loses(Timeout, "")),
    faults("hang_at_game_over", PlaysOn),
    faults("hang_at_quit", PlaysOn).quick(),
    faults("killed_by_itself", Loses(Crash, "signal 9")),
    faults("exit_after_answer", Loses(Crash, "exit 0")).quick(),
    faults("hang_ignoring_signals", Loses(Timeout, "")),
    faults("stops_itself", Loses(Timeout, "")).quick(),
    faults("becomes_cat", Loses(Timeout, "")),
    faults("becomes_yes", Loses(Flood, "more than 262144 lines")),
    faults("closes_everything", Loses(Crash, "")),
    faults("segmentation_fault", Loses(Crash, "signal 11")).in_c().quick(),
    faults("abort", Loses(Crash, "signal 6")).in_c().quick(),
    faults("illegal_instruction", Loses(Crash, "signal 4")).in_c(),
    faults("stack_overflow", Loses(Crash, "signal 11")).in_c(),
    faults("broken_pipe_signal", Loses(Crash, "signal 13")).in_c(),
    processes("fork_bomb", PlaysOn).quick(),
    processes("fork_bomb_and_death", Loses(Crash, "exit 0")),
    processes("double_fork", PlaysOn).quick(),
    processes("grandchild_holds_the_pipes", Loses(Crash, "exit 3")).quick(),
    processes("grandchild_plays_on", Loses(Crash, "exit 0")),
    processes("zombies", PlaysOn).quick(),
    processes("stopped_children", PlaysOn),
    processes("many_threads", PlaysOn),
    processes("siblings", PlaysOn).in_c().quick(),
    processes("grandchild_in_own_session", PlaysOn).quick(),
    processes("daemon", PlaysOn).quick(),
    processes("grandchild_in_own_session_holds_the_pipes", Loses(Crash, "")),
    others("answer_in_the_opponents_name", Basic).quick(),
    others("words_into_the_opponents_ear", Basic),
    others("words_into_the_arenas_descriptors", Basic),
    others("stop_the_arena", Basic).quick(),
    others("kill_the_arena", Basic).quick(),
    others("interrupt_the_arena", Basic),
    others("stop_the_opponent", Basic),
    others("kill_the_opponent", Basic).quick(),
    others("interrupt_the_opponent", Basic),
    others("kill_others_by_descriptor", Basic).in_c(),
    others("kill_everybody", Basic).as_own_user(),
    others("kill_own_group", Level::None).with_end(Loses(Crash, "")).quick(),
    others("slow_the_opponent_down", Basic),
    others("idle_class_for_others", Basic).in_c(),
    others("pin_the_opponent", Basic),
    others("limit_the_opponent", Basic),
    others("limit_others", Basic).in_c().quick(),
    others("trace_others", Basic).in_c().quick(),
    others("overwrite_memory_of_others", Basic).in_c(),
    others("open_memory_of_others", Basic).in_c(),
    others("take_descriptors_of_others", Basic).in_c(),
    others("delete_the_journal", Basic).quick(),
    others("append_to_the_journal", Basic),
    others("empty_the_journal", Basic),
    others("move_the_results", Basic),
    others("lock_the_results", Basic),
    others("change_the_tournament", Basic),
    others("read_a_secret_file", Basic).quick(),
    others("read_a_secret_of_the_environment", Basic).quick(),
    others("read_the_arenas_environment", Basic),
    others("inherited_descriptors", Basic),
    others("file_in_tmp", Basic).quick(),
    others("file_in_shared_memory", Basic),
    others("files_in_own_directories", Basic).quick(),
    others("fill_the_disk", Basic),
    others("system_v_shared_memory", Basic).quick(),
    others("system_v_semaphores", Basic),
    others("system_v_messages", Basic),
    others("kernel_keys", Basic).in_c(),
    others("new_namespaces", Basic).in_c().quick(),
    others("types_into_the_terminal", Basic).quick(),
    others("types_into_a_terminal_of_its_own", Basic),
    others("what_other_programs_load", Basic).quick(),
    others("private_directories_of_others", Basic),
    others("new_privileges", Basic),
    others("tcp", Basic).quick(),
    others("udp", Basic).quick(),
    others("listening_socket", Basic),
    others("abstract_socket", Basic).quick(),
    others("raw_socket", Basic),
    others("words_to_the_terminal", Level::None),
    others("busy_in_the_opponents_time", Level::None),
    others("eats_memory", Level::None),
    memory("memory_without_a_name", Level::None).quick(),
    memory("memory_without_a_name_or_descriptor", Basic).quick(),
    memory("memory_in_an_unlinked_file", Level::None),
    memory("memory_under_way", Basic),
    memory("shared_memory_mapped_in_part", Basic).quick(),
    memory("zeros_mapped_in_part", Basic),
    memory("memory_in_sockets", Level::None).quick(),
    memory("memory_in_pipes", Level::None),
    memory("memory_in_page_tables", Level::None).quick(),
    memory("memory_in_slots_of_pipes", Basic),
    texts("name_of_escapes", PlaysOn).quick(),
    texts("name_of_formula", PlaysOn).quick(),
    texts("name_of_at_formula", PlaysOn),
    texts("name_of_pgn", PlaysOn).quick(),
    texts("name_of_json", PlaysOn).quick(),
    texts("name_of_html", PlaysOn).quick(),
    texts("name_of_direction", PlaysOn),
    texts("name_of_path", PlaysOn),
    texts("name_of_comment", PlaysOn),
    texts("answer_of_escapes", Loses(BadMove, "")).with("transcripts: true\n").quick(),
    texts("answer_of_formula", Loses(BadMove, "")).with("transcripts: true\n"),
    texts("answer_of_at_formula", Loses(BadMove, "")).with("transcripts: true\n"),
    texts("answer_of_pgn", Loses(BadMove, "")).with("transcripts: true\n"),
    texts("answer_of_json", Loses(BadMove, "")).with("transcripts: true\n"),
    texts("answer_of_html", Loses(BadMove, "")).with("transcripts: true\n"),
    texts("answer_of_direction", Loses(BadMove, "")).with("transcripts: true\n"),
    texts("answer_of_path", Loses(BadMove, "")).with("transcripts: true\n"),
    texts("answer_of_comment", Loses(BadMove, "")).with("transcripts: true\n"),
    texts("refusal_of_escapes", Refuses),
];
