import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from '../../start.ts'

const pods = '/api/v1/namespaces/default/pods'

describe('container logs', () => {
  let sandbox: Sandbox
  beforeAll(async () => {
    sandbox = await startSandbox({ tls: false })
    await create('given', { 'lading.dev/simulate-logs': 'one\ntwo\nthree\n' })
    await create('crashed', { 'lading.dev/simulate': 'crash-loop' })
    await create('waiting', { 'lading.dev/simulate': 'pending' })
    await create('two', {}, [
      { name: 'a', image: 'x' },
      { name: 'b', image: 'x' },
    ])
    await sandbox.idle()
  })
  afterAll(() => sandbox.stop())

  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' }
    return fetch(sandbox.url + path, { ...init, headers })
  }
  async function create(name: string, annotations: object, containers = [{ name: 'main', image: 'x' }]): Promise<void> {
    const body = JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, annotations },
      spec: { containers },
    })
    expect((await send(pods, { method: 'POST', body })).status).toBe(201)
  }
  async function log(path: string): Promise<string> {
    const response = await send(`${pods}/${path}`)
    const text = await response.text()
    return response.status === 200 ? text : `${response.status} ${(JSON.parse(text) as { message: string }).message}`
  }

  it('are what an annotation gives', async () => {
    expect(await log('given/log')).toBe('one\ntwo\nthree\n')
    expect(await log('given/log?tailLines=1')).toBe('three\n')
    expect(await log('given/log?tailLines=0')).toBe('')
    expect(await log('given/log?limitBytes=5')).toBe('one\nt')
    expect(await log('given/log?timestamps=true&tailLines=1')).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z three\n$/)
  })

  it('of a crashed container are there from before', async () => {
    expect(await log('crashed/log?previous=true')).toContain('exit code 1')
    expect(await log('given/log?previous=true')).toBe(
      '400 previous terminated container "main" in pod "given" not found',
    )
  })

  it('are refused as a kubelet refuses them', async () => {
    expect(await log('waiting/log')).toBe(
      '400 container "main" in pod "waiting" is waiting to start: ContainerCreating',
    )
    expect(await log('two/log')).toBe('400 a container name must be specified for pod two, choose one of: [a b]')
    expect(await log('two/log?container=c')).toBe('400 container c is not valid for pod two')
    expect(await log('two/log?container=b')).toContain('starting b')
    expect(await log('none/log')).toBe('404 pods "none" not found')
    expect(await log('given/log?tailLines=-1')).toMatch(/^422 .*tailLines: Invalid value: -1/)
  })

  it('that are followed end with the Pod', async () => {
    await create('followed', { 'lading.dev/simulate-logs': 'still here' })
    await sandbox.idle()
    const following = log('followed/log?follow=true')
    await send(`${pods}/followed`, { method: 'DELETE' })
    expect(await following).toBe('still here\n')
  })

  it('are all that there is of containers', async () => {
    expect(await log('given/attach')).toMatch(/^501 pods\/attach is not supported/)
    expect(await log('given/exec?command=ls')).toBe('400 Upgrade request required')
  })
})
