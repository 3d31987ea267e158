const pattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:([KMGTPE]i)|([numkMGTPE])|[eE]([+-]?\d+))?$/
/** Quantities that are canonical as they stand, which most are. */
const plain = /^[1-9]\d{0,2}(m|[MG]i?)?$/
const binary = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']
const decimal = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E']
const nano = 1_000_000_000n

/**
 * A quantity in the one spelling that the API stores (`1000m` is `1`, `1024Mi` is `1Gi`); undefined if it is not a valid quantity. Lists of
 * resources are kept to the thousandth.
 */
export function canonicalQuantity(value: string | number, thousandths = false): string | undefined {
  const text = String(value).trim()
  if (plain.test(text)) return text
  const parsed = parseQuantity(text)
  if (parsed === undefined) return undefined
  const { format } = parsed
  const amount = thousandths ? dividedUp(parsed.amount, 1_000_000n) * 1_000_000n : parsed.amount
  if (amount === 0n) return '0'
  const small = amount > -1024n * nano && amount < 1024n * nano
  if (format === 'binary' && !small && amount % nano === 0n) return formatBinary(amount / nano)
  return formatDecimal(amount, format === 'exponent')
}

/** The amount of a quantity in billionths, rounded up; undefined if it is not a valid quantity. */
export function quantityAmount(value: unknown): bigint | undefined {
  return typeof value === 'string' || typeof value === 'number' ? parseQuantity(String(value))?.amount : undefined
}

interface Quantity {
  readonly amount: bigint
  readonly format: 'binary' | 'decimal' | 'exponent'
}

function parseQuantity(text: string): Quantity | undefined {
  const match = pattern.exec(text)
  if (match === null) return undefined
  const [, sign, whole = '', fraction = '', binarySuffix, decimalSuffix = '', exponent] = match
  if (whole === '' && fraction === '') return undefined
  const digits = BigInt(whole + fraction)
  const signed = sign === '-' ? -digits : digits
  if (binarySuffix !== undefined) {
    const unit = 1024n ** BigInt(binary.indexOf(binarySuffix))
    return { amount: scaled(signed * unit, 9 - fraction.length), format: 'binary' }
  }
  const power = exponent === undefined ? decimal.indexOf(decimalSuffix) * 3 - 9 : Number(exponent)
  if (Math.abs(power) > 18) return undefined
  return {
    amount: scaled(signed, power + 9 - fraction.length),
    format: exponent === undefined ? 'decimal' : 'exponent',
  }
}

/** Times a power of ten, rounded away from zero. */
function scaled(value: bigint, power: number): bigint {
  if (power >= 0) return value * 10n ** BigInt(power)
  return dividedUp(value, 10n ** BigInt(-power))
}

function dividedUp(value: bigint, by: bigint): bigint {
  const quotient = value / by
  if (quotient * by === value) return quotient
  return value < 0n ? quotient - 1n : quotient + 1n
}

function formatBinary(amount: bigint): string {
  let whole = amount
  let unit = 0
  while (whole % 1024n === 0n && unit < binary.length - 1) {
    whole /= 1024n
    unit += 1
  }
  return `${whole}${binary[unit]}`
}

function formatDecimal(amount: bigint, exponent: boolean): string {
  let number = amount
  let unit = 0
  while (number % 1000n === 0n && unit < decimal.length - 1) {
    number /= 1000n
    unit += 1
  }
  const power = unit * 3 - 9
  if (!exponent) return `${number}${decimal[unit]}`
  return power === 0 ? String(number) : `${number}e${power}`
}
