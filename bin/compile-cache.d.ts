/** The folder in which Node keeps compiled code of this user; undefined where there is none that nobody else can write to. */
export function compileCacheFolder(
  env: Readonly<Record<string, string | undefined>>,
  uid: number | undefined,
): string | undefined
