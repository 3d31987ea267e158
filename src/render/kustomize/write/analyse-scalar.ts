/** Which styles can hold a text. */
export interface Analysis {
  readonly plain: boolean
  readonly single: boolean
  readonly block: boolean
}

const specialFirst = /^[#,[\]{}&*!|>'"%@`]/
const indicatorFirst = /^(?:[?:-](?=[ \t\n\r\x85\u2028\u2029\0]|$)|---|\.\.\.)/
const indicatorInside = /:(?=[ \t\n\r\x85\u2028\u2029\0]|$)|[ \t\n\r\x85\u2028\u2029]#/
const breaks = /[\n\r\x85\u2028\u2029]/
// What go-yaml v2 takes for printable ends at U+FFFF.
const unprintable = /[^\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u
const edgeSpace = /^[ \n\r\x85\u2028\u2029]|[ \n\r\x85\u2028\u2029]$/

/** Says which styles go-yaml's emitter allows for a text. */
export function analyse(text: string): Analysis {
  if (text === '') return { plain: true, single: true, block: false }
  const hasIndicators = specialFirst.test(text) || indicatorFirst.test(text) || indicatorInside.test(text)
  const isSpecial = unprintable.test(text) || / [\n\r\x85\u2028\u2029]/.test(text)
  const hasBreaks = breaks.test(text)
  const breakSpace = /[\n\r\x85\u2028\u2029] /.test(text)
  return {
    plain: !hasIndicators && !isSpecial && !hasBreaks && !edgeSpace.test(text),
    single: !isSpecial && !breakSpace,
    block: !isSpecial && !text.endsWith(' '),
  }
}
