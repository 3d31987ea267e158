// Renders one chart: node bench/programs/render-chart.ts FOLDER COUNT
// With a COUNT it loads and renders as many times and prints what each took; without one it prints what `helm template` prints.
import { readChartFolder, renderChart, writeTemplate } from '../../src/render/helm/index.ts'

const [, , folder = '', count] = process.argv

async function render(): Promise<string> {
  const chart = await readChartFolder(folder)
  return writeTemplate(renderChart(chart, { release: { name: 'release-name' } }), {})
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
