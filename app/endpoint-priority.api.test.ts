/* @module-tag slow */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { activate, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld({ env: { TRUSTED_PROXIES: '127.0.0.1,::1' } })
const maxUnknown = 200

test('under overload, visitors who have paid for an activation are admitted, and those who have only started one get 503', async () => {
  const [started, declined] = [await advanceWizardTo(world(), 'PAYMENT'), await advanceWizardTo(world(), 'PAYMENT')]
  expect((await declined.pay({ holder: 'DECLINED' })).status).toBe(400)
  const byCard = await activate(world())
  const byVoucher = await activate(world(), { voucher: await world().newVoucher() })

  const statuses = await duringFlood(async () => {
    const [first, second] = [poll(byCard.visitor), poll(byVoucher.visitor)]
    const refused = [await poll(started.visitor).answered, await poll(declined.visitor).answered]
    return { refused, admitted: [first.status(), second.status()] }
  })
  expect(statuses.refused).toEqual([503, 503])
  expect(statuses.admitted).not.toContain(503)
})

/**
 * Requests a payment's outcome. An admitted request gets no response, and therefore has no status, while the rate-limit table is locked.
 */
function poll(visitor: Visitor): { answered: Promise<number>; status(): number | null } {
  let status: number | null = null
  const answered = visitor.get('/api/activate/activate/').then((answer) => (status = answer.status))
  return { answered, status: () => status }
}

async function duringFlood<T>(ask: () => Promise<T>): Promise<T> {
  const [locked, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const lock = world()
    .db.transaction()
    .execute(async (trx) => {
      await sql`lock table rate_limits in access exclusive mode`.execute(trx)
      locked.resolve()
      await over.promise
    })
  await locked.promise
  const calls = new Set<Promise<void>>()
  const call = (address: string): void => {
    const headers = { 'x-forwarded-for': address }
    const answered: Promise<void> = world()
      .visitor()
      .get('/api/vouchers/NOSUCHCODE00/', headers)
      .then(() => void calls.delete(answered))
    calls.add(answered)
  }
  try {
    return await pollUntil(async () => {
      for (let at = calls.size; at < maxUnknown; at++) call(`198.51.100.${at}`)
      if ((await world().visitor().get('/api/account/')).status !== 503) return null
      const [oldest] = calls
      const answer = await ask()
      /*
       * A request that has waited too long gets a 503 as well. The result therefore counts only while the oldest request is still waiting,
       * because that request would be the first to time out.
       */
      return oldest && calls.has(oldest) ? answer : null
    })
  } finally {
    over.resolve()
    await Promise.all([lock, ...calls])
  }
}
