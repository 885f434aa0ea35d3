import { expect, test } from 'vitest'
import { readOperatorConfig } from './operator.ts'

const files = { OPERATOR_TLS_CERT: 'a.crt', OPERATOR_TLS_KEY: 'a.key' }
const read = (env: Record<string, string>) => {
  const faults: string[] = []
  return { config: readOperatorConfig(env, 3000, (line) => void faults.push(line)), faults }
}

test('remote operator access is off without OPERATOR_PORT', () =>
  expect(read(files)).toEqual({ config: null, faults: [] }))

test('remote operator access listens on 127.0.0.1 unless OPERATOR_HOST is set', () => {
  const here = { host: '127.0.0.1', port: 3100, certFile: 'a.crt', keyFile: 'a.key' }
  expect(read({ ...files, OPERATOR_PORT: '3100' })).toEqual({ config: here, faults: [] })
  expect(read({ ...files, OPERATOR_PORT: '3100', OPERATOR_HOST: '10.0.0.5' }).config?.host).toBe('10.0.0.5')
})

test.each([
  [{ ...files, OPERATOR_PORT: '3000' }, 'OPERATOR_PORT must be different from PORT.'],
  [{ ...files, OPERATOR_PORT: '65536' }, 'OPERATOR_PORT must be a whole number from 0 to 65535.'],
  [{ ...files, OPERATOR_PORT: 'x' }, 'OPERATOR_PORT must be a whole number from 0 to 65535.'],
  [
    { OPERATOR_PORT: '3100', OPERATOR_TLS_CERT: 'a.crt' },
    'OPERATOR_TLS_CERT and OPERATOR_TLS_KEY are missing: OPERATOR_PORT works over TLS only.',
  ],
])('rejects the operator settings %o', (env, fault) => expect(read(env).faults).toEqual([fault]))
