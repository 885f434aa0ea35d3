import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runInParallel } from './run-in-parallel.ts'

function aHeap(count: number, work: (nth: number) => Promise<void> = () => pause(1)) {
  let [next, underWay, most] = [0, 0, 0]
  const done: number[] = []
  return {
    done,
    most: () => most,
    async doNext(): Promise<boolean> {
      if (next >= count) return false
      const nth = next++
      most = Math.max(most, ++underWay)
      await work(nth).finally(() => (underWay -= 1))
      done.push(nth)
      return true
    },
  }
}

test.each([1, 3, 50])('runs every task once, at most %i at a time', async (atOnce) => {
  const heap = aHeap(20)
  await runInParallel(atOnce, heap.doNext)
  expect(heap.done.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, nth) => nth))
  expect(heap.most()).toBe(Math.min(atOnce, 20))
})

test('runInParallel runs the remaining tasks if one fails, and then reports the failure', async () => {
  const heap = aHeap(10, async (nth) => {
    await pause(1)
    if (nth === 2) throw new Error('the third')
  })
  await expect(runInParallel(2, heap.doNext)).rejects.toThrow('the third')
  expect(heap.done).toEqual([0, 1, 3, 4, 5, 6, 7, 8, 9])
})
