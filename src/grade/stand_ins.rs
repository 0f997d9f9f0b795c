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
    /// What takes the place of a header, in whatever letter case it is written; `None` for one
    /// that is there, or nowhere.
    pub(super) fn stand_in(&self, header: &str) -> Option<&str> {
        let of_course = self.assignment.stand_ins.iter().map(|(name, text)| (&**name, &**text));
        let mut all = of_course.chain(STAND_INS);
        all.find(|(name, _)| name.eq_ignore_ascii_case(header)).map(|(_, text)| text)
    }

    /// The names of all headers that have a stand-in.
    pub(super) fn stand_in_names(&self) -> Vec<&str> {
        let of_course = self.assignment.stand_ins.keys().map(String::as_str);
        STAND_INS.iter().map(|(name, _)| *name).chain(of_course).collect()
    }
}
