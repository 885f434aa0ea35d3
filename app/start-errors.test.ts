import { expect, test } from 'vitest'
import { ConfigError } from '#kit/server/config.ts'
import { describeStartErrors } from './start-errors.ts'

test('each configuration error at start-up is printed on its own line', () => {
  expect(describeStartErrors(new ConfigError(['PORT must be a number.', 'HOST is missing.']))).toEqual([
    'PORT must be a number.',
    'HOST is missing.',
  ])
})

test('a database that becomes unavailable during start-up is reported in one line', () => {
  const error = Object.assign(new Error('terminating connection'), { code: '57P01' })
  expect(describeStartErrors(error)).toEqual(['The connection to the database was lost: terminating connection.'])
})

test('a missing database privilege is reported in one line, with its name and how to fix it', () => {
  const error = Object.assign(new Error('permission denied for table orders'), { code: '42501' })
  expect(describeStartErrors(error)).toEqual([
    expect.stringMatching(
      /^The role in DATABASE_URL .*\(permission denied for table orders\)\. To grant them, run `npm run migrate`/,
    ),
  ])
})

test('any other error at start-up is treated as a bug and keeps its stack trace', () => {
  expect(describeStartErrors(new TypeError('x is not a function'))).toBeNull()
})
