import { loadChart, renderChart } from '../../../render/helm/index.ts'
import type { Job } from '../../../render/stoppable/index.ts'

/** Renders the template of a name, as the notes of a chart that has nothing else. */
export const nameJob: Job<string, string> = {
  module: import.meta.url,
  name: 'nameJob',
  prepare: (template) =>
    Promise.resolve(() => {
      const files = new Map([
        ['Chart.yaml', 'apiVersion: v2\nname: name-template\nversion: 1.0.0\n'],
        ['templates/NOTES.txt', template],
      ])
      const chart = loadChart(new Map([...files].map(([path, text]) => [path, Buffer.from(text)])))
      return renderChart(chart, { release: { name: 'name' } }).notes.trim()
    }),
}
