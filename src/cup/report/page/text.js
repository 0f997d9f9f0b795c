// @ts-check
// Texts: what strangers wrote, and numbers.

/**
 * Untrusted text; what is invisible in it, or changes the direction of writing, is shown as a code.
 * @param {string} text
 */
export function visible(text) {
  const hidden = /[^\P{C}\u200c\u200d]|[\p{Zl}\p{Zp}]/gu;
  return text.replace(hidden, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`);
}

/** @param {number} value */
export function fixed(value, digits = 1) {
  const text = value.toFixed(digits);
  return /^-0\.?0*$/.test(text) ? text.slice(1) : text;
}

/** With the sign of minus instead of a hyphen. @param {number} value */
export const signed = (value, digits = 1) => fixed(value, digits).replace('-', '−');

/** @param {number} value */
export const percent = (value) => fixed(100 * value);

/** A rating or a difference of two, in whole Elo: intervals are wider. @param {number} value */
export const elo = (value) => signed(value, 0);

/** @param {{ low: number | null, high: number | null }} interval */
export function intervalText({ low, high }) {
  return `${low === null ? '−∞' : elo(low)} … ${high === null ? '∞' : elo(high)}`;
}

/** @param {number} count @param {string} noun */
export function counted(count, noun, plural = `${noun}s`) {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;
}

/** @param {number} count */
export const plies = (count) => counted(count, 'ply', 'plies');

/** A time of a ply: three digits and a unit. @param {number} micros */
export function timeText(micros) {
  if (micros < 1000) {
    return `${micros.toFixed(0)} µs`;
  }
  const [value, unit] = micros < 999_500 ? [micros / 1000, 'ms'] : [micros / 1e6, 's'];
  return `${value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)} ${unit}`;
}

/** A time of a league in minutes: `2026-11-29 17:40 UTC`. @param {string} time */
export function minuteText(time) {
  const at = Date.parse(time);
  return Number.isNaN(at)
    ? visible(time) : `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** How long before `now` a time was. @param {string} time @param {number} now */
export function agoText(time, now) {
  const minutes = Math.floor((now - Date.parse(time)) / 60_000);
  if (Number.isNaN(minutes)) {
    return visible(time);
  }
  if (minutes < 1) {
    return 'just now';
  }
  if (minutes < 60) {
    return `${minutes} min ago`;
  }
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
}

/** The time on a clock. @param {number} micros */
export function clockText(micros) {
  const tenths = Math.round(micros / 1e5);
  const seconds = Math.floor(tenths / 10);
  const minutes = Math.floor(seconds / 60);
  /** @param {number} number */
  const two = (number) => String(number).padStart(2, '0');
  if (minutes >= 60) {
    return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
  }
  const rest = `${seconds % 60}.${tenths % 10}`;
  return minutes === 0 ? rest : `${minutes}:${rest.padStart(4, '0')}`;
}
