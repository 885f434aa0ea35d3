import { expect, test } from 'vitest'
import { readOpsConfig } from './ops.ts'

const read = (env: Record<string, string>) => {
  const faults: string[] = []
  const config = readOpsConfig(env, { PORT: 3000, OPERATOR_PORT: 3100 }, (line) => void faults.push(line))
  return { config, faults }
}

test('the metrics port is off without OPS_PORT', () =>
  expect(read({ OPS_HOST: '10.0.0.5' })).toEqual({ config: null, faults: [] }))

test('the metrics port listens on 127.0.0.1 unless OPS_HOST is set', () => {
  expect(read({ OPS_PORT: '9464' })).toEqual({ config: { host: '127.0.0.1', port: 9464 }, faults: [] })
  expect(read({ OPS_PORT: '9464', OPS_HOST: '10.0.0.5' }).config?.host).toBe('10.0.0.5')
})

test.each([
  ['3000', 'OPS_PORT must be different from PORT.'],
  ['3100', 'OPS_PORT must be different from OPERATOR_PORT.'],
  ['65536', 'OPS_PORT must be a whole number from 0 to 65535.'],
  ['9464x', 'OPS_PORT must be a whole number from 0 to 65535.'],
])('rejects %s as OPS_PORT', (port, fault) => expect(read({ OPS_PORT: port }).faults).toEqual([fault]))
