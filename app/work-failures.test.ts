import { expect, test } from 'vitest'
import { isDatabaseUnavailable } from '#kit/server/database-unavailable.ts'
import { thresholds } from '#kit/server/thresholds.ts'
import type { Deps } from './deps.ts'
import { createFailureHandlers } from './work-failures.ts'

function aTeller() {
  const lines: [level: string, message: string, details: object][] = []
  const passed: Record<string, string>[] = []
  const say = (level: string) => (details: object, message: string) => void lines.push([level, message, details])
  const deps = {
    log: { info: say('info'), warn: say('warn'), error: say('error') },
    passOnError: (_error: unknown, tags: Record<string, string>) => void passed.push(tags),
    thresholds,
  } as unknown as Deps
  return { ...createFailureHandlers(deps, { note: isDatabaseUnavailable, stop: () => {} }), lines, passed }
}
const job = { queue: 'orders.advance', tries: 2, isLast: false }

test('a failed job is logged with its order’s id, but without its other data', () => {
  const { jobFailed, lines, passed } = aTeller()
  const error = new Error('it broke')
  jobFailed({ ...job, data: { orderId: 'an-order', sealedEmail: 'sealed', count: 3 } }, error)
  expect(lines).toEqual([
    [
      'error',
      'a job failed',
      { err: error, queue: 'orders.advance', tries: 2, isLast: false, about: { orderId: 'an-order' } },
    ],
  ])
  expect(passed).toEqual([{ kind: 'job', task: 'orders.advance' }])
})

test('a failure to forward an error is not itself forwarded, and an unreachable database is not logged as a failed job', () => {
  const { jobFailed, lines, passed } = aTeller()
  jobFailed({ ...job, queue: 'error-reports.forward', isLast: true, data: {} }, new Error('it broke'))
  expect(lines.map(([, message]) => message)).toEqual(['a job failed, and is not tried again'])
  jobFailed({ ...job, data: {} }, new Error('Connection terminated unexpectedly'))
  expect(lines).toHaveLength(1)
  expect(passed).toEqual([])
})

test('an upkeep task that fails repeatedly is logged in two lines and reported once', async () => {
  const { upkeepFailed, watched, lines, passed } = aTeller()
  for (let times = 0; times < 100; times++) upkeepFailed(new Error('it broke'), 'messages.old')
  const [again] = watched([{ name: 'messages.old', everyMs: 1, run: async () => {} }])
  await again?.run()
  await again?.run()
  expect(lines.map(([level, message]) => `${level} ${message}`)).toEqual([
    'error upkeep failed',
    'info upkeep succeeds again',
  ])
  expect(lines.at(-1)?.[2]).toMatchObject({ task: 'messages.old', failures: 100 })
  expect(passed).toEqual([{ kind: 'upkeep', task: 'messages.old' }])
})
