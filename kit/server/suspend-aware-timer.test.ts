import { expect, test } from 'vitest'
import { startSuspendAwareTimer } from './suspend-aware-timer.ts'

test('an overdue timer fires only after data that arrived while the process was blocked has been read', async () => {
  const heard: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const ended = startSuspendAwareTimer(20, () => {
    heard.push('too late')
    resolve()
  })
  setImmediate(() => setImmediate(() => heard.push('read')))
  for (const end = performance.now() + 800; performance.now() < end;);
  await promise
  expect(heard).toEqual(['read', 'too late'])
  ended.clear()
})

test('a cleared timer does not fire', async () => {
  startSuspendAwareTimer(0, () => expect.unreachable()).clear()
  await new Promise((resolve) => setTimeout(resolve, 20))
})
