//! Every instruction that computes, with operands that are at an edge of something.

use own_games::RulesModule;

use crate::{ask, module};

const I32: [&str; 12] =
    ["0", "1", "-1", "2", "-3", "31", "32", "33", "128", "0x7fffffff", "0x80000000", "0x8000ffff"];

const I64: [&str; 12] = [
    "0",
    "1",
    "-1",
    "3",
    "63",
    "64",
    "65",
    "0x80000080",
    "0x7fffffffffffffff",
    "0x8000000000000000",
    "0x8000000000000401",
    "0x7fffffffffffffbf",
];

const F32: [&str; 20] = [
    "0",
    "-0",
    "1",
    "-1",
    "0.5",
    "-1.5",
    "2.5",
    "1e-45",
    "-1.1754942e-38",
    "3.4028235e38",
    "inf",
    "-inf",
    "nan",
    "-nan",
    "nan:0x1",
    "-nan:0x7fffff",
    "2147483648",
    "-2147483904",
    "4294967040",
    "9.223372e18",
];

const F64: [&str; 20] = [
    "0",
    "-0",
    "1",
    "-1",
    "0.5",
    "-1.5",
    "2.5",
    "5e-324",
    "-2.225073858507201e-308",
    "1.7976931348623157e308",
    "inf",
    "-inf",
    "nan",
    "-nan",
    "nan:0x1",
    "-nan:0xfffffffffffff",
    "2147483647.5",
    "-2147483649",
    "4294967296",
    "9223372036854775807",
];

/// Names of instructions by the types of their operands, after what they return.
const INSTRUCTIONS: [(&str, &[&str], &str); 23] = [
    ("i32", &["i32"], "i32.clz i32.ctz i32.popcnt i32.eqz i32.extend8_s i32.extend16_s"),
    (
        "i32",
        &["i32", "i32"],
        "i32.add i32.sub i32.mul i32.div_s i32.div_u i32.rem_s i32.rem_u i32.and i32.or i32.xor i32.shl i32.shr_s i32.shr_u
         i32.rotl i32.rotr i32.eq i32.ne i32.lt_s i32.lt_u i32.gt_s i32.gt_u i32.le_s i32.le_u i32.ge_s i32.ge_u",
    ),
    ("i64", &["i64"], "i64.clz i64.ctz i64.popcnt i64.extend8_s i64.extend16_s i64.extend32_s"),
    (
        "i64",
        &["i64", "i64"],
        "i64.add i64.sub i64.mul i64.div_s i64.div_u i64.rem_s i64.rem_u i64.and i64.or i64.xor i64.shl i64.shr_s i64.shr_u
         i64.rotl i64.rotr",
    ),
    (
        "i32",
        &["i64", "i64"],
        "i64.eq i64.ne i64.lt_s i64.lt_u i64.gt_s i64.gt_u i64.le_s i64.le_u i64.ge_s i64.ge_u",
    ),
    ("i32", &["i64"], "i64.eqz i32.wrap_i64"),
    ("f32", &["f32"], "f32.abs f32.neg f32.ceil f32.floor f32.trunc f32.nearest f32.sqrt"),
    ("f32", &["f32", "f32"], "f32.add f32.sub f32.mul f32.div f32.min f32.max f32.copysign"),
    ("i32", &["f32", "f32"], "f32.eq f32.ne f32.lt f32.gt f32.le f32.ge"),
    ("f64", &["f64"], "f64.abs f64.neg f64.ceil f64.floor f64.trunc f64.nearest f64.sqrt"),
    ("f64", &["f64", "f64"], "f64.add f64.sub f64.mul f64.div f64.min f64.max f64.copysign"),
    ("i32", &["f64", "f64"], "f64.eq f64.ne f64.lt f64.gt f64.le f64.ge"),
    (
        "i32",
        &["f32"],
        "i32.trunc_f32_s i32.trunc_f32_u i32.trunc_sat_f32_s i32.trunc_sat_f32_u i32.reinterpret_f32",
    ),
    ("i32", &["f64"], "i32.trunc_f64_s i32.trunc_f64_u i32.trunc_sat_f64_s i32.trunc_sat_f64_u"),
    ("i64", &["f32"], "i64.trunc_f32_s i64.trunc_f32_u i64.trunc_sat_f32_s i64.trunc_sat_f32_u"),
    (
        "i64",
        &["f64"],
        "i64.trunc_f64_s i64.trunc_f64_u i64.trunc_sat_f64_s i64.trunc_sat_f64_u i64.reinterpret_f64",
    ),
    ("i64", &["i32"], "i64.extend_i32_s i64.extend_i32_u"),
    ("f32", &["i32"], "f32.convert_i32_s f32.convert_i32_u f32.reinterpret_i32"),
    ("f32", &["i64"], "f32.convert_i64_s f32.convert_i64_u"),
    ("f64", &["i32"], "f64.convert_i32_s f64.convert_i32_u"),
    ("f64", &["i64"], "f64.convert_i64_s f64.convert_i64_u f64.reinterpret_i64"),
    ("f64", &["f32"], "f64.promote_f32"),
    ("f32", &["f64"], "f32.demote_f64"),
];

/// Writes what is in `$bits` as sixteen letters and returns their place.
const LETTERS: &str = "(loop $next
      (i32.store8 (i32.add (i32.const 32) (local.get $n))
        (i32.add (i32.const 97) (i32.wrap_i64 (i64.and (i64.const 15)
          (i64.shr_u (local.get $bits) (i64.extend_i32_u (i32.mul (i32.const 4) (local.get $n))))))))
      (local.set $n (i32.add (local.get $n) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $n) (i32.const 16))))
    (call $pack (i32.const 32) (i32.const 16))";

fn values(of: &str) -> &'static [&'static str] {
    match of {
        "i32" => &I32,
        "i64" => &I64,
        "f32" => &F32,
        _ => &F64,
    }
}

/// Returns what makes 64 bits of a value.
fn to_bits(of: &str, value: &str) -> String {
    match of {
        "i32" => format!("(i64.extend_i32_u {value})"),
        "i64" => value.to_owned(),
        "f32" => format!("(i64.extend_i32_u (i32.reinterpret_f32 {value}))"),
        _ => format!("(i64.reinterpret_f64 {value})"),
    }
}

/// Returns every list of operands of these types, by their numbers.
fn operands(types: &[&str]) -> Vec<Vec<usize>> {
    types.iter().fold(vec![Vec::new()], |lists, of| {
        let longer = |list: &Vec<usize>| {
            let list = list.clone();
            (0..values(of).len()).map(move |number| [list.as_slice(), &[number]].concat())
        };
        lists.iter().flat_map(longer).collect()
    })
}

/// Returns a module that performs an instruction with the operands whose numbers are asked for, as letters: they lie in memory, so
/// that no compiler knows them.
fn asked(result: &str, types: &[&str], name: &str) -> RulesModule {
    let mut definitions = String::from("(func $fill");
    let mut loads = String::new();
    for (place, of) in types.iter().enumerate() {
        let base = 4096 + 1024 * place;
        for (number, value) in values(of).iter().enumerate() {
            let at = base + 8 * number;
            definitions.push_str(&format!("({of}.store (i32.const {at}) ({of}.const {value}))"));
        }
        let letter = format!("(i32.sub (i32.load8_u offset={place} (local.get $place)) (i32.const 97))");
        loads.push_str(&format!("({of}.load (i32.add (i32.const {base}) (i32.shl {letter} (i32.const 3))))"));
    }
    definitions.push_str(") (start $fill)");
    let bits = to_bits(result, &format!("({name} {loads})"));
    module(&definitions, &format!("(local $n i32) (local $bits i64) (local.set $bits {bits}) {LETTERS}"))
}

/// The numbers of those floating-point values that a compiler may get wrong: zeros, one, the greatest, infinities and every NaN.
const KNOWN: [usize; 10] = [0, 1, 2, 9, 10, 11, 12, 13, 14, 15];

/// Returns a module that performs an instruction with such operands, which a compiler may do before it is asked. It answers with a
/// digest of what comes of it.
fn known(result: &str, types: &[&str], name: &str) -> RulesModule {
    let step = |numbers: &Vec<usize>| {
        let operand = |(of, number): (&&str, &usize)| format!("({of}.const {})", values(of)[*number]);
        let operands: String = types.iter().zip(numbers).map(operand).collect();
        let bits = to_bits(result, &format!("({name} {operands})"));
        format!("(local.set $bits (i64.mul (i64.const 0x100000001b3) (i64.xor (local.get $bits) {bits})))")
    };
    let are_known = |numbers: &&Vec<usize>| numbers.iter().all(|number| KNOWN.contains(number));
    let steps: String = operands(types).iter().filter(are_known).map(step).collect();
    module("", &format!("(local $n i32) (local $bits i64) {steps} {LETTERS}"))
}

#[test]
fn every_instruction_comes_to_the_same_in_both_engines() {
    for (result, types, names) in INSTRUCTIONS {
        for name in names.split_whitespace() {
            let module = asked(result, types, name);
            let mut traps = 0;
            for numbers in operands(types) {
                let question: String =
                    numbers.iter().map(|number| char::from(b'a' + *number as u8)).collect();
                traps += u32::from(ask(&module, &question).is_none());
            }
            let may_trap = [".div_", ".rem_", ".trunc_f"].iter().any(|part| name.contains(part));
            assert_eq!(traps > 0, may_trap && !name.starts_with('f'), "{name}: {traps} traps");
        }
    }
}

#[test]
fn what_a_compiler_may_compute_beforehand_comes_to_the_same() {
    for (result, types, names) in INSTRUCTIONS.iter().filter(|(_, types, _)| types[0].starts_with('f')) {
        let ends = |name: &&str| !name.contains(".trunc_f");
        for name in names.split_whitespace().filter(ends) {
            assert!(ask(&known(result, types, name), "about").is_some(), "{name}");
        }
    }
}
