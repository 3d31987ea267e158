// Renders one chart: node bench/programs/render-chart.ts FOLDER COUNT
// With a COUNT it loads and renders as many times and prints what each took; without one it prints what `helm template` prints.
import { TreeCache } from '../../src/render/gotemplate/index.ts'
import { readChartFolder, renderChart, writeTemplate } from '../../src/render/helm/index.ts'

const [, , folder = '', count] = process.argv

// As a process that renders more than once keeps them.
const cache = new TreeCache()

async function render(): Promise<string> {
  const chart = await readChartFolder(folder)
  return writeTemplate(renderChart(chart, { release: { name: 'release-name' }, cache }), {})
}

if (count === undefined) process.stdout.write(await render())
else {
  const times = []
  for (let round = 0; round < Number(count); round++) {
    const cpu = process.cpuUsage()
    const start = performance.now()
    await render()
    const ms = performance.now() - start
    const { user, system } = process.cpuUsage(cpu)
    times.push({ ms, cpuMs: (user + system) / 1000 })
  }
  process.stdout.write(JSON.stringify(times))
}
