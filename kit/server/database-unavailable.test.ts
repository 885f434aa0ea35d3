import { expect, test, vi } from 'vitest'
import { createDatabaseOutageLog, isDatabaseUnavailable, getErrorReason } from './database-unavailable.ts'
import type { Db } from './db.ts'

type Told = (details: object, message: string) => void

const failure = (message: string, more = {}): Error => Object.assign(new Error(message), more)

test.each([
  failure('connect ECONNREFUSED 127.0.0.1:5432', { code: 'ECONNREFUSED', syscall: 'connect' }),
  failure('read ECONNRESET', { code: 'ECONNRESET', syscall: 'read' }),
  Object.assign(new AggregateError([failure('connect ECONNREFUSED ::1:5432')], ''), { code: 'ECONNREFUSED' }),
  failure('terminating connection due to administrator command', { code: '57P01' }),
  failure('the database system is starting up', { code: '57P03' }),
  failure('cannot execute INSERT in a read-only transaction', { code: '25006' }),
  failure('pgbouncer cannot connect to server', { code: '08P01' }),
  failure('Connection terminated unexpectedly (Queue: orders.advance, Worker: 1)'),
  failure('timeout exceeded when trying to connect'),
])('treats "%s" as a sign that the database is unavailable', (error) => expect(isDatabaseUnavailable(error)).toBe(true))

test.each([
  failure('aborted', { code: 'ECONNRESET' }),
  failure('duplicate key value violates unique constraint', { code: '23505' }),
  failure('no such file', { code: 'ENOENT', syscall: 'open' }),
  failure('fetch failed', { cause: failure('connect', { code: 'ECONNREFUSED', syscall: 'connect' }) }),
  'Connection terminated unexpectedly',
  null,
])('does not treat "%s" as a sign that the database is unavailable', (error) =>
  expect(isDatabaseUnavailable(error)).toBe(false),
)

test.each([
  failure('canceling statement due to lock timeout', { code: '55P03', routine: 'ProcessInterrupts' }),
  failure('annulation de la requête', { code: '57014', routine: 'ProcessInterrupts' }),
  failure('terminating connection due to idle-in-transaction timeout', { code: '25P03' }),
])('logs the timeout "%s" as a warning, and does not report the database as unavailable', (error) => {
  const log = { info: vi.fn<Told>(), warn: vi.fn<Told>(), error: vi.fn<Told>() }
  const away = createDatabaseOutageLog({} as Db, log)
  expect([away.note(error), away.note(error), isDatabaseUnavailable(error)]).toEqual([true, true, false])
  away.stop()
  expect(log.warn.mock.calls).toEqual([
    [{ reason: error.message, times: 1 }, 'the database kept something waiting for too long'],
  ])
  expect(log.error).not.toHaveBeenCalled()
})

test('does not treat a row that is already locked (NOWAIT) as an outage', () => {
  const taken = failure('could not obtain lock on row', { code: '55P03', routine: 'heap_lock_tuple' })
  const away = createDatabaseOutageLog({} as Db, { info: vi.fn<Told>(), warn: vi.fn<Told>(), error: vi.fn<Told>() })
  expect(away.note(taken)).toBe(false)
})

test('gives the reason for an outage in one line, even when several addresses were tried', () => {
  expect(
    getErrorReason(new AggregateError([failure('connect ECONNREFUSED ::1:5432'), failure('and 127.0.0.1')], '')),
  ).toBe('connect ECONNREFUSED ::1:5432; and 127.0.0.1')
  expect(getErrorReason('no words')).toBe('no words')
})

test('logs one line a minute while the database is unavailable, however many SQL statements fail', () => {
  vi.useFakeTimers()
  try {
    const told = (): ((details: object, message: string) => void) => vi.fn<(details: object, message: string) => void>()
    const log = { info: told(), warn: told(), error: vi.fn<(details: object, message: string) => void>() }
    const away = createDatabaseOutageLog({} as Db, log)
    const gone = failure('connect ECONNREFUSED 127.0.0.1:5432', { code: 'ECONNREFUSED', syscall: 'connect' })
    for (let second = 0; second < 150; second++) {
      for (let count = 0; count < 35; count++) expect(away.note(gone)).toBe(true)
      vi.advanceTimersByTime(1_000)
    }
    expect(away.note(failure('something else'))).toBe(false)
    away.stop()
    expect(log.error.mock.calls.map(([details]) => details)).toEqual([
      { reason: gone.message, seconds: 0, failures: 1 },
      { reason: gone.message, seconds: 60, failures: 60 * 35 + 1 },
      { reason: gone.message, seconds: 120, failures: 120 * 35 + 1 },
    ])
  } finally {
    vi.useRealTimers()
  }
})
