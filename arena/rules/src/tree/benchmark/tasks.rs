//! The positions of the benchmark: the start of each game and typical later stages.

use super::BenchPosition;

const fn task(
    game: &'static str,
    name: &'static str,
    from: Option<&'static str>,
    depth: u32,
    nodes: u64,
) -> BenchPosition {
    BenchPosition { game, name, from, depth, nodes }
}

/// The positions of tables of more than two seats. The benchmark counts them only on request, because its signature is that of
/// games for two seats.
#[rustfmt::skip]
pub static TABLE_BENCH_POSITIONS: &[BenchPosition] = &[
    task("2-frenzy players=3", "start", None, 3, 106_032),
    task("2-frenzy players=3", "opening", Some("TF1fffGGG/sFFFff1GG/FFF1SfGGG/FFFff1G1G/FFsfffGGG/F1F1fT1S1/FFFfff3/FFFfff3 p1 phase=play left=2 used=- out=- n=6"), 3, 244_418),
    task("2-frenzy players=3", "late", Some("9/2s3G2/3FG1G2/2fFFGG2/1FFf1FG2/2FT2GSF/FF7/F7s p2 phase=play left=1 used=c5 out=- n=43"), 4, 517_698),
    task("2-frenzy players=4", "start", None, 3, 105_280),
    task("2-frenzy players=4", "late", Some("ff5G/2T4G/8/4gg2/3tS3/1s6/F7/F7 p1 phase=play left=2 used=- out=- n=5"), 4, 1_938),
    task("2-frenzy players=4", "two out", Some("ffS5/8/2G5/4g3/3FFg2/3Fg2T/4ggg1/8 p1 phase=play left=2 used=- out=p2:4,p4:3 n=35"), 4, 8_906),
];

/// Every position of the benchmark, in the order of the games. A change of this list changes the signature. One line each, of
/// any length.
#[rustfmt::skip]
pub static BENCH_POSITIONS: &[BenchPosition] = &[
    task("farook", "start", None, 5, 1_624_416),
    task("farook", "drops", Some("1b1b/1w2/3w/w2w p1 stock=2,4,2 last=-,b4 ko=- n=8"), 5, 3_052_921),
    task("farook", "wild", Some("1bw1/1b1w/wb1b/w1bb p1 stock=2,0,2 last=a1,- ko=- n=16"), 5, 1_764_572),
    task("farook", "moves", Some("xb1w/www1/wb1b/1bbw p1 stock=0,1,1 last=-,d2 ko=- n=24"), 6, 1_221_355),
    task("faust", "start", None, 3, 254_016),
    task("faust", "opening", Some("2b4b/5b2/5wb1/3b3w/bw3w1b/2w5/w4bw1/4w3 p1 c=bw n=16"), 4, 4_670_678),
    task("faust", "middle", Some("1bbwwwb1/1bbbwww1/wbw1bb1w/1bwbwbww/3wwb1b/w1wbbbbb/2bwwwwb/bb2wwb1 p1 c=bw n=48"), 5, 1_816_085),
    task("faust", "full", Some("wwbbwwww/wbbbwwww/www1bwbb/bbbwwwbb/wbwbb1bb/wwwbbbbb/wwbbbwbb/wbbbbbbb p1 c=bw n=70"), 7, 221_351),
    task("frenzy", "start", None, 4, 1_273_576),
    task("frenzy", "school", Some("8/2sfff2/1f1ffff1/1fffffff/1ffsff2/1f1ffff1/3fff2/8 p2 phase=play n=6"), 4, 1_956_455),
    task("frenzy", "middle", Some("3f4/4fs2/1fff2f1/1fffff1f/3fff2/2fsfff1/5f2/6f1 p2 phase=play n=22"), 4, 586_354),
    task("frenzy", "late", Some("8/2f5/1f1sf3/2ff4/1f6/1ff5/2s5/8 p2 phase=play n=32"), 6, 3_062_829),
    task("2-frenzy", "start", None, 4, 984_064),
    task("2-frenzy", "opening", Some("ffffSfff/ffff1fff/fffff1ff/ff1ffS1f/FFFFFFFF/sFFFFFFF/Fs1FF1FF/FFFFFFFF p1 phase=play left=2 used=- n=6"), 4, 3_713_840),
    task("2-frenzy", "middle", Some("1fff1fff/fSf1ffff/F2ffff1/1FSf2ff/FF1Fs1F1/FF1FFFF1/F1F1F1Fs/FFFFF1FF p1 phase=play left=2 used=- n=22"), 3, 899_624),
    task("2-frenzy", "late", Some("1ff5/1S6/8/8/4F3/1F2F3/2FF1s2/sFFFF3 p2 phase=play left=2 used=- n=33"), 5, 1_103_254),
    task("sophia", "start", None, 4, 698_880),
    task("sophia", "drops", Some("1B1a/3A/b1BA/1a1B p1 stock=3,3 c=AB n=8"), 6, 1_068_480),
    task("sophia", "moves", Some("bAbb/BBba/aaAA/1b1A p1 stock=0,0 c=AB n=24"), 8, 2_779_153),
    task("sophia", "late", Some("b1bb/ABba/bAA1/aAbA p1 stock=0,0 c=AB n=16"), 8, 1_642_657),
    task("fanorona", "start", None, 5, 431_852),
    task("fanorona", "chains", Some("1b3b1b1/3b2b1b/3w5/9/ww3w3 p1 quiet=3"), 7, 5_697_828),
    task("fanorona", "middle", Some("b8/9/4b3w/bb5ww/3w1w3 p1 quiet=0"), 6, 3_451_340),
    task("fanorona", "quiet", Some("9/2b3w2/b8/9/2b5w p1 quiet=21"), 6, 1_631_436),
];
