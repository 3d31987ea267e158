import { describe, expect, it } from 'vitest'
import { context } from '../../core/index.ts'
import { gzip } from '../archive/compress.ts'
import { packTar } from '../archive/pack-tar.ts'
import { memoryTarget } from '../memory-target.ts'
import { packChart } from './pack-chart.ts'
import { pullArtifact } from './pull-artifact.ts'
import { pushArtifact } from './push-artifact.ts'

const ctx = context()
const chartYaml = `apiVersion: v2
name: web
version: 1.2.3+build.4
description: A web server
home: https://web.example
sources: [https://git.example/web]
`

describe('a chart', () => {
  it('is pushed as Helm does, with its provenance, and comes back untouched', async () => {
    const archive = await chart()
    const provenance = Buffer.from('signed\n')
    const packed = await packChart(archive, { provenance, created: new Date(0) })
    expect(JSON.parse(Buffer.from(packed.manifest.content).toString())).toMatchObject({
      config: { mediaType: 'application/vnd.cncf.helm.config.v1+json' },
      layers: [
        { mediaType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip' },
        { mediaType: 'application/vnd.cncf.helm.chart.provenance.v1.prov' },
      ],
      annotations: {
        'org.opencontainers.image.created': '1970-01-01T00:00:00Z',
        'org.opencontainers.image.description': 'A web server',
        'org.opencontainers.image.source': 'https://git.example/web',
        'org.opencontainers.image.title': 'web',
        'org.opencontainers.image.url': 'https://web.example',
        'org.opencontainers.image.version': '1.2.3+build.4',
      },
    })
    const target = memoryTarget()
    await pushArtifact(target, packed, '1.2.3_build.4', ctx)
    const pulled = await pullArtifact(target, '1.2.3_build.4', {}, ctx)
    expect(pulled).toMatchObject({ format: 'helm', content: 'chart', objects: [], yaml: '' })
    expect([...pulled.files.keys()]).toEqual(['web/Chart.yaml', 'web/templates/x.yaml'])
    expect(Buffer.compare(pulled.chart?.archive ?? new Uint8Array(), archive)).toBe(0)
    expect(Buffer.from(pulled.chart?.provenance ?? '').toString()).toBe('signed\n')
  })

  it.for([
    ['without Chart.yaml', { 'web/x.yaml': '' }],
    ['in no folder', { 'Chart.yaml': chartYaml }],
    ['in two folders', { 'web/Chart.yaml': chartYaml, 'other/x': '' }],
    ['in a folder of another name', { 'other/Chart.yaml': chartYaml }],
    ['named to lead elsewhere', { 'web/Chart.yaml': chartYaml.replace('name: web', 'name: ../web') }],
    ['without a version', { 'web/Chart.yaml': 'name: web\n' }],
    ['with a version that is none', { 'web/Chart.yaml': 'name: web\nversion: latest\n' }],
  ] as const)('is refused %s', async ([, files]) => {
    await expect(packChart(await chart(files))).rejects.toMatchObject({ code: 'artifact.invalid' })
  })
})

function chart(files: Record<string, string> = { 'web/Chart.yaml': chartYaml, 'web/templates/x.yaml': 'a: 1\n' }) {
  const entries = Object.entries(files).map(([name, text]) => [name, { content: Buffer.from(text) }] as const)
  return gzip(packTar(new Map(entries)))
}
