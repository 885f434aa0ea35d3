import { expect, test, vi } from 'vitest'
import { createWorkerThread } from './worker-thread.ts'

const echo = () =>
  createWorkerThread<string, { told: string; secret: string | null }>(
    new URL('../../quality/support/echoing-thread.ts', import.meta.url),
  )

test("each call to a worker thread gets its own result, and the thread cannot access the process's secrets", async () => {
  vi.stubEnv('SECRET_KEY', 'not for threads')
  const { call } = echo()
  expect(await Promise.all([call('kea'), call('moa')])).toEqual([
    { told: 'kea', secret: null },
    { told: 'moa', secret: null },
  ])
})

test('an error in a worker thread rejects only the call that caused it', async () => {
  const { call } = echo()
  const answers = await Promise.allSettled([call('kea'), call('fail'), call('moa')])
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(answers[1]).toMatchObject({ reason: { name: 'TypeError', message: 'it cannot say that' } })
})

test('a worker thread that exits rejects its pending calls, and the next call starts a new thread', async () => {
  const { begin, call } = echo()
  begin()
  const answers = await Promise.allSettled([call('end'), call('kea')])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(answers[0]).toMatchObject({ reason: { message: expect.stringMatching(/echoing-thread\.ts ended with 3$/) } })
  expect(await call('moa')).toMatchObject({ told: 'moa' })
})
