import { expect, test } from 'vitest'
import { maxMegabytes, trackPeakMemory } from './memory-watch.ts'

test('the peak memory of a process is reported with the fault that was active then', () => {
  const watch = trackPeakMemory([{ name: 'product-1', pid: () => process.pid }], () => 'kill')
  watch.stop()
  const [peak] = watch.peaks()
  expect(peak).toMatchObject({ name: 'product-1', during: 'kill' })
  expect(peak?.megabytes).toBeGreaterThan(10)
})

test('a process above the memory limit is a finding, and a process that is gone is not', () => {
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
  expect(watch.findings()).toEqual(['product-1 took 451 MB of memory, and may take 450 MB'])
})
