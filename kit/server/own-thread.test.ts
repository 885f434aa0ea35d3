import { expect, test, vi } from 'vitest'
import { onOwnThread } from './own-thread.ts'

const echo = () =>
  onOwnThread<string, { told: string; secret: string | null }>(
    new URL('../../quality/support/echoing-thread.ts', import.meta.url),
  )

test('each call has its own answer, and nothing of what the process keeps secret is there', async () => {
  vi.stubEnv('SECRET_KEY', 'not for threads')
  const { call } = echo()
  expect(await Promise.all([call('kea'), call('moa')])).toEqual([
    { told: 'kea', secret: null },
    { told: 'moa', secret: null },
  ])
})

test('what fails there fails here, and others go on', async () => {
  const { call } = echo()
  const answers = await Promise.allSettled([call('kea'), call('fail'), call('moa')])
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(answers[1]).toMatchObject({ reason: { name: 'TypeError', message: 'it cannot say that' } })
})

test('a thread that ends fails all that waited for it, and the next call begins another', async () => {
  const { begin, call } = echo()
  begin()
  const answers = await Promise.allSettled([call('end'), call('kea')])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(answers[0]).toMatchObject({ reason: { message: expect.stringMatching(/echoing-thread\.ts ended with 3$/) } })
  expect(await call('moa')).toMatchObject({ told: 'moa' })
})
