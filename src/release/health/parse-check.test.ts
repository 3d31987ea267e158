import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../core/index.ts'
import { parseCheck } from './parse-check.ts'

describe('the health check of an object', () => {
  it('is none unless it asks for one', () => {
    expect(parseCheck(pod({}))).toBeUndefined()
    expect(parseCheck(pod({ 'health-check': 'false', 'health-check-port': '80' }))).toBeUndefined()
  })

  it('is a request with a path and a port, which may have a name', () => {
    const asked = { 'health-check': 'true', 'health-check-type': 'http', 'health-check-path': '/healthz?full=1' }
    expect(parseCheck(pod({ ...asked, 'health-check-port': '8080' }))).toMatchObject({
      type: 'http',
      path: '/healthz?full=1',
      port: '8080',
    })
    expect(parseCheck(pod({ 'health-check': 'true', 'health-check-port': 'http' }))).toMatchObject({
      path: '/',
      port: 'http',
    })
  })

  it.each([
    ['/bin/check --deep', ['/bin/check', '--deep']],
    [`sh -c 'test -f /ready && echo "ok"'`, ['sh', '-c', 'test -f /ready && echo "ok"']],
    ['["/bin/check", "two words"]', ['/bin/check', 'two words']],
    ['a=" x "b', ['a= x b']],
  ])('is a command: %s', (text, command) => {
    expect(parseCheck(pod({ 'health-check': 'true', 'health-check-command': text }))).toMatchObject({
      type: 'command',
      command,
    })
  })

  it.each(['/../../secrets/x', '/%2e%2e/%2e%2e/secrets/x', '/a/../../../x'])('cannot ask elsewhere by %s', (path) => {
    const check = parseCheck(pod({ 'health-check': 'true', 'health-check-port': '1', 'health-check-path': path }))
    expect(check).toMatchObject({ path: expect.not.stringMatching(/\.\.|%2e/i) })
  })

  it.each([
    [{ 'health-check-type': 'tcp' }, 'health-check-type: tcp is no type'],
    [{ 'health-check-port': '0' }, 'health-check-port: 0 is no port'],
    [{}, 'health-check-port: it is missing; give a number from 1 to 65535 or the name of a port'],
    [{ 'health-check': 'yes' }, 'health-check: yes is neither true nor false'],
    [{ 'health-check-port': '1', 'health-check-path': '//evil/x' }, 'health-check-path'],
    [{ 'health-check-command': '' }, 'it names no program'],
    [{ 'health-check-command': 'sh -c "x' }, 'a quotation mark is not closed'],
    [{ 'health-check-command': '[1]' }, 'none of texts'],
  ])('that is wrong (%o) is refused with the annotation’s name', (annotations, why) => {
    const parse = (): unknown => parseCheck(pod({ 'health-check': 'true', ...annotations }))
    expect(parse).toThrow(`Pod shop/web: annotation sherpack.io/`)
    expect(parse).toThrow(why)
  })

  it('is not possible for kinds without pods', () => {
    const annotations = { 'sherpack.io/health-check': 'true', 'sherpack.io/health-check-port': '1' }
    const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', annotations } }
    expect(() => parseCheck(config)).toThrow('http checks of this kind are not possible')
  })
})

function pod(annotations: Record<string, string>): KubeObject {
  const prefixed = Object.fromEntries(
    Object.entries(annotations).map(([name, value]) => [`sherpack.io/${name}`, value]),
  )
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'shop', annotations: prefixed } }
}
