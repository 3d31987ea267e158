const tlsCode =
  /^(?:CERT_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|EPROTO$|HOSTNAME_MISMATCH$|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$|CRL_)/

/** Whether the code of a failed connection means that TLS was not to be trusted or not to be spoken (names of Node and OpenSSL). */
export function isTlsCode(code: string): boolean {
  return tlsCode.test(code)
}

/**
 * The code of a failed connection. Connecting to several addresses fails with an AggregateError, and undici wraps the failures
 * of proxies: the code that tells most is the innermost.
 */
export function connectionCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  const inner = error instanceof AggregateError ? connectionCode(error.errors[0]) : connectionCode(cause)
  return inner ?? (typeof code === 'string' ? code : undefined)
}
