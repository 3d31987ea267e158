const label = '[a-zA-Z0-9\\u00a1-\\uffff](?:[a-zA-Z0-9\\u00a1-\\uffff_-]*[a-zA-Z0-9\\u00a1-\\uffff])?'
const domain = `${label}(?:\\.${label})*`
const email = new RegExp(`^[^\\s@<>()\\[\\],;:"\\\\]{1,64}@(?:${label}\\.)+[a-zA-Z\\u00a1-\\uffff][^\\s@.]*$`)
const url = new RegExp(
  `^(?:(?:ftp|tcp|udp|wss?|https?)://)?(?:[^\\s/@]+@)?(?:${domain}|\\[[0-9a-fA-F:.]+\\])(?::\\d{1,5})?(?:[/?#]\\S*)?$`,
)

/** Whether a text looks like an address of mail. */
export function isEmail(text: string): boolean {
  return text.length <= 320 && email.test(text)
}

/** Whether a text looks like an address of the web, its scheme left out or not. */
export function isUrl(text: string): boolean {
  if (text.length < 4 || text.length > 2082 || text.startsWith('.')) return false
  return url.test(text) && (text.includes('.') || text.includes('localhost') || text.includes('['))
}

/** Whether a text is an absolute address, of whatever scheme. */
export function isRequestUrl(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- Go refuses these in addresses
  return /^[a-zA-Z][a-zA-Z0-9+.-]*:[^\x00-\x20\x7f]*$/.test(text) && !/%(?![0-9a-fA-F]{2})/.test(text)
}
