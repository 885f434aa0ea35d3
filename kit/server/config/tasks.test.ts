import { expect, test } from 'vitest'
import { readTasksConfig } from './tasks.ts'

function read(env: Record<string, string>, mode: 'demo' | 'production' = 'production') {
  const faults: string[] = []
  return { config: readTasksConfig(env, mode, (line) => faults.push(line)), faults }
}

test('without further settings, operator email is off and the SIM stock is watched only in production', () => {
  expect(read({})).toEqual({ config: { operatorMail: null, simStockLevel: 100 }, faults: [] })
  expect(read({}, 'demo').config.simStockLevel).toBe(0)
  expect(read({ OPERATOR_MAIL: 'Ops@Example.nz', SIM_STOCK_LEVEL: '0' })).toEqual({
    config: { operatorMail: 'ops@example.nz', simStockLevel: 0 },
    faults: [],
  })
})

test.each(['ops', 'a@b.nz,c@d.nz', 'Mere <ops@example.nz>'])('rejects %s as OPERATOR_MAIL', (address) => {
  expect(read({ OPERATOR_MAIL: address }).faults).toEqual([
    'OPERATOR_MAIL must be one address such as operations@example.nz.',
  ])
})

test.each(['-1', '1.5', 'many', '10000000'])('rejects %s as SIM_STOCK_LEVEL', (level) => {
  expect(read({ SIM_STOCK_LEVEL: level }).faults).toEqual(['SIM_STOCK_LEVEL must be a whole number from 0 to 9999999.'])
})
