import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '#kit/server/config.ts'
import { run, script } from './run-script.ts'

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'fantail-container-'))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('container configuration', () => {
  const compose = readFileSync('deploy/container/compose.yaml', 'utf8')
  const image = readFileSync('deploy/container/Containerfile', 'utf8')

  test('the container configuration runs only programs that exist', () => {
    const programs = [...compose.matchAll(/\b(?:app|simulators)\/[\w/]+\.ts/g)].map(([path]) => path)
    expect(programs.length).toBeGreaterThan(4)
    expect(programs.filter((path) => !existsSync(path))).toEqual([])
  })

  /** Runs the scripts that prepare the containers, and returns the environment of the product in a container. */
  function prepareContainers(place: string): Record<string, string> {
    const names = ['proxy', 'desk.proxy', 'outside', 'database', 'web']
    expect(run(script('make-ca.sh'), [join(place, 'tls'), ...names])).toMatchObject({ status: 0 })
    const env = { CARD_PUBLIC_KEY: '10001|c0ffee' }
    expect(run(script('container/make-env.sh'), [place], env)).toEqual({ status: 0, said: '' })
    const settings = readFileSync(join(place, 'fantail.env'), 'utf8').replaceAll('/tls/', `${place}/tls/`)
    const ownEnv = [...image.matchAll(/^ENV (.+)$/gm)].flatMap(([, list = '']) => list.split(' '))
    return Object.fromEntries([...ownEnv, ...settings.split('\n')].map((line) => line.split(/=(.*)/s).slice(0, 2)))
  }

  test('make-env.sh creates valid production settings and every file that the containers read', () => {
    const place = join(folder, 'containers')
    expect(readConfig(prepareContainers(place))).toMatchObject({ mode: 'production', publicUrl: 'https://proxy' })
    const named = [...compose.matchAll(/\.\/build\/([\w.]+)/g)].map(([, name = '']) => name)
    expect(named.filter((name) => !existsSync(join(place, name)))).toEqual([])
    expect(run(script('container/make-env.sh'), [place])).toMatchObject({ status: 1 })
  })

  test('a container serves the portal, the metrics and the desk on the ports that the image exposes', () => {
    const place = join(folder, 'containers-with-desk')
    const { port, ops, desk } = readConfig(prepareContainers(place))
    expect({ port, ops, desk }).toEqual({
      port: 3000,
      ops: { host: '0.0.0.0', port: 3100 },
      desk: { host: '0.0.0.0', port: 3200, url: 'https://desk.proxy' },
    })
    expect(image).toContain('\nEXPOSE 3000 3100 3200\n')
    const site = readFileSync(join(place, 'desk.conf'), 'utf8')
    expect(site).toContain('server_name desk.proxy;')
    expect(site).toContain('server web-2:3200 max_fails=0;')
  })
})
