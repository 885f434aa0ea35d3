import { expect, test } from 'vitest'
import { createQueue } from './create-queue.ts'

function piecesOf(count: number) {
  const begun: number[] = []
  const ends = Array.from({ length: count }, () => Promise.withResolvers<string>())
  const pieces = ends.map(({ promise }, piece) => () => {
    begun.push(piece)
    return promise
  })
  return { begun, ends, pieces }
}

test('a queue that runs four tasks at a time starts further tasks in order as running tasks finish', async () => {
  const queue = createQueue(4)
  const { begun, ends, pieces } = piecesOf(7)
  const answers = pieces.map((piece) => queue(piece))
  expect(begun).toEqual([0, 1, 2, 3])
  ends[2]?.resolve('two')
  expect(await answers[2]).toBe('two')
  await expect.poll(() => begun).toEqual([0, 1, 2, 3, 4])
  ends[0]?.resolve('')
  ends[1]?.resolve('')
  await expect.poll(() => begun).toEqual([0, 1, 2, 3, 4, 5, 6])
  for (const end of ends) end.resolve('')
  expect(await Promise.all(answers)).toHaveLength(7)
})

test('a failing task rejects its caller’s promise and lets the next task in the queue start', async () => {
  const queue = createQueue(1)
  const failing = queue(() => Promise.reject(new Error('no answer')))
  const next = queue(async () => 'here')
  await expect(failing).rejects.toThrow('no answer')
  expect(await next).toBe('here')
})

test('a new task does not overtake tasks that are already in the queue', async () => {
  const queue = createQueue(1)
  const { begun, ends, pieces } = piecesOf(3)
  const [first, second, third] = pieces as [() => Promise<string>, () => Promise<string>, () => Promise<string>]
  const one = queue(first)
  const two = queue(second)
  ends[0]?.resolve('')
  await one
  const three = queue(third)
  await expect.poll(() => begun).toEqual([0, 1])
  ends[1]?.resolve('')
  ends[2]?.resolve('')
  await Promise.all([two, three])
  expect(begun).toEqual([0, 1, 2])
})
