//! What takes the place of headers that only Visual Studio has.

use super::sheet::Sheet;

/// What a source that does not compile as it is gets in front.
pub(super) const VISUAL_STUDIO: &str = include_str!("stand_ins/visual_studio.h");

/// Headers with what takes their place. An assignment may have further ones, and others for these.
const STAND_INS: [(&str, &str); 5] = [
    ("windows.h", include_str!("stand_ins/windows.h")),
    ("conio.h", include_str!("stand_ins/conio.h")),
    ("tchar.h", include_str!("stand_ins/tchar.h")),
    ("stdafx.h", "#include <cstdio>\n#include <tchar.h>\n"),
    ("pch.h", "#include <tchar.h>\n"),
];

impl Sheet {
    /// All headers with their stand-ins: those of the assignment before those of arbiter.
    pub(super) fn stand_ins(&self) -> impl Iterator<Item = (&str, &str)> {
        let of_course = self.assignment.stand_ins.iter().map(|(name, text)| (&**name, &**text));
        of_course.chain(STAND_INS)
    }

    /// What takes the place of a header, in whatever letter case it is written; `None` for one
    /// that is there, or nowhere.
    pub(super) fn stand_in(&self, header: &str) -> Option<&str> {
        let (_, text) = self.stand_ins().find(|(name, _)| name.eq_ignore_ascii_case(header))?;
        Some(text)
    }
}
