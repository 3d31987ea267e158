/** The way to a value: keys of maps and indexes of lists. */
export type ValuePath = readonly (string | number)[]

/** A path as `--set` spells it: `a.b[0]`, with a backslash before what is part of a key. */
export function formatPath(path: ValuePath): string {
  let text = ''
  path.forEach((step, index) => {
    if (typeof step === 'number') text += `[${step}]`
    else text += (index === 0 ? '' : '.') + step.replaceAll(/[\\.[=,]/g, String.raw`\$&`)
  })
  return text
}
