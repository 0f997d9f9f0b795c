//! What the debug information of a compiled file (DWARF) says of the source.

use gimli::{
    AttributeValue, DW_AT_artificial, DW_AT_decl_file, DW_AT_decl_line, DW_AT_declaration, DW_AT_name,
    DW_AT_specification, DW_AT_type, DW_TAG_subprogram, DebuggingInformationEntry, DwTag, Dwarf, EndianSlice,
    RunTimeEndian, Unit, UnitOffset,
};
use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget};
use std::borrow::Cow;

/// How many types a type may be made of before it counts as endless.
const DEEPEST: usize = 64;

type Slice<'a> = EndianSlice<'a, RunTimeEndian>;
type ReadUnit<'r> = dyn FnMut(&Dwarf<Slice<'_>>, &Unit<Slice<'_>>) -> gimli::Result<()> + 'r;

/// A variable of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The file that it is declared in, without folders.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
}

/// The variables outside of functions and classes that can change, in the order of the debug information: all but those of a
/// constant type. `object` is what `g++ -g -c` makes.
///
/// # Errors
/// A sentence: it is no object file, or its debug information cannot be read.
pub fn globals(object: &[u8]) -> Result<Vec<Variable>, String> {
    let mut found = Vec::new();
    each_unit(object, &mut |dwarf, unit| of_unit(dwarf, unit, &mut found))?;
    Ok(found)
}

/// Calls `read` for each unit of the debug information of an object.
fn each_unit(object: &[u8], read: &mut ReadUnit<'_>) -> Result<(), String> {
    let failed = |error: gimli::Error| format!("the debug information cannot be read: {error}");
    let file = object::File::parse(object).map_err(|error| format!("this is no object file: {error}"))?;
    let endian = if file.is_little_endian() { RunTimeEndian::Little } else { RunTimeEndian::Big };
    let load = |id: gimli::SectionId| Ok::<_, gimli::Error>(section(&file, id.name()));
    let sections = gimli::DwarfSections::load(load).map_err(failed)?;
    let dwarf = sections.borrow(|section| EndianSlice::new(section, endian));
    let mut units = dwarf.units();
    while let Some(header) = units.next().map_err(failed)? {
        let unit = dwarf.unit(header).map_err(failed)?;
        read(&dwarf, &unit).map_err(failed)?;
    }
    Ok(())
}

/// The types that functions of this name return, as C++ writes them, but for those without a name, such as pointers. Members of
/// classes are left out.
///
/// # Errors
/// As [`globals`].
pub fn return_types(object: &[u8], function: &str) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    each_unit(object, &mut |dwarf, unit| {
        let mut entries = unit.entries();
        while let Some(entry) = entries.next_dfs()? {
            let is_own = entry.tag() == DW_TAG_subprogram && entry.depth() == 1;
            let Some(name) = entry.attr_value(DW_AT_name).filter(|_| is_own) else { continue };
            if dwarf.attr_string(unit, name)?.to_string_lossy() == function {
                found.extend(type_name(dwarf, unit, entry.attr_value(DW_AT_type))?);
            }
        }
        Ok(())
    })?;
    Ok(found)
}

/// The name of a type without `const` and `typedef`; none if it has no name.
fn type_name<'a>(
    dwarf: &Dwarf<Slice<'a>>,
    unit: &Unit<Slice<'a>>,
    mut of: Option<AttributeValue<Slice<'a>>>,
) -> gimli::Result<Option<String>> {
    for _ in 0..DEEPEST {
        let Some(of_type) = of else { return Ok(Some("void".to_owned())) };
        let AttributeValue::UnitRef(at) = of_type else { return Ok(None) };
        let entry = unit.entry(at)?;
        if matches!(entry.tag(), gimli::DW_TAG_typedef | gimli::DW_TAG_const_type) {
            of = entry.attr_value(DW_AT_type);
            continue;
        }
        let Some(name) = entry.attr_value(DW_AT_name) else { return Ok(None) };
        return Ok(Some(dwarf.attr_string(unit, name)?.to_string_lossy().into_owned()));
    }
    Ok(None)
}

/// The bytes of a section with its relocations applied, as far as debug information has them.
fn section<'a>(file: &object::File<'a>, name: &str) -> Cow<'a, [u8]> {
    let Some(section) = file.section_by_name(name) else { return Cow::default() };
    let mut bytes = match section.uncompressed_data() {
        Ok(bytes) => bytes,
        Err(_) => return Cow::default(),
    };
    for (at, relocation) in section.relocations() {
        let base = match relocation.target() {
            RelocationTarget::Symbol(symbol) => {
                file.symbol_by_index(symbol).map_or(0, |symbol| symbol.address())
            }
            _ => 0,
        };
        let value = base.wrapping_add_signed(relocation.addend());
        let (at, length) = (at as usize, usize::from(relocation.size() / 8));
        let value = if file.is_little_endian() { value.to_le_bytes() } else { value.to_be_bytes() };
        let from = if file.is_little_endian() { 0 } else { value.len().saturating_sub(length) };
        if let (Some(place), Some(value)) =
            (bytes.to_mut().get_mut(at..at + length), value.get(from..from + length))
        {
            place.copy_from_slice(value);
        }
    }
    bytes
}

fn of_unit(dwarf: &Dwarf<Slice<'_>>, unit: &Unit<Slice<'_>>, found: &mut Vec<Variable>) -> gimli::Result<()> {
    // The tags around an entry.
    let mut around: Vec<(isize, DwTag)> = Vec::new();
    // Where the variables of namespaces stand that are declared there; classes declare members, which are no globals.
    let mut declared: Vec<UnitOffset> = Vec::new();
    let mut entries = unit.entries();
    while let Some(entry) = entries.next_dfs()? {
        let depth = entry.depth();
        while around.last().is_some_and(|(other, _)| *other >= depth) {
            around.pop();
        }
        let outside = around
            .iter()
            .all(|(_, tag)| matches!(*tag, gimli::DW_TAG_compile_unit | gimli::DW_TAG_namespace));
        let is_variable = entry.tag() == gimli::DW_TAG_variable && outside;
        around.push((depth, entry.tag()));
        if !is_variable || entry.attr_value(DW_AT_artificial).is_some() {
            continue;
        }
        if entry.attr_value(DW_AT_declaration).is_some() {
            declared.push(entry.offset());
            continue;
        }
        match entry.attr_value(DW_AT_specification) {
            Some(AttributeValue::UnitRef(at)) if declared.contains(&at) => {
                let entry = unit.entry(at)?;
                found.extend(variable(dwarf, unit, &entry)?);
            }
            Some(_) => {}
            None => found.extend(variable(dwarf, unit, entry)?),
        }
    }
    Ok(())
}

/// The variable of an entry, if it can change.
fn variable(
    dwarf: &Dwarf<Slice<'_>>,
    unit: &Unit<Slice<'_>>,
    entry: &DebuggingInformationEntry<Slice<'_>>,
) -> gimli::Result<Option<Variable>> {
    let Some(name) = entry.attr_value(DW_AT_name) else { return unnamed(dwarf, unit, entry) };
    if is_constant(unit, entry.attr_value(DW_AT_type))? {
        return Ok(None);
    }
    let name = dwarf.attr_string(unit, name)?.to_string_lossy().into_owned();
    placed(dwarf, unit, entry, name)
}

/// A union without a name, whose members are variables. Its place is that of its type.
fn unnamed(
    dwarf: &Dwarf<Slice<'_>>,
    unit: &Unit<Slice<'_>>,
    entry: &DebuggingInformationEntry<Slice<'_>>,
) -> gimli::Result<Option<Variable>> {
    let Some(AttributeValue::UnitRef(at)) = entry.attr_value(DW_AT_type) else { return Ok(None) };
    let of_type = unit.entry(at)?;
    if of_type.tag() != gimli::DW_TAG_union_type || of_type.attr_value(DW_AT_name).is_some() {
        return Ok(None);
    }
    placed(dwarf, unit, &of_type, "a union".to_owned())
}

/// A variable with the place at which an entry is declared.
fn placed(
    dwarf: &Dwarf<Slice<'_>>,
    unit: &Unit<Slice<'_>>,
    entry: &DebuggingInformationEntry<Slice<'_>>,
    name: String,
) -> gimli::Result<Option<Variable>> {
    let line = entry.attr_value(DW_AT_decl_line).and_then(|value| value.udata_value());
    let file = match (entry.attr_value(DW_AT_decl_file), &unit.line_program) {
        (Some(AttributeValue::FileIndex(index)), Some(program)) => program.header().file(index),
        _ => None,
    };
    let Some(file) = file else { return Ok(None) };
    let path = dwarf.attr_string(unit, file.path_name())?.to_string_lossy().into_owned();
    let file = path.rsplit('/').next().unwrap_or_default().to_owned();
    Ok(Some(Variable { name, file, line: line.unwrap_or_default() }))
}

/// Whether a variable of this type cannot change.
fn is_constant<'a>(unit: &Unit<Slice<'a>>, mut of: Option<AttributeValue<Slice<'a>>>) -> gimli::Result<bool> {
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

/// The functions of this name that an object defines for other files, as C++ writes them: `move(char (*) [6], int, int)`. A member of a class is found by
/// its whole name alone, `LinesOfAction::move`.
#[must_use]
pub fn prototypes(object: &[u8], name: &str) -> Vec<String> {
    named(object, name, true)
}

/// Whether an object calls a function of this name, such as `CheckLine` or `LinesOfAction::move`, that it does not define.
#[must_use]
pub fn lacks(object: &[u8], name: &str) -> bool {
    !named(object, name, false).is_empty()
}

/// The functions of this whole name that an object defines, or those that it leaves to others.
fn named(object: &[u8], name: &str, defined: bool) -> Vec<String> {
    let Ok(file) = object::File::parse(object) else { return Vec::new() };
    let symbols = file.symbols().filter(|symbol| {
        if defined { symbol.is_definition() && symbol.is_global() } else { symbol.is_undefined() }
    });
    let names = symbols.filter_map(|symbol| {
        let symbol = cpp_demangle::Symbol::new(symbol.name_bytes().ok()?).ok()?;
        symbol.demangle().ok()
    });
    names.filter(|found| found.strip_prefix(name).is_some_and(|rest| rest.starts_with('('))).collect()
}
