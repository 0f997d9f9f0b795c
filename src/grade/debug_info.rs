//! What a compiled file says of its source: by its debug information (DWARF) and its symbols.
//!
//! Both are a stranger's, because a source can write any section by `asm`. So nothing here takes
//! more than linear time: names are read up to a limit, demangled up to a limit, and kept in sets.
//! What remains is bounded by the process that it runs in.

use gimli::{
    AbbreviationsCacheStrategy, AttributeValue, DW_AT_artificial, DW_AT_decl_file, DW_AT_decl_line,
    DW_AT_declaration, DW_AT_linkage_name, DW_AT_name, DW_AT_specification, DW_AT_type,
    DW_TAG_subprogram, DebuggingInformationEntry, EndianSlice, RunTimeEndian, Section, UnitOffset,
    UnitRef,
};
use object::{
    Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionKind, SymbolKind, SymbolSection,
};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;

/// How many types a type may be made of before it counts as endless.
const DEEPEST: usize = 64;
/// The most bytes of a name that are read. A string may be as long as the file, and be named by
/// everything in it.
const LONGEST: usize = 4096;
/// The most prototypes and types that are kept of a function, and variables that are kept in an
/// answer.
const KEPT: usize = 8;
/// Maximum number of variables that are counted.
const VARIABLES: usize = 10_000;

type Slice<'a> = EndianSlice<'a, RunTimeEndian>;
type Entry<'a> = DebuggingInformationEntry<Slice<'a>>;
type Value<'a> = AttributeValue<Slice<'a>>;

/// A variable of a source.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Variable {
    /// The file that it is declared in, without folders.
    pub file: String,
    /// The line, from 1; 0 if it has none, because `asm` defines it.
    pub line: u64,
    /// Its name.
    pub name: String,
}

/// A question about an object.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct ObjectQuestion {
    /// The name of the source that it was compiled from.
    pub source: String,
    /// The names of the files whose variables count.
    pub own: Vec<String>,
    /// The functions whose types are asked.
    pub functions: Vec<String>,
    /// The names by which functions are looked for. A member of a class has its whole name,
    /// `LinesOfAction::move`.
    pub defined: Vec<String>,
    /// The same of functions that it may call and not define.
    pub called: Vec<String>,
}

/// What an object says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectFacts {
    /// The first variables outside of functions and classes that can change, sorted by place: all
    /// but those of a constant type.
    pub globals: Vec<Variable>,
    /// How many of them there are.
    pub globals_count: usize,
    /// The types that functions return, as C++ writes them, but for those without a name, such as
    /// pointers. Members of classes are left out.
    pub returned: BTreeMap<String, Vec<String>>,
    /// The functions that it defines for other files, as C++ writes them: `move(char (*) [6], int,
    /// int)`.
    pub prototypes: BTreeMap<String, Vec<String>>,
    /// The functions that it calls and does not define.
    pub lacks: BTreeSet<String>,
}

impl ObjectFacts {
    /// The types that functions of this name return.
    pub fn returned(&self, function: &str) -> &[String] {
        self.returned.get(function).map_or(&[], Vec::as_slice)
    }

    /// The functions of this name that it defines for other files.
    pub fn prototypes(&self, name: &str) -> &[String] {
        self.prototypes.get(name).map_or(&[], Vec::as_slice)
    }
}

/// What an object says, as `g++ -g -c` makes it.
///
/// # Errors
/// A sentence: it is no object file, or its debug information cannot be read.
pub fn facts(object: &[u8], question: &ObjectQuestion) -> Result<ObjectFacts, String> {
    let file =
        object::File::parse(object).map_err(|error| format!("this is no object file: {error}"))?;
    let mut reader = Reader {
        question,
        own: question.own.iter().map(String::as_str).collect(),
        facts: ObjectFacts::default(),
        globals: BTreeSet::new(),
        data: HashSet::new(),
        of_asm: BTreeSet::new(),
    };
    reader.read_symbols(&file);
    reader
        .read_debug_info(&file)
        .map_err(|error| format!("the debug information cannot be read: {error}"))?;
    Ok(reader.facts())
}

/// What has been read of an object.
struct Reader<'a, 'q> {
    question: &'q ObjectQuestion,
    own: HashSet<&'q str>,
    facts: ObjectFacts,
    /// The variables that were found.
    globals: BTreeSet<Variable>,
    /// The symbols of data that can change.
    data: HashSet<&'a [u8]>,
    /// Those among them that no compiler of C++ writes: `asm` has defined them.
    of_asm: BTreeSet<&'a [u8]>,
}

impl<'a> Reader<'a, '_> {
    fn read_symbols(&mut self, file: &object::File<'a>) {
        for symbol in file.symbols() {
            let Ok(name) = symbol.name_bytes() else { continue };
            if is_changing_data(file, &symbol) {
                self.data.insert(name);
                // g++ gives each variable a type, and places none in the common block.
                if symbol.is_common() || symbol.kind() == SymbolKind::Unknown {
                    self.of_asm.insert(name);
                }
            }
            if symbol.is_undefined() {
                for function in &self.question.called {
                    if !self.facts.lacks.contains(function)
                        && demangled_as(name, function).is_some()
                    {
                        self.facts.lacks.insert(function.clone());
                    }
                }
            } else if symbol.is_definition() && symbol.is_global() {
                for function in &self.question.defined {
                    let known = self.facts.prototypes.entry(function.clone()).or_default();
                    if known.len() < KEPT {
                        known.extend(demangled_as(name, function));
                    }
                }
            }
        }
    }

    fn read_debug_info(&mut self, file: &object::File<'_>) -> gimli::Result<()> {
        let endian =
            if file.is_little_endian() { RunTimeEndian::Little } else { RunTimeEndian::Big };
        let sections =
            gimli::DwarfSections::load(|id| Ok::<_, gimli::Error>(section(file, id.name())))?;
        let mut dwarf = sections.borrow(|section| EndianSlice::new(section, endian));
        // Thousands of small units may share one large table of abbreviations.
        dwarf.populate_abbreviations_cache(AbbreviationsCacheStrategy::Duplicates);
        let mut units = dwarf.units();
        while let Some(header) = units.next()? {
            let unit = dwarf.unit(header)?;
            self.read_unit(unit.unit_ref(&dwarf))?;
        }
        Ok(())
    }

    fn read_unit(&mut self, unit: UnitRef<'_, Slice<'_>>) -> gimli::Result<()> {
        // The entries around an entry: how deep each is, and whether what lies in it is outside of
        // functions and classes.
        let mut around: Vec<(isize, bool)> = Vec::new();
        // Where the variables of namespaces stand that are declared there; classes declare members,
        // which are no globals.
        let mut declared: BTreeSet<UnitOffset> = BTreeSet::new();
        let mut entries = unit.entries();
        while let Some(entry) = entries.next_dfs()? {
            let depth = entry.depth();
            while around.last().is_some_and(|(other, _)| *other >= depth) {
                around.pop();
            }
            let is_outside = around.last().is_none_or(|(_, is_outside)| *is_outside);
            let is_scope =
                matches!(entry.tag(), gimli::DW_TAG_compile_unit | gimli::DW_TAG_namespace);
            around.push((depth, is_outside && is_scope));
            if entry.tag() == DW_TAG_subprogram && depth == 1 {
                self.read_function(unit, entry)?;
            }
            let is_variable = entry.tag() == gimli::DW_TAG_variable && is_outside;
            if !is_variable || entry.attr_value(DW_AT_artificial).is_some() {
                continue;
            }
            if entry.attr_value(DW_AT_declaration).is_some() {
                declared.insert(entry.offset());
                self.read_declaration(unit, entry)?;
                continue;
            }
            match entry.attr_value(DW_AT_specification) {
                Some(AttributeValue::UnitRef(at)) if declared.contains(&at) => {
                    self.add(variable(unit, &unit.entry(at)?)?);
                }
                Some(_) => {}
                None => self.add(variable(unit, entry)?),
            }
        }
        Ok(())
    }

    fn read_function<'d>(
        &mut self,
        unit: UnitRef<'_, Slice<'d>>,
        entry: &Entry<'d>,
    ) -> gimli::Result<()> {
        let Some(name) = text(unit, entry.attr_value(DW_AT_name)) else { return Ok(()) };
        if !self.question.functions.contains(&name) {
            return Ok(());
        }
        let returned = type_name(unit, entry.attr_value(DW_AT_type))?;
        let known = self.facts.returned.entry(name).or_default();
        if let Some(returned) = returned
            && known.len() < KEPT
            && !known.contains(&returned)
        {
            known.push(returned);
        }
        Ok(())
    }

    /// Reads a variable that is declared. If the object has data for it all the same, `asm` has
    /// defined it.
    fn read_declaration<'d>(
        &mut self,
        unit: UnitRef<'_, Slice<'d>>,
        entry: &Entry<'d>,
    ) -> gimli::Result<()> {
        let name = entry.attr_value(DW_AT_linkage_name).or_else(|| entry.attr_value(DW_AT_name));
        let Some(name) = text(unit, name) else { return Ok(()) };
        if !self.data.contains(name.as_bytes()) {
            return Ok(());
        }
        let variable = variable(unit, entry)?;
        if variable.is_some() {
            self.of_asm.remove(name.as_bytes()); // it is reported with its place
        }
        self.add(variable);
        Ok(())
    }

    fn add(&mut self, variable: Option<Variable>) {
        if let Some(variable) = variable
            && self.own.contains(&*variable.file)
            && self.globals.len() < VARIABLES
        {
            self.globals.insert(variable);
        }
    }

    fn facts(mut self) -> ObjectFacts {
        for name in std::mem::take(&mut self.of_asm).into_iter().take(VARIABLES) {
            let name = String::from_utf8_lossy(&name[..name.len().min(LONGEST)]).into_owned();
            self.globals.insert(Variable { file: self.question.source.clone(), line: 0, name });
        }
        let globals_count = self.globals.len();
        let globals = self.globals.into_iter().take(KEPT).collect();
        ObjectFacts { globals, globals_count, ..self.facts }
    }
}

/// Whether a symbol is that of data that a program can change.
fn is_changing_data<'a>(file: &object::File<'a>, symbol: &impl ObjectSymbol<'a>) -> bool {
    if symbol.is_common() {
        return true;
    }
    let kinds = [SymbolKind::Data, SymbolKind::Tls, SymbolKind::Unknown];
    let SymbolSection::Section(index) = symbol.section() else { return false };
    kinds.contains(&symbol.kind())
        && file.section_by_index(index).is_ok_and(|section| {
            matches!(
                section.kind(),
                SectionKind::Data
                    | SectionKind::UninitializedData
                    | SectionKind::Tls
                    | SectionKind::UninitializedTls
            )
        })
}

/// A string of the debug information, up to a limit.
fn text(unit: UnitRef<'_, Slice<'_>>, value: Option<Value<'_>>) -> Option<String> {
    let strings = unit.dwarf.debug_str.reader().slice();
    // Not by `attr_string`, which looks for the end of each string.
    let bytes = match value? {
        AttributeValue::String(text) => text.slice(),
        AttributeValue::DebugStrRef(offset) => strings.get(offset.0..)?,
        AttributeValue::DebugLineStrRef(offset) => {
            unit.dwarf.debug_line_str.reader().slice().get(offset.0..)?
        }
        AttributeValue::DebugStrOffsetsIndex(index) => {
            strings.get(unit.string_offset(index).ok()?.0..)?
        }
        _ => return None,
    };
    let bytes = &bytes[..bytes.len().min(LONGEST)];
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    Some(String::from_utf8_lossy(&bytes[..end]).into_owned())
}

/// The name of a type without `const` and `typedef`; `None` if it has no name.
fn type_name<'a>(
    unit: UnitRef<'_, Slice<'a>>,
    mut of: Option<Value<'a>>,
) -> gimli::Result<Option<String>> {
    for _ in 0..DEEPEST {
        let Some(of_type) = of else { return Ok(Some("void".to_owned())) };
        let AttributeValue::UnitRef(at) = of_type else { return Ok(None) };
        let entry = unit.entry(at)?;
        if matches!(entry.tag(), gimli::DW_TAG_typedef | gimli::DW_TAG_const_type) {
            of = entry.attr_value(DW_AT_type);
            continue;
        }
        return Ok(text(unit, entry.attr_value(DW_AT_name)));
    }
    Ok(None)
}

/// The bytes of a section with its relocations applied, as far as debug information has them.
fn section<'a>(file: &object::File<'a>, name: &str) -> Cow<'a, [u8]> {
    let Some(section) = file.section_by_name(name) else { return Cow::default() };
    let Ok(mut bytes) = section.uncompressed_data() else { return Cow::default() };
    // An object is not linked yet: where its debug sections refer to each other there are zeros,
    // and the value stands in a relocation.
    for (at, relocation) in section.relocations() {
        let base = match relocation.target() {
            RelocationTarget::Symbol(symbol) => {
                file.symbol_by_index(symbol).map_or(0, |symbol| symbol.address())
            }
            _ => 0,
        };
        let value = base.wrapping_add_signed(relocation.addend());
        let length = usize::from(relocation.size() / 8);
        let Some(range) = usize::try_from(at).ok().and_then(|at| Some(at..at.checked_add(length)?))
        else {
            continue;
        };
        let (value, from) = if file.is_little_endian() {
            (value.to_le_bytes(), 0)
        } else {
            (value.to_be_bytes(), size_of::<u64>().saturating_sub(length))
        };
        if let (Some(place), Some(value)) =
            (bytes.to_mut().get_mut(range), value.get(from..from.saturating_add(length)))
        {
            place.copy_from_slice(value);
        }
    }
    bytes
}

/// The variable of an entry, if it can change.
fn variable<'a>(
    unit: UnitRef<'_, Slice<'a>>,
    entry: &Entry<'a>,
) -> gimli::Result<Option<Variable>> {
    let name = entry.attr_value(DW_AT_name);
    if name.is_none() {
        return unnamed(unit, entry);
    }
    if is_constant(unit, entry.attr_value(DW_AT_type))? {
        return Ok(None);
    }
    Ok(text(unit, name).and_then(|name| placed(unit, entry, name)))
}

/// A union without a name, whose members are variables. Its place is that of its type.
fn unnamed(unit: UnitRef<'_, Slice<'_>>, entry: &Entry<'_>) -> gimli::Result<Option<Variable>> {
    let Some(AttributeValue::UnitRef(at)) = entry.attr_value(DW_AT_type) else { return Ok(None) };
    let of_type = unit.entry(at)?;
    if of_type.tag() != gimli::DW_TAG_union_type || of_type.attr_value(DW_AT_name).is_some() {
        return Ok(None);
    }
    Ok(placed(unit, &of_type, "a union".to_owned()))
}

/// A variable with the place at which an entry is declared.
fn placed(unit: UnitRef<'_, Slice<'_>>, entry: &Entry<'_>, name: String) -> Option<Variable> {
    let line = entry.attr_value(DW_AT_decl_line).and_then(|value| value.udata_value());
    let (Some(AttributeValue::FileIndex(index)), Some(program)) =
        (entry.attr_value(DW_AT_decl_file), &unit.line_program)
    else {
        return None;
    };
    let path = text(unit, Some(program.header().file(index)?.path_name()))?;
    let file = path.rsplit('/').next().unwrap_or_default().to_owned();
    Some(Variable { file, line: line.unwrap_or_default(), name })
}

/// Whether a variable of this type cannot change.
fn is_constant<'a>(unit: UnitRef<'_, Slice<'a>>, mut of: Option<Value<'a>>) -> gimli::Result<bool> {
    for _ in 0..DEEPEST {
        let Some(AttributeValue::UnitRef(at)) = of else { return Ok(false) };
        let entry = unit.entry(at)?;
        match entry.tag() {
            gimli::DW_TAG_const_type => return Ok(true),
            // A reference leads to one variable for ever; what counts is whether that can change.
            gimli::DW_TAG_typedef
            | gimli::DW_TAG_array_type
            | gimli::DW_TAG_volatile_type
            | gimli::DW_TAG_reference_type => of = entry.attr_value(DW_AT_type),
            _ => return Ok(false),
        }
    }
    Ok(false)
}

/// The prototype of a symbol, if it is that of a function with this whole name.
fn demangled_as(symbol: &[u8], name: &str) -> Option<String> {
    // The last part of a function's name is never abbreviated in its symbol.
    let last = name.rsplit("::").next().unwrap_or(name).as_bytes();
    if !symbol.windows(last.len().max(1)).any(|part| part == last) {
        return None;
    }
    let mut prototype = Prototype(String::new());
    let symbol = cpp_demangle::Symbol::new(symbol).ok()?;
    // An error means that the name was cut.
    let _ = symbol.structured_demangle(&mut prototype, &cpp_demangle::DemangleOptions::default());
    let is_it = prototype.0.strip_prefix(name).is_some_and(|rest| rest.starts_with('('));
    is_it.then_some(prototype.0)
}

/// The beginning of a demangled name. Each parameter may double the length of the next, so that the
/// whole name of a short symbol would fit no memory.
struct Prototype(String);

impl fmt::Write for Prototype {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > LONGEST {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}
