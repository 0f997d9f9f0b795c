//! The file in the body of a form (`multipart/form-data`, RFC 7578), taken out while it arrives.
//!
//! ```text
//! --BOUNDARY
//! Content-Disposition: form-data; name="file"; filename="bot.zip"
//! Content-Type: application/zip
//!
//! bytes of the file
//! --BOUNDARY--
//! ```

/// The most bytes of the headers of a part.
const HEAD: usize = 8 << 10;
/// The most bytes of a boundary.
const BOUNDARY: usize = 70;

/// Takes the first file out of a form.
#[derive(Debug)]
pub(super) struct FormFile {
    /// What is before each part and after the last: a newline, two dashes, the boundary.
    delimiter: Vec<u8>,
    /// What has arrived and is not taken yet.
    pending: Vec<u8>,
    at: FormPlace,
    /// The name of the file, when its part has begun.
    name: Option<String>,
    is_whole: bool,
}

/// Where the body is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FormPlace {
    /// In a part that is not taken, or before the first one.
    Other,
    /// After a delimiter.
    Delimiter,
    /// In the headers of a part.
    Head,
    /// In the file.
    File,
    End,
}

impl FormFile {
    /// A form of this `Content-Type`; `None` if it is no such form.
    pub fn of(content_type: &str) -> Option<FormFile> {
        let (kind, parameters) = content_type.split_once(';')?;
        if !kind.trim().eq_ignore_ascii_case("multipart/form-data") {
            return None;
        }
        let mut boundary = "";
        for parameter in parameters.split(';') {
            if let Some((name, value)) = parameter.split_once('=')
                && name.trim().eq_ignore_ascii_case("boundary")
            {
                boundary = value.trim().trim_matches('"');
            }
        }
        if boundary.is_empty() || boundary.len() > BOUNDARY {
            return None;
        }
        Some(FormFile {
            delimiter: format!("\r\n--{boundary}").into_bytes(),
            pending: b"\r\n".to_vec(), // the first delimiter may be at the beginning
            at: FormPlace::Other,
            name: None,
            is_whole: false,
        })
    }

    /// Takes bytes of the body, and appends those of the file to `file`.
    ///
    /// # Errors
    /// The body is no form.
    pub fn take(&mut self, bytes: &[u8], file: &mut Vec<u8>) -> Result<(), String> {
        self.pending.extend_from_slice(bytes);
        let mut taken = 0;
        loop {
            let rest = &self.pending[taken..];
            match self.at {
                FormPlace::Other | FormPlace::File => {
                    let found = find(rest, &self.delimiter);
                    // Its beginning may be at the end of what has arrived.
                    let before =
                        found.unwrap_or((rest.len() + 1).saturating_sub(self.delimiter.len()));
                    if self.at == FormPlace::File {
                        file.extend_from_slice(&rest[..before]);
                    }
                    taken += before;
                    if found.is_none() {
                        break;
                    }
                    self.is_whole |= self.at == FormPlace::File;
                    taken += self.delimiter.len();
                    self.at = FormPlace::Delimiter;
                }
                FormPlace::Delimiter => {
                    let Some(end) = rest.get(..2) else { break };
                    self.at = match end {
                        b"--" => FormPlace::End,
                        b"\r\n" => FormPlace::Head,
                        _ => return Err("the form cannot be read: after its boundary".to_owned()),
                    };
                    // The newline before the headers stays: without headers it is before the empty
                    // line, too.
                }
                FormPlace::Head => {
                    let Some(length) = find(rest, b"\r\n\r\n") else {
                        if rest.len() > HEAD {
                            return Err(
                                "the form cannot be read: its headers are too long".to_owned()
                            );
                        }
                        break;
                    };
                    let name = file_name(&rest[..length]);
                    taken += length + 4;
                    self.at = FormPlace::Other;
                    if self.name.is_none() && name.is_some() {
                        self.name = name;
                        self.at = FormPlace::File;
                    }
                }
                FormPlace::End => {
                    taken = self.pending.len();
                    break;
                }
            }
        }
        self.pending.drain(..taken);
        Ok(())
    }

    /// The name of the file, when all of the body has arrived.
    ///
    /// # Errors
    /// There was no file, or not all of it.
    pub fn finish(self) -> Result<String, String> {
        match self.name {
            None => Err("the form has no file".to_owned()),
            Some(name) if name.is_empty() => Err("no file was chosen; choose one first".to_owned()),
            Some(_) if !self.is_whole => Err("the form ends within the file".to_owned()),
            Some(name) => Ok(name),
        }
    }
}

/// Where some bytes are in others.
fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    let mut from = 0;
    // Both begin with a carriage return, which is rare.
    while let Some(at) = bytes[from..].iter().position(|byte| *byte == wanted[0]) {
        if bytes[from + at..].starts_with(wanted) {
            return Some(from + at);
        }
        from += at + 1;
    }
    None
}

/// The name of the file whose part has these headers; `None` if it is the part of another field.
/// Browsers send the name alone; of a path, its last part is the name.
fn file_name(head: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(head);
    for line in head.split("\r\n") {
        let Some((header, value)) = line.split_once(':') else { continue };
        if !header.trim().eq_ignore_ascii_case("content-disposition") {
            continue;
        }
        let (_, quoted) = value.split_once("filename=\"")?;
        let (path, _) = quoted.split_once('"')?;
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        return Some(name.to_owned());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name and the content of the file in a body that arrives in pieces of this size.
    fn taken(body: &[u8], piece: usize) -> Result<(String, Vec<u8>), String> {
        let mut form = FormFile::of("multipart/form-data; boundary=AbC").unwrap();
        let mut file = Vec::new();
        for bytes in body.chunks(piece) {
            form.take(bytes, &mut file)?;
        }
        Ok((form.finish()?, file))
    }

    const HEADERS: &str = "Content-Disposition: form-data; name=\"file\"; filename=";

    #[test]
    fn the_file_of_a_form_is_taken_however_it_arrives() {
        let field = "--AbC\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nhello\r\n";
        let content = "PK\r\n--Ab\r\n--AbX \r\r\n-\r\n".repeat(3);
        let part = format!("--AbC\r\n{HEADERS}\"bot.zip\"\r\nContent-Type: x\r\n\r\n{content}\r\n");
        let second = part.replace("bot.zip", "other");
        for body in [
            format!("{part}--AbC--\r\n"),
            format!("{field}{part}--AbC--"),
            format!("preamble\r\n{part}{field}{second}--AbC--\r\nepilogue"),
        ] {
            for piece in [1, 2, 3, 7, 4096] {
                let expected = ("bot.zip".to_owned(), content.clone().into_bytes());
                assert_eq!(taken(body.as_bytes(), piece), Ok(expected), "{body:?} by {piece}");
            }
        }
        let path = format!("--AbC\r\n{HEADERS}\"C:\\hw\\größe.py\"\r\n\r\n\r\n--AbC--\r\n");
        assert_eq!(taken(path.as_bytes(), 4096), Ok(("größe.py".to_owned(), Vec::new())));
    }

    #[test]
    fn what_is_no_whole_form_is_refused() {
        let part = format!("--AbC\r\n{HEADERS}\"bot.zip\"\r\n\r\ncontent");
        let none = part.replace("bot.zip", "") + "\r\n--AbC--";
        let long = format!("--AbC\r\nX: {}", "y".repeat(9000));
        for (body, why) in [
            ("", "no file"),
            ("--AbC--", "no file"),
            (&*part, "ends within"),
            (&*none, "choose one"),
            ("--AbCD\r\n", "after its boundary"),
            (&*long, "too long"),
        ] {
            let said = taken(body.as_bytes(), 100).unwrap_err();
            assert!(said.contains(why), "{body}: {said}");
        }
        for kind in [
            "application/zip",
            "multipart/form-data",
            "multipart/form-data; boundary=",
            "multipart/mixed; boundary=AbC",
        ] {
            assert!(FormFile::of(kind).is_none(), "{kind}");
        }
        assert!(FormFile::of("Multipart/Form-Data; charset=utf-8; boundary=\"AbC\"").is_some());
    }
}
