//! Marks as other systems read them. Each system has a file of its own.
//!
//! A text of a student's program is never at the beginning of a line that a system takes for a
//! command.

mod autolab;
mod classroom;
mod gradescope;
mod json;
mod junit;
mod line;
mod prairielearn;
mod vpl;

use super::marks::MarkedSubmission;
use super::sheet::Sheet;
use arbiter_rules::text::words;

words! {
    /// The form in which marks are written for another system.
    Format {
        /// One object with all marks and cases.
        Json = "json",
        /// A test suite a submission, for programs that run tests.
        Junit = "junit",
        /// `results.json` of Gradescope.
        Gradescope = "gradescope",
        /// The result of a runner of GitHub Classroom.
        Classroom = "classroom",
        /// The last line of an autograder of Autolab.
        Autolab = "autolab",
        /// `results.json` of PrairieLearn.
        Prairielearn = "prairielearn",
        /// The output of an evaluation of VPL for Moodle.
        Vpl = "vpl",
    }
}

impl Format {
    /// Whether it is about one submission: these systems start a program for each student.
    pub fn is_of_one(self) -> bool {
        !matches!(self, Format::Json | Format::Junit)
    }

    /// The name of its file in `--out`.
    pub fn file(self) -> &'static str {
        match self {
            Format::Json => "marks.json",
            Format::Junit => "junit.xml",
            Format::Gradescope | Format::Prairielearn => "results.json",
            Format::Classroom => "classroom.txt",
            Format::Autolab => "autolab.txt",
            Format::Vpl => "vpl.txt",
        }
    }
}

impl Sheet {
    /// The marks of a class in a format, with a newline at the end.
    ///
    /// # Errors
    /// The format is about one submission, and there is another number of them: a sentence.
    pub fn formatted(&self, format: Format, class: &[MarkedSubmission]) -> Result<String, String> {
        let one = match class {
            [one] => Ok(one),
            _ => Err(format!(
                "{format} is about one submission, and there are {}; mark each alone, or take json \
                 or junit",
                class.len()
            )),
        };
        let mut text = match format {
            Format::Json => json::text(self, class),
            Format::Junit => junit::text(self, class),
            Format::Gradescope => gradescope::text(self, one?),
            Format::Classroom => classroom::text(self, one?),
            Format::Autolab => autolab::text(one?),
            Format::Prairielearn => prairielearn::text(self, one?),
            Format::Vpl => vpl::text(self, one?),
        };
        text.truncate(text.trim_end().len());
        text.push('\n');
        Ok(text)
    }
}

#[cfg(test)]
mod tests;
