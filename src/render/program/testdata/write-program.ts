import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { context } from '../../../core/index.ts'
import { type ProgramRun, type RenderedProgram, renderProgram } from '../run/index.ts'

/** Writes files into a folder of their own, gone after the test. */
export function writeFiles(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lading-program-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** Renders a program, for a release called shop. */
export function renderFile(path: string, run: Partial<ProgramRun> = {}, ctx = context()): Promise<RenderedProgram> {
  const release = { name: 'shop', namespace: 'web', revision: 1, isInstall: true, isUpgrade: false }
  const capabilities = { kubeVersion: 'v1.35.0', apiVersions: ['apps/v1'] }
  const seed = { seed: 'a', renderedAt: '2026-01-02T03:04:05.000Z' }
  return renderProgram(path, { values: {}, release, capabilities, seed, ...run }, ctx)
}

/** Renders a text as `shop.ts`, beside the other files. */
export function renderText(
  text: string,
  run: Partial<ProgramRun> = {},
  more: Readonly<Record<string, string>> = {},
  ctx = context(),
): Promise<RenderedProgram> {
  return renderFile(join(writeFiles({ 'shop.ts': text, ...more }), 'shop.ts'), run, ctx)
}

/** A program whose ConfigMap holds what an expression comes to, as JSON. */
export function showing(expression: string, head = ''): string {
  const data = `{ shown: JSON.stringify(await (${expression})) }`
  return `${head}\nexport default async ({ values, release, capabilities, files }: any) => (
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: release.name }, data: ${data} })\n`
}

/** What such a program shows. */
export function shownBy({ objects }: RenderedProgram): unknown {
  const { data } = objects[0] as unknown as { data: { shown: string } }
  return JSON.parse(data.shown)
}
