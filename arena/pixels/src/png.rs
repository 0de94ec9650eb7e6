//! One picture as PNG.

use std::ops::RangeInclusive;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::PixelError;

/// How many pixels the longer side of a picture has at least and at most: less shows no board, more only fills memory.
pub const SIZES: RangeInclusive<i64> = 16..=4096;

/// Returns a picture as PNG, its longer side `size` pixels long. It is transparent where nothing is drawn.
///
/// # Errors
/// When `svg` is not a picture, or no picture has this size.
pub fn png(svg: &str, size: u32) -> Result<Vec<u8>, PixelError> {
    painted(svg, size)?.encode_png().map_err(|error| PixelError::Encode(error.to_string()))
}

/// Draws a picture, its longer side `size` pixels long.
pub(crate) fn painted(svg: &str, size: u32) -> Result<Pixmap, PixelError> {
    let tree =
        Tree::from_str(svg, &Options::default()).map_err(|error| PixelError::Picture(error.to_string()))?;
    let (width, height) = (tree.size().width(), tree.size().height());
    let scale = size as f32 / width.max(height);
    let pixels = |side: f32| ((side * scale).round() as u32).max(1);
    let mut pixmap = Pixmap::new(pixels(width), pixels(height)).ok_or(PixelError::Size(size))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    Ok(pixmap)
}

#[cfg(test)]
mod tests {
    use board::{Drawing, Marks, Scene, Story, plain_picture};

    use super::*;

    /// A board of some game, as pixels, a hundred of them a cell at most.
    struct Painted {
        drawing: Drawing,
        pixmap: Pixmap,
        scale: f64,
    }

    impl Painted {
        fn of(game: &str, options: &[(&str, &str)], plies: &[&str]) -> Self {
            let setup = rules::find(game).expect("a game").setup(options).expect("options");
            let drawing = Drawing::of(&setup).expect("a drawing");
            let mut referee = setup.referee(None).expect("a start");
            let scene = |position: &str| Scene::of(&drawing, position).expect("a scene");
            let mut now = scene(&referee.position());
            let mut story = Story::default();
            for ply in plies {
                let (before, is_first) = (now.clone(), referee.turn().is_fresh);
                referee.submit(ply).expect("legal");
                now = scene(&referee.position());
                if is_first {
                    story.turn.clear();
                }
                story.turn.push(Marks::of(&drawing, &before, ply, &now));
            }
            story.end = referee.end();
            let svg = plain_picture(&drawing, &now, &story);
            let bytes = png(&svg, 600).expect("pixels");
            let pixmap = Pixmap::decode_png(&bytes).expect("a PNG");
            let (width, height) = drawing.size();
            assert_eq!(pixmap.width().max(pixmap.height()), 600);
            Self { scale: 600.0 / width.max(height), drawing, pixmap }
        }

        /// Returns the colour so far from the middle of a cell, in hundredths of a cell.
        fn at(&self, cell: &str, right: f64, down: f64) -> [u8; 3] {
            let place = self.drawing.places().iter().find(|place| place.name == cell).expect("a cell");
            self.colour(place.x + right, place.y + down)
        }

        fn colour(&self, x: f64, y: f64) -> [u8; 3] {
            let (x, y) = ((x * self.scale) as u32, (y * self.scale) as u32);
            let colour = self.pixmap.pixel(x, y).expect("it lies within").demultiply();
            [colour.red(), colour.green(), colour.blue()]
        }
    }

    #[track_caller]
    fn is_near(seen: [u8; 3], colour: &str) {
        let part = |at: usize| u8::from_str_radix(&colour[at..at + 2], 16).expect("two digits");
        let far = [1, 3, 5].map(part).iter().zip(seen).any(|(want, is)| want.abs_diff(is) > 6);
        assert!(!far, "{seen:02x?} is not {colour}");
    }

    #[test]
    fn the_boards_of_all_games_have_their_colours() {
        // Where no piece covers the cell, so far from its middle.
        let grounds = [
            ("farook", "b2", 20.0, "#e9d9bd"),
            ("faust", "b2", 20.0, "#2f8f5f"),
            ("frenzy", "d4", 44.0, "#79bce0"),
            ("2-frenzy", "c4", 44.0, "#8ccbea"),
            ("sophia", "b2", 20.0, "#cbc4d6"),
            ("fanorona", "e3", 30.0, "#e3bd84"),
        ];
        for game in rules::GAMES {
            let known = grounds.iter().find(|(id, ..)| *id == game.id);
            let (id, cell, beside, ground) = known.expect("the ground of every game is known");
            is_near(Painted::of(id, &[], &[]).at(cell, *beside, beside * 0.5), ground);
        }
        let fish = Painted::of("frenzy", &[], &[]).at("d4", 0.0, 0.0);
        assert!(fish.iter().all(|part| *part < 60 || *part > 200), "a fish, pale or deep: {fish:?}");
        let fanorona = Painted::of("fanorona", &[], &[]);
        is_near(fanorona.at("e3", 20.0, 0.0), "#5d3c1c");
        let (white, black) = (fanorona.at("e1", -8.0, -8.0), fanorona.at("e5", -8.0, -8.0));
        assert!(
            white.iter().all(|part| *part > 220) && black.iter().all(|part| *part < 110),
            "{white:?} {black:?}"
        );
    }

    #[test]
    fn frame_coordinates_and_the_last_ply_are_drawn() {
        let painted = Painted::of("fanorona", &[], &["d2e3+"]);
        is_near(painted.colour(20.0, 20.0), "#7a4f2a");
        // The upright of the 1 of the first rank.
        let one = painted.drawing.places().iter().find(|place| place.name == "a1").expect("a cell");
        let margin = one.x - 50.0;
        is_near(painted.colour(margin / 2.0 + 0.03 * margin, one.y + 0.06 * margin), "#f6e3c6");
        // The arrow leaves d2.
        let [red, _, blue] = painted.at("d2", 25.0, -25.0);
        assert!(blue > 150 && red < 100, "{red} {blue}");
        // f4 and g5 were taken: a cross of dark red.
        is_near(painted.at("f4", 10.0, 10.0), "#b3001b");
    }

    #[test]
    fn a_frame_lies_around_what_ended_the_game_and_covers_no_stone() {
        let plies = ["a1", "a4", "b1", "b4", "c1", "c4", "d1"];
        let (before, after) = (Painted::of("farook", &[], &plies[..6]), Painted::of("farook", &[], &plies));
        for cell in ["a1", "b1", "c1", "d1"] {
            is_near(after.at(cell, 0.0, -46.0), "#5b1fb8");
        }
        let middles = |painted: &Painted| ["a1", "b1", "c1", "a4"].map(|cell| painted.at(cell, 0.0, 0.0));
        assert_eq!(middles(&before), middles(&after));
    }

    #[test]
    fn the_earlier_plies_of_a_turn_are_marked_as_well() {
        let turn = ["Sd7", "Se7", "Sd2", "Se2", "d7d6", "e7e6"];
        let marked = |plies: &[&str]| Painted::of("2-frenzy", &[], plies).at("d7", -30.0, -30.0);
        // The cell that the first ply of the turn left keeps its tint while the second one is the last.
        assert_eq!(marked(&turn), marked(&turn[..5]));
        assert_ne!(marked(&turn), marked(&turn[..4]));
    }

    #[test]
    fn every_size_of_a_board_fits_its_picture_and_equal_boards_have_equal_bytes() {
        let setup = rules::find("faust").expect("a game").setup(&[("size", "19")]).expect("a size");
        let drawing = Drawing::of(&setup).expect("a drawing");
        let scene = Scene::of(&drawing, &setup.referee(None).expect("a start").position()).expect("a scene");
        let svg = plain_picture(&drawing, &scene, &Story::default());
        for size in [16, 333, 1024] {
            let bytes = png(&svg, size).expect("pixels");
            assert_eq!(bytes, png(&svg, size).expect("pixels"));
            let pixmap = Pixmap::decode_png(&bytes).expect("a PNG");
            assert_eq!(pixmap.width().max(pixmap.height()), size);
        }
    }
}
