//! A game as an animated GIF: the pictures of [`report::picture`](arbiter_cup::report::picture),
//! painted.

use arbiter_cup::report::picture::{Align, Ink, Picture, Shape, letter_width};
use arbiter_game::replay::Timeline;
use font8x8::UnicodeFonts;
use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use std::borrow::Cow;
use std::io::{self, Write};

/// How long a ply is shown, in hundredths of a second.
const DELAY: u16 = 80;
/// The index of the colour of pixels that stay as they are, which is no colour.
const UNCHANGED: u8 = Ink::ALL.len() as u8;
/// How long the last one is shown.
const LAST_DELAY: u16 = 400;

/// The most plies of a GIF, which is a picture of half an hour then; each is a frame that takes
/// milliseconds.
pub const GIF_PLIES: usize = 2000;

/// Writes a game of at most [`GIF_PLIES`] as a GIF that repeats for ever, a frame for each ply from
/// the start position on. Only what has changed since the frame before is written.
///
/// # Errors
/// It cannot be written.
pub fn write_gif(out: impl Write, game: &Timeline) -> io::Result<()> {
    encode(out, game).map_err(|error| match error {
        EncodingError::Io(error) => error,
        error => io::Error::other(error),
    })
}

fn encode(out: impl Write, game: &Timeline) -> Result<(), EncodingError> {
    let start = Picture::new(game, 0);
    let [width, height] = [start.width, start.height].map(|size| size as u16); // below 1000
    // The last colour is that of `UNCHANGED`, which is never painted.
    let palette: Vec<u8> = Ink::ALL.into_iter().flat_map(Ink::rgb).chain([0; 3]).collect();
    let mut encoder = Encoder::new(out, width, height, &palette)?;
    encoder.set_repeat(Repeat::Infinite)?;
    let mut before = Canvas { width: width.into(), height: height.into(), pixels: Vec::new() };
    for plies in 0..=game.len() {
        let canvas = Canvas::paint(&Picture::new(game, plies));
        let frame = Frame {
            delay: if plies == game.len() { LAST_DELAY } else { DELAY },
            dispose: DisposalMethod::Keep,
            transparent: Some(UNCHANGED),
            width,
            height,
            buffer: Cow::Owned(canvas.since(&before)),
            ..Frame::default()
        };
        encoder.write_frame(&frame)?;
        before = canvas;
    }
    Ok(())
}

/// Pixels, each the index of its colour in [`Ink::ALL`].
#[derive(Debug, PartialEq, Eq)]
struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

/// The rows of a letter, a bit each point; `None` if the font does not have it.
fn glyph(letter: char) -> Option<[u8; 8]> {
    font8x8::BASIC_FONTS.get(letter).or(font8x8::LATIN_FONTS.get(letter))
}

impl Canvas {
    fn paint(picture: &Picture) -> Canvas {
        let width = picture.width as usize;
        let height = picture.height as usize;
        let mut canvas = Canvas { width, height, pixels: vec![0; width * height] };
        for shape in &picture.shapes {
            canvas.shape(shape);
        }
        canvas
    }

    fn shape(&mut self, shape: &Shape) {
        match *shape {
            Shape::Rectangle { x, y, width, height, ink } => {
                for row in y..y + height {
                    for column in x..x + width {
                        self.set(column, row, ink);
                    }
                }
            }
            Shape::Disc { x, y, radius, edge, ink, edge_ink } => {
                self.disc((x, y), [radius, edge], [ink, edge_ink])
            }
            Shape::Arrow { from, to, thick, ink } => self.arrow(from, to, thick, ink),
            Shape::Text { x, y, size, align, ink, ref text } => {
                let step = letter_width(size);
                let width = step * text.chars().count() as i32;
                let left = match align {
                    Align::Left => x,
                    Align::Centre => x - width / 2,
                    Align::Right => x - width,
                };
                for (place, letter) in text.chars().enumerate() {
                    let corner = (left + step * place as i32 + (step - 8) / 2, y - size / 2);
                    self.letter(corner, size / 8, ink, letter);
                }
            }
        }
    }

    /// A circle whose centre is the corner that four pixels share.
    fn disc(&mut self, (x, y): (i32, i32), [radius, edge]: [i32; 2], [ink, edge_ink]: [Ink; 2]) {
        let inner = radius - edge;
        for down in -radius..radius {
            for right in -radius..radius {
                // Twice the distance of the pixel's centre, squared.
                let distance = (2 * right + 1).pow(2) + (2 * down + 1).pow(2);
                if distance <= (2 * inner).pow(2) {
                    self.set(x + right, y + down, ink);
                } else if distance <= (2 * radius).pow(2) {
                    self.set(x + right, y + down, edge_ink);
                }
            }
        }
    }

    /// A line of discs, which grow narrower towards the tip.
    fn arrow(&mut self, from: (i32, i32), to: (i32, i32), thick: i32, ink: Ink) {
        let across = to.0 - from.0;
        let down = to.1 - from.1;
        let steps = across.abs().max(down.abs()).max(1);
        for step in 0..=steps {
            let left = steps - step;
            let radius = if left < 3 * thick { left / 2 } else { thick / 2 };
            let place = (from.0 + across * step / steps, from.1 + down * step / steps);
            self.disc(place, [radius.max(1), 0], [ink, ink]);
        }
    }

    /// A letter of 8 by 8 points, each one pixel wide and `scale` pixels high; a question mark for
    /// one that the font does not have.
    fn letter(&mut self, (x, y): (i32, i32), scale: i32, ink: Ink, letter: char) {
        let glyph = glyph(letter).or(glyph('?')).unwrap_or_default();
        for (row, bits) in (0..).zip(glyph) {
            for column in (0..8).filter(|column| bits >> column & 1 == 1) {
                for down in 0..scale {
                    self.set(x + column, y + scale * row + down, ink);
                }
            }
        }
    }

    /// Sets a pixel, if it is on the canvas.
    fn set(&mut self, x: i32, y: i32, ink: Ink) {
        if let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y))
            && x < self.width
            && y < self.height
        {
            self.pixels[y * self.width + x] = ink as u8;
        }
    }

    /// The pixels that differ from those before, and [`UNCHANGED`] for the others, which takes
    /// hardly any room.
    fn since(&self, before: &Canvas) -> Vec<u8> {
        let mut pixels = self.pixels.clone();
        for (pixel, earlier) in pixels.iter_mut().zip(&before.pixels) {
            if pixel == earlier {
                *pixel = UNCHANGED;
            }
        }
        pixels
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_game::Settings;
    use arbiter_game::record::read_log;
    use gif::DecodeOptions;

    #[test]
    fn the_frames_add_up_to_the_pictures() {
        let log =
            b"[White \"w\"] [Black \"b\"] [Result \"1-0\"] [Game \"gekitai\"] [Outcome \"win\"]
            [Termination \"resign\"] 1. c3 {0.5s} c4 {0.25s} 2. d4 b2 1-0";
        let record = read_log(log).next().unwrap().unwrap();
        let game = Timeline::new(record, &Settings::default().time);
        assert_eq!(game.len(), 4);
        let mut bytes = Vec::new();
        write_gif(&mut bytes, &game).unwrap();
        let mut decoder = DecodeOptions::new().read_info(&bytes[..]).unwrap();
        assert_eq!(decoder.repeat(), Repeat::Infinite);
        let mut screen = vec![0; usize::from(decoder.width()) * usize::from(decoder.height())];
        let mut frames = 0;
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            let changed = screen.iter_mut().zip(frame.buffer.iter());
            changed.filter(|(_, new)| **new != UNCHANGED).for_each(|(old, new)| *old = *new);
            assert_eq!(
                screen,
                Canvas::paint(&Picture::new(&game, frames)).pixels,
                "frame {frames}"
            );
            frames += 1;
        }
        assert_eq!(frames, 5);
        assert!(bytes.len() < 20_000, "{}: only what has changed is written", bytes.len());
    }
}
