import { join, relative } from 'node:path'
import { rolldown } from 'rolldown'

/**
 * Puts the command line, built in `dist`, into few files below `dist/bundle`: loading hundreds of small modules costs more than most
 * commands do. What is loaded late stays in chunks of its own; packages stay where they are.
 */
export async function bundleCli(dist: string): Promise<void> {
  const folder = join(dist, 'bundle')
  const bundle = await rolldown({
    input: join(dist, 'cli', 'run.js'),
    platform: 'node',
    external: (id) => !id.startsWith('.') && !id.startsWith('/'),
    plugins: [
      {
        name: 'places',
        // Tables are read beside the module that asks for them, so each module goes on knowing where it was.
        transform(code, id) {
          if (!code.includes('import.meta.url')) return null
          const place = `new URL(${JSON.stringify(relative(folder, id))}, import.meta.url).href`
          return { code: code.replaceAll('import.meta.url', place), map: null }
        },
      },
    ],
  })
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: 'run.js', chunkFileNames: '[name]-[hash].js' })
  await bundle.close()
}
