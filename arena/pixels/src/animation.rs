//! Many pictures as one that moves, in the format GIF.

use std::collections::HashMap;
use std::time::Duration;

use color_quant::NeuQuant;
use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use resvg::tiny_skia::{Color, Pixmap, PixmapPaint, Transform};

use crate::PixelError;
use crate::png::painted;

/// How many colours a picture has: one of 256 is left for pixels that stay as they are.
const COLOURS: usize = 255;

/// The colour of pixels that stay as they are.
const SAME: u8 = 255;

/// From how many frames, spread over all of them, the colours are chosen.
const SAMPLES: usize = 6;

/// One in this many pixels of a sample counts.
const SPARSE: i32 = 10;

/// How long the frames of an animated picture are shown. GIF counts in hundredths of a second, up to 655.35 s; most programs
/// show nothing for less than two of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Each frame but the last.
    pub each: Duration,
    /// The last frame, before the picture begins again.
    pub last: Duration,
}

/// Returns an animated picture of these frames, all of one shape, the longer side of each `size` pixels long. It repeats for
/// ever. Each frame holds only the rectangle that differs from the one before.
///
/// # Errors
/// When a frame is not a picture, when there is none, or no picture has this size.
pub fn gif(frames: &[String], size: u32, pace: Pace) -> Result<Vec<u8>, PixelError> {
    let (first, last) = (frames.first().ok_or(PixelError::Nothing)?, frames.len() - 1);
    let first = opaque(first, size)?;
    let (width, height) = (side(first.width(), size)?, side(first.height(), size)?);
    let mut palette = Palette::of(frames, size)?;
    let mut bytes = Vec::new();
    let mut encoder =
        Encoder::new(&mut bytes, width, height, &palette.colours.color_map_rgb()).map_err(encode)?;
    encoder.set_repeat(Repeat::Infinite).map_err(encode)?;
    let mut before = Vec::new();
    for (index, svg) in frames.iter().enumerate() {
        let pixmap = if index == 0 { first.clone() } else { opaque(svg, size)? };
        if (pixmap.width(), pixmap.height()) != (first.width(), first.height()) {
            return Err(PixelError::Picture("the frames have different shapes".to_owned()));
        }
        let now = palette.indices(&pixmap);
        let shown = if index == last { pace.last } else { pace.each };
        encoder.write_frame(&difference(&before, &now, width, shown)).map_err(encode)?;
        before = now;
    }
    drop(encoder);
    Ok(bytes)
}

fn side(pixels: u32, size: u32) -> Result<u16, PixelError> {
    u16::try_from(pixels).map_err(|_| PixelError::Size(size))
}

#[expect(clippy::needless_pass_by_value, reason = "`map_err` calls it")]
fn encode(error: EncodingError) -> PixelError {
    PixelError::Encode(error.to_string())
}

/// Draws a picture on white.
fn opaque(svg: &str, size: u32) -> Result<Pixmap, PixelError> {
    // No frame is larger than a GIF can be.
    side(size, size)?;
    let drawn = painted(svg, size)?;
    let mut pixmap = Pixmap::new(drawn.width(), drawn.height()).ok_or(PixelError::Size(size))?;
    pixmap.fill(Color::WHITE);
    pixmap.draw_pixmap(0, 0, drawn.as_ref(), &PixmapPaint::default(), Transform::identity(), None);
    Ok(pixmap)
}

/// The colours of a picture, and which of them stands for a colour that was met.
struct Palette {
    colours: NeuQuant,
    known: HashMap<[u8; 4], u8>,
}

impl Palette {
    /// Chooses colours from some of the frames, the first and the last among them.
    fn of(frames: &[String], size: u32) -> Result<Self, PixelError> {
        let last = frames.len().saturating_sub(1);
        let mut places: Vec<_> = (0..SAMPLES).map(|part| part * last / (SAMPLES - 1)).collect();
        places.dedup();
        let mut pixels = Vec::new();
        for place in places {
            pixels.extend_from_slice(opaque(&frames[place], size)?.data());
        }
        Ok(Self { colours: NeuQuant::new(SPARSE, COLOURS, &pixels), known: HashMap::new() })
    }

    /// Returns the number of the colour of each pixel.
    fn indices(&mut self, pixmap: &Pixmap) -> Vec<u8> {
        let (pixels, _) = pixmap.data().as_chunks::<4>();
        let Self { colours, known } = self;
        let mut index =
            |pixel: &[u8; 4]| *known.entry(*pixel).or_insert_with(|| colours.index_of(pixel) as u8);
        pixels.iter().map(&mut index).collect()
    }
}

/// Returns a frame of the smallest rectangle that holds all pixels that have changed; the whole picture if there was none
/// before.
fn difference(before: &[u8], now: &[u8], width: u16, shown: Duration) -> Frame<'static> {
    let across = usize::from(width);
    let has_changed = |place: usize| before.get(place) != Some(&now[place]);
    let changed = || (0..now.len()).filter(|place| has_changed(*place));
    let row = |place: usize| place / across;
    let (top, bottom) = (changed().next().map_or(0, row), changed().next_back().map_or(0, row));
    let left = changed().map(|place| place % across).min().unwrap_or(0);
    let right = changed().map(|place| place % across).max().unwrap_or(0);
    let places = (top..=bottom).flat_map(|row| (left..=right).map(move |column| row * across + column));
    let pixels: Vec<u8> = places.map(|place| if has_changed(place) { now[place] } else { SAME }).collect();
    let short = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
    Frame {
        delay: short((shown.as_millis() / 10).max(2) as usize),
        dispose: DisposalMethod::Keep,
        transparent: Some(SAME),
        left: short(left),
        top: short(top),
        width: short(right - left + 1),
        height: short(bottom - top + 1),
        buffer: pixels.into(),
        ..Frame::default()
    }
}

#[cfg(test)]
mod tests {
    use gif::{ColorOutput, DecodeOptions};

    use super::*;

    const PACE: Pace = Pace { each: Duration::from_millis(500), last: Duration::from_secs(3) };

    /// A ground of 40 by 20 with a rectangle of its own colour so far to the right.
    fn squares(colours: &[(&str, u32)]) -> Vec<String> {
        let square = |(colour, x): &(&str, u32)| {
            format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 40 20\" width=\"40\" height=\"20\">\
                 <rect width=\"40\" height=\"20\" fill=\"#e9d9bd\"/><rect x=\"{x}\" y=\"4\" width=\"6\" height=\"8\" fill=\"{colour}\"/></svg>"
            )
        };
        colours.iter().map(square).collect()
    }

    /// A frame as a program shows it.
    struct Shown {
        delay: u16,
        size: (u16, u16),
        canvas: Vec<[u8; 3]>,
    }

    /// What a program shows: every frame laid over those before it.
    fn shown(bytes: &[u8]) -> Vec<Shown> {
        let mut options = DecodeOptions::new();
        options.set_color_output(ColorOutput::RGBA);
        let mut decoder = options.read_info(bytes).expect("a GIF");
        assert_eq!(decoder.repeat(), Repeat::Infinite);
        let across = usize::from(decoder.width());
        let mut canvas = vec![[0; 3]; across * usize::from(decoder.height())];
        let mut all = Vec::new();
        while let Some(frame) = decoder.read_next_frame().expect("a frame") {
            let (pixels, _) = frame.buffer.as_chunks::<4>();
            for (place, [red, green, blue, alpha]) in pixels.iter().enumerate() {
                let (row, column) = (place / usize::from(frame.width), place % usize::from(frame.width));
                let at = (row + usize::from(frame.top)) * across + column + usize::from(frame.left);
                if *alpha > 0 {
                    canvas[at] = [*red, *green, *blue];
                }
            }
            let size = (frame.width, frame.height);
            all.push(Shown { delay: frame.delay, size, canvas: canvas.clone() });
        }
        all
    }

    #[test]
    fn every_frame_is_shown_as_it_was_drawn_and_the_last_one_longer() {
        let frames = squares(&[("#1d1f24", 2), ("#1d1f24", 12), ("#b3001b", 12), ("#b3001b", 12)]);
        let seen = shown(&gif(&frames, 80, PACE).expect("a picture"));
        assert_eq!(seen.iter().map(|frame| frame.delay).collect::<Vec<_>>(), [50, 50, 50, 300]);
        for (frame, seen) in frames.iter().zip(&seen) {
            let drawn = opaque(frame, 80).expect("a picture");
            assert_eq!((drawn.width(), drawn.height()), (80, 40));
            let (pixels, _) = drawn.data().as_chunks::<4>();
            let far =
                |pixel: &[u8; 4], seen: &[u8; 3]| (0..3).any(|part| pixel[part].abs_diff(seen[part]) > 8);
            assert!(!pixels.iter().zip(&seen.canvas).any(|(pixel, seen)| far(pixel, seen)));
        }
        // What stays is not written again.
        assert_eq!(
            seen.iter().map(|frame| frame.size).collect::<Vec<_>>(),
            [(80, 40), (32, 16), (12, 16), (1, 1)]
        );
    }

    #[test]
    fn equal_frames_give_equal_bytes_and_no_frame_is_no_picture() {
        let frames = squares(&[("#2f8f5f", 2), ("#79bce0", 20)]);
        let made = || gif(&frames, 64, PACE).expect("a picture");
        assert_eq!(made(), made());
        assert!(matches!(gif(&[], 64, PACE), Err(PixelError::Nothing)));
        assert!(matches!(gif(&["<svg".to_owned()], 64, PACE), Err(PixelError::Picture(_))));
        assert!(matches!(gif(&frames, 70_000, PACE), Err(PixelError::Size(70_000))));
    }
}
