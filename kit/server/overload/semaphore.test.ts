import { expect, test, vi } from 'vitest'
import { createSemaphore } from './semaphore.ts'

const bounds = { atOnce: 1, waiting: 2, ofAddress: 3, waitMs: 60_000 }
const fateOf = (turn: Promise<unknown>): Promise<string> =>
  turn.then(
    () => 'taken',
    (error: { status: number }) => String(error.status),
  )

test('queued requests take their turns one after another, in the order in which they arrived', async () => {
  const turns = createSemaphore(bounds)
  const order: number[] = []
  const act = async (number: number) => {
    const leave = await turns.take()
    order.push(number)
    leave()
    leave()
  }
  await Promise.all([act(1), act(2), act(3)])
  expect(order).toEqual([1, 2, 3])
  expect(turns.figures()).toEqual({ atWork: 0, waiting: 0 })
})

test('rejects a request immediately if the queue is full, and the rejected request does not take up a place', async () => {
  const turns = createSemaphore(bounds)
  const leave = await turns.take({ address: 'a' })
  const waiting = [turns.take({ address: 'b' }), turns.take({ address: 'c' })]
  await expect(turns.take({ address: 'd' })).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
  leave()
  for (const each of waiting) (await each)()
  expect(await fateOf(turns.take({ address: 'd' }))).toBe('taken')
})

test('one address cannot fill the queue', async () => {
  const turns = createSemaphore({ ...bounds, waiting: 10 })
  const taken = ['flood', 'flood', 'flood'].map((address) => turns.take({ address }))
  expect(await fateOf(turns.take({ address: 'flood' }))).toBe('503')
  taken.push(turns.take({ address: 'other' }))
  expect(turns.figures()).toEqual({ atWork: 1, waiting: 3 })
  for (const each of taken) (await each)()
})

test('a known browser gets its turn before unknown clients, and can still join the queue when it is full for unknown clients', async () => {
  const turns = createSemaphore(bounds)
  const leave = await turns.take()
  const order: string[] = []
  const wait = async (name: string, isKnown: boolean): Promise<void> => {
    const leaveNow = await turns.take({ address: name, isKnown })
    order.push(name)
    leaveNow()
  }
  const all = [wait('a', false), wait('b', false), wait('owner', true)]
  expect(await fateOf(turns.take({ address: 'c' }))).toBe('503')
  expect(await fateOf(turns.take({ address: 'd', isKnown: true }))).toBe('503')
  leave()
  await Promise.all(all)
  expect(order).toEqual(['owner', 'a', 'b'])
})

test('a request waits for its turn no longer than the time limit, and leaves the queue if its client disconnects', async () => {
  vi.useFakeTimers()
  const turns = createSemaphore(bounds)
  const leave = await turns.take()
  const gone = new AbortController()
  const fates = [fateOf(turns.take({ address: 'a' })), fateOf(turns.take({ address: 'b', gone: gone.signal }))]
  gone.abort()
  expect(turns.figures().waiting).toBe(1)
  vi.advanceTimersByTime(60_000)
  vi.useRealTimers()
  expect(await Promise.all(fates)).toEqual(['503', '503'])
  leave()
  expect(turns.figures()).toEqual({ atWork: 0, waiting: 0 })
  for (const address of ['a', 'b']) (await turns.take({ address }))()
})
