import { expect, test } from 'vitest'
import { realNow, toDate } from '#kit/server/clock.ts'
import { useWorld } from '#quality/support/world.ts'
import { purgeRefusedPayments } from './server/refused-payments.store.ts'

const world = useWorld()

test('a refused payment is removed after 30 days', async () => {
  const { db } = world()
  const refusedDaysAgo = (days: number) => {
    const at = toDate(realNow().subtract({ hours: days * 24 }))
    return {
      reference: `refused ${days} days ago`,
      kind: 'addon' as const,
      asked_at: at,
      refused_at: at,
      address_hash: 'x',
    }
  }
  await db
    .insertInto('refused_payments')
    .values([refusedDaysAgo(29), refusedDaysAgo(31)])
    .execute()
  await purgeRefusedPayments(db)
  const left = await db.selectFrom('refused_payments').select('reference').execute()
  expect(left).toEqual([{ reference: 'refused 29 days ago' }])
})
