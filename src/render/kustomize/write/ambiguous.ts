const words =
  /^(?:~|null|Null|NULL|true|True|TRUE|false|False|FALSE|y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/
const integer = /^[-+]?(?:0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|(?:0|[1-9][0-9]*))$/
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/
// Numbers to the base of 60 are strings to go-yaml, but not to other readers of YAML 1.1.
const base60 = /^[-+]?[0-9][0-9_]*:[0-9:]*(?:\.[0-9_]*)?$/
// Parts that no such number has: empty ones, of three digits, or from 60 on.
const notBase60 = /:(?:[^0-9]|$|[0-9]{3}|[6-9][0-9])/
const day = /^\d{4}-\d{1,2}-\d{1,2}$/
const moment =
  /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)| \d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?)$/

/** Whether a string, written plain, would be read as something else than a string. */
export function looksLikeOtherType(text: string): boolean {
  if (text === '' || words.test(text)) return true
  if (!/^[-+.0-9]/.test(text)) return false
  if ((base60.test(text) && !notBase60.test(text)) || day.test(text) || moment.test(text)) return true
  const digits = text.replaceAll('_', '')
  return integer.test(digits) || (/^[-+0-9]/.test(text) || !text.includes('_') ? float.test(digits) : false)
}
