const breaking =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069]/g

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** A name on one line: line breaks, other control characters and those that turn the direction of writing are spelt (`\n`, `\u001b`). */
export function oneLine(text: string): string {
  return text.replaceAll(breaking, (found) => short[found] ?? spelt(found))
}

/** A text of several lines, in which all other control characters are spelt; they cannot drive a terminal. */
export function manyLines(text: string): string {
  return text.replaceAll(/\r\n/g, '\n').replaceAll(breaking, (found) => (/[\n\t]/.test(found) ? found : spelt(found)))
}

function spelt(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
