import { expect, test } from 'vitest'
import { maxMegabytes, trackPeakMemory } from './memory-watch.ts'

test('a process’s peak memory is reported together with the fault that was active at the time', () => {
  const watch = trackPeakMemory([{ name: 'product-1', pid: () => process.pid }], () => 'kill')
  watch.stop()
  const [peak] = watch.peaks()
  expect(peak).toMatchObject({ name: 'product-1', during: 'kill' })
  expect(peak?.megabytes).toBeGreaterThan(10)
})

test('the memory check reports a process that exceeds the limit and ignores a process that has ended', () => {
  const megabytes = new Map([
    [1, maxMegabytes + 1],
    [2, maxMegabytes],
  ])
  const processes = [1, 2, null].map((pid) => ({ name: `product-${pid}`, pid: () => pid }))
  const watch = trackPeakMemory(
    processes,
    () => '',
    (pid) => (pid === null ? null : (megabytes.get(pid) ?? null)),
  )
  watch.stop()
  expect(watch.findings()).toEqual(['product-1 used 451 MB of memory, above the limit of 450 MB'])
})
