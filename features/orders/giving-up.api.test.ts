/* @module-tag slow */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type WizardVisitor, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { loseResponseTo } from '#quality/support/lost-response.ts'
import { clearFailures, readProviderRecords, setWebhookMode } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { beginTechnicalCancel, findLatestAttempt } from './server/payments.store.ts'

const world = useWorld()
beforeEach(() => setWebhookMode(world(), { mode: 'normal' }))
beforeEach(() => clearFailures(world()))

async function inDoubt(isOver: boolean): Promise<WizardVisitor & { orderCode: string; orderId: string }> {
  await setWebhookMode(world(), { mode: 'hold' })
  const traveller = await advanceWizardTo(world(), 'PAYMENT')
  const orderCode: string = (await loseResponseTo(world(), () => traveller.pay())).body.order_code
  const { id: orderId } = await world()
    .db.selectFrom('orders')
    .select('id')
    .where('order_code', '=', orderCode)
    .executeTakeFirstOrThrow()
  if (isOver) await setTimeLimit(orderId, new Date(0))
  return { ...traveller, orderCode, orderId }
}
const setTimeLimit = (orderId: string, at: Date) =>
  world().db.updateTable('payment_attempts').set({ resolve_by: at }).where('order_id', '=', orderId).execute()
const resume = ({ visitor }: WizardVisitor, orderCode: string) => visitor.post(`/api/orders/${orderCode}/resume/`)
const attemptOf = async (orderId: string) => {
  const attempt = await findLatestAttempt(world().db, orderId)
  if (!attempt) throw new Error('there is no attempt')
  return attempt
}

describe('abandoned payments', () => {
  test('a payment that is being cancelled is not accepted even if another process finds that it was authorised', async () => {
    const traveller = await inDoubt(true)
    const { card } = world().deps
    const { technicalCancel } = card
    onTestFinished(() => void Object.assign(card, { technicalCancel }))
    let others: number[] = []
    card.technicalCancel = async (modification) => {
      card.technicalCancel = technicalCancel
      /*
       * Extend the deadline, so that the other process repeats the payment request instead of cancelling. The gateway then authorises the
       * payment.
       */
      await setTimeLimit(traveller.orderId, new Date(Date.now() + 3_600_000))
      others = [(await resume(traveller, traveller.orderCode)).status]
      return technicalCancel(modification)
    }
    expect((await resume(traveller, traveller.orderCode)).status).toBe(400)
    expect(others).not.toContain(200)
    await setWebhookMode(world(), { mode: 'normal' })
    const { gateway, network } = await pollUntil(async () => {
      const lines = await readProviderRecords(world(), traveller.orderCode)
      return lines.gateway.every(({ authorised, cancelled }) => authorised === cancelled) && lines
    })
    expect([gateway.map(({ captured }) => captured), network]).toEqual([[0], []])
    expect((await traveller.pay()).status).toBe(200)
  })

  test('a process that was suspended does not cancel a payment if another process has found that it was authorised', async () => {
    const traveller = await inDoubt(false)
    const stale = await attemptOf(traveller.orderId)
    expect((await resume(traveller, traveller.orderCode)).status).toBe(200)
    expect(await beginTechnicalCancel(world().db, stale)).toBe(false)
    await traveller.arriveAt('SUCCESSFUL')
    expect(await attemptOf(traveller.orderId)).toMatchObject({ state: 'captured', cancelled_at: null })
  })
})
