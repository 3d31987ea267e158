const boundary = /^---[ \t]*$/m

/** The manifest as Helm writes it: each document under `---` and a comment that names its source. */
export function withSources(manifest: string, source: string): string {
  // Charts come with Helm's own comments.
  if (/^# Source: /m.test(manifest)) return manifest
  const lead = boundary.exec(manifest)?.index === 0 ? manifest : `---\n${manifest}`
  // YAML forbids a line of `---` inside of any scalar, so that none but boundaries are found.
  return lead.replaceAll(/^---[ \t]*\n/gm, (line) => `${line}${comment(source)}`)
}

/** The manifest as it was before `withSources`. */
export function withoutSources(text: string, source: string, led: boolean): string {
  const bare = text.replaceAll(`\n${comment(source)}`, '\n')
  return led ? bare : bare.slice('---\n'.length)
}

/** Whether a manifest begins with `---` by itself. */
export function isLed(manifest: string): boolean {
  return boundary.exec(manifest)?.index === 0
}

function comment(source: string): string {
  return `# Source: ${source}\n`
}
