/** Orders texts by their code units, as nothing of the machine's language does: for `sort`. */
export function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}
