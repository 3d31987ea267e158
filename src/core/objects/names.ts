// The rules for names of the Kubernetes API (k8s.io/apimachinery/pkg/util/validation).

const dnsLabel = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/
const dnsLabel1035 = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/
const dnsSubdomain = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/
const labelWord = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/
const dataKey = /^[-._a-zA-Z0-9]+$/
const portName = /^[a-z0-9](?:-?[a-z0-9])*$/

/** Whether a text is a DNS label (RFC 1123), as the name of a Namespace is. */
export function isDnsLabel(text: string): boolean {
  return text.length <= 63 && dnsLabel.test(text)
}

/** Whether a text is a DNS label that starts with a letter (RFC 1035), as the name of a Service is. */
export function isDnsLabel1035(text: string): boolean {
  return text.length <= 63 && dnsLabel1035.test(text)
}

/** Whether a text is a DNS subdomain (RFC 1123), as the names of most objects are. */
export function isDnsSubdomain(text: string): boolean {
  return text.length <= 253 && dnsSubdomain.test(text)
}

/** Whether a text can be the key of a label: a name, optionally with a DNS subdomain and a slash before it. */
export function isQualifiedName(text: string): boolean {
  const slash = text.indexOf('/')
  const name = text.slice(slash + 1)
  return name.length <= 63 && labelWord.test(name) && (slash === -1 || isDnsSubdomain(text.slice(0, slash)))
}

/** Whether a text can be the value of a label; the empty text can. */
export function isLabelValue(text: string): boolean {
  return text === '' || (text.length <= 63 && labelWord.test(text))
}

/** Whether a text can be the key of an entry of a ConfigMap or a Secret. */
export function isDataKey(text: string): boolean {
  return text.length <= 253 && dataKey.test(text) && text !== '.' && !text.startsWith('..')
}

/** Whether a text can be the name of a port (RFC 6335, in lower case). */
export function isPortName(text: string): boolean {
  return text.length <= 15 && portName.test(text) && /[a-z]/.test(text)
}

/** What the API server says about a text that is not a qualified name. */
export const qualifiedNameMessage =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"

/** What the API server says about a text that is not the value of a label. */
export const labelValueMessage =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
