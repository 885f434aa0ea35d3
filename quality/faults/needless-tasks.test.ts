import { expect, test } from 'vitest'
import type { OurBooks } from '#quality/support/our-books.ts'
import { needlessTasks } from './needless-tasks.ts'

function booksWith(failed: number): OurBooks {
  const reason =
    '5 activations or more failed within 24 hours because the network answered SIM_BLOCKED, from several loads'
  const orders = Array.from({ length: failed }, (_, at) => ({ id: `order-${at}`, failure_code: 'SIM_BLOCKED' }))
  return { tasks: [{ kind: 'network', reason, order_id: null, subject: null }], orders } as unknown as OurBooks
}

test('a task about a wave of failed activations is needed while that many orders failed with its code', () => {
  expect(needlessTasks(booksWith(5), [], [])).toEqual([])
  expect(needlessTasks(booksWith(4), [], [])).toHaveLength(1)
})
