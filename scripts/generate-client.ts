// Writes src/client/generated.ts from the routes of the gateway: `node scripts/generate-client.ts`, or `--check` to compare only.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gatewayRoutes, openApiDocument } from '../src/gateway/index.ts'
import { type ApiDocument, clientText } from './client-text.ts'

const target = fileURLToPath(new URL('../src/client/generated.ts', import.meta.url))
const text = clientText(JSON.parse(openApiDocument(gatewayRoutes)) as ApiDocument)

if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== text) {
    console.error('src/client/generated.ts is stale: run node scripts/generate-client.ts')
    process.exitCode = 1
  }
} else {
  writeFileSync(target, text)
}
