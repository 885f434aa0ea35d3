import { expect, test } from 'vitest'
import type { ProductRecords } from '#quality/support/product-records.ts'
import { findNeedlessTasks } from './needless-tasks.ts'

function booksWith(failed: number): ProductRecords {
  const reason =
    '5 or more activations failed within 24 hours because the network answered SIM_BLOCKED, from several loads'
  const orders = Array.from({ length: failed }, (_, at) => ({ id: `order-${at}`, failure_code: 'SIM_BLOCKED' }))
  return { tasks: [{ kind: 'network', reason, order_id: null, subject: null }], orders } as unknown as ProductRecords
}

test('a staff task about five failed activations is unnecessary unless five orders failed with the error code it names', () => {
  expect(findNeedlessTasks(booksWith(5), [], [])).toEqual([])
  expect(findNeedlessTasks(booksWith(4), [], [])).toHaveLength(1)
})
