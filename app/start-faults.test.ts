import { expect, test } from 'vitest'
import { ConfigFault } from '#kit/server/config.ts'
import { startFaults } from './start-faults.ts'

test('faults of the configuration are lines of their own', () => {
  expect(startFaults(new ConfigFault(['PORT must be a number.', 'HOST is missing.']))).toEqual([
    'PORT must be a number.',
    'HOST is missing.',
  ])
})

test('a database that goes away during the start is one line', () => {
  const error = Object.assign(new Error('terminating connection'), { code: '57P01' })
  expect(startFaults(error)).toEqual(['The database went away: terminating connection.'])
})

test('a role without a right is one line that names the right and the remedy', () => {
  const error = Object.assign(new Error('permission denied for table orders'), { code: '42501' })
  expect(startFaults(error)).toEqual([
    expect.stringMatching(/^The role of DATABASE_URL .*\(permission denied for table orders\): run `npm run migrate`/),
  ])
})

test('anything else is a defect, which keeps its stack', () => {
  expect(startFaults(new TypeError('x is not a function'))).toBeNull()
})
