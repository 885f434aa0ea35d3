/* @module-tag slow */
import { beforeEach, describe, expect, test } from 'vitest'
import { formatDate } from '#kit/contract/dates.ts'
import { systemActor } from '#kit/server/actor.ts'
import { insertBatch } from '#features/vouchers/server/voucher-batches.store.ts'
import {
  advanceClockTo,
  readCharges,
  getLastDayAtHour,
  readEmails,
  setAutoRenewal,
  zone,
} from '#quality/support/auto-renewal.ts'
import {
  createNextPlan,
  cancelNextPlan,
  none,
  readOrder,
  readRefundedCents,
  getFormErrors,
  readService,
  terms,
} from '#quality/support/next-plan.ts'
import { readProviderRecords, setWebhookMode } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()
beforeEach(() => setWebhookMode(world(), { mode: 'normal' }))

describe('the deadline for cancelling a next plan', () => {
  test('a next plan can be cancelled online until the current plan’s last day begins, and only by phone after that', async () => {
    const [early, late] = [await createNextPlan(world()), await createNextPlan(world())]
    await advanceClockTo(world(), getLastDayAtHour(early, 0).subtract({ minutes: 5 }))
    expect((await readService(early)).outlook.text).toContain('**midnight tonight**')
    expect((await cancelNextPlan(early)).status).toBe(200)
    await advanceClockTo(world(), getLastDayAtHour(late, 0))
    expect((await readService(late)).outlook).toMatchObject({ state: 'next_plan_paid', can_cancel_next_plan: false })
    const refusal = await cancelNextPlan(late)
    expect([refusal.status, getFormErrors(refusal)]).toEqual([
      400,
      [
        expect.stringMatching(
          /^Your next Prepay Plan starts within a day, so it can’t be cancelled here any more\. To cancel it, call us on /,
        ),
      ],
    ])
    await advanceClockTo(world(), late.expiry.add({ minutes: 1 }))
    expect(await readService(late)).toMatchObject({ is_expired: false })
    expect(getFormErrors(await cancelNextPlan(late))).toEqual([none])
    expect(await readRefundedCents(world(), late.orderCode)).toBe(0)
    expect(await readService(early)).toMatchObject({ is_expired: true })
  })

  test('a customer cannot cancel a next plan that was paid for by auto-renewal', async () => {
    const waiting = await createNextPlan(world(), { buys: false })
    await setAutoRenewal(waiting, 'PUT')
    await advanceClockTo(world(), getLastDayAtHour(waiting, 10))
    await pollUntil(async () => (await readCharges(world(), waiting)).some(({ state }) => state === 'completed'))
    expect(getFormErrors(await cancelNextPlan(waiting))?.[0]).toMatch(/^Your next Prepay Plan starts within a day/)
    expect((await readService(waiting)).outlook).toMatchObject({ state: 'next_plan_paid', can_cancel_next_plan: false })
  })
})

test('if a customer cancels the next plan while auto-renewal is on, auto-renewal sends a notice and charges the card instead', async () => {
  const waiting = await createNextPlan(world())
  await setAutoRenewal(waiting, 'PUT')
  await advanceClockTo(world(), getLastDayAtHour(waiting, 9).subtract({ days: 2 }).add({ minutes: 1 }))
  expect((await readEmails(world(), waiting)).filter(({ subject }) => subject.includes('renews on'))).toEqual([])
  expect((await cancelNextPlan(waiting)).status).toBe(200)
  expect((await readService(waiting)).outlook.state).toBe('renews')
  await pollUntil(async () => (await readEmails(world(), waiting)).some(({ subject }) => subject.includes('renews on')))
  await advanceClockTo(world(), getLastDayAtHour(waiting, 10))
  await pollUntil(async () => (await readCharges(world(), waiting)).some(({ state }) => state === 'completed'))
  await advanceClockTo(world(), waiting.expiry.add({ minutes: 1 }))
  expect(await readService(waiting)).toMatchObject({ is_expired: false })
})

describe('vouchers that paid for a cancelled next plan', () => {
  const usable = async (code: string) => (await world().visitor().get(`/api/vouchers/${code}/`)).status
  test('a voucher that paid for a cancelled plan becomes valid again, with its original expiry date', async () => {
    const voucher = await world().newVoucher('plan-30-15gb')
    const waiting = await createNextPlan(world(), { voucher })
    const { expires_at } = await world()
      .db.selectFrom('vouchers')
      .select('expires_at')
      .where('order_id', '=', (await readOrder(world(), waiting.orderCode)).id)
      .executeTakeFirstOrThrow()
    const day = formatDate(expires_at.toISOString(), zone)
    expect((await terms(waiting)).body).toMatchObject({
      lines: [`Your voucher code works again. It expires on ${day}, as before.`, expect.any(String)],
      button: 'Cancel next plan',
    })
    expect(await usable(voucher)).toBe(412)
    expect((await cancelNextPlan(waiting)).status).toBe(200)
    expect(await usable(voucher)).toBe(200)
    expect((await waiting.buy()).status).toBe(200)
    expect(await usable(voucher)).toBe(412)
    expect((await readProviderRecords(world(), waiting.orderCode)).gateway).toEqual([])
  })

  test('a voucher from a voided batch stays invalid after its next plan is cancelled, and the cancellation terms say so', async () => {
    const voucher = await world().newVoucher('plan-30-15gb')
    const waiting = await createNextPlan(world(), { voucher })
    const { id } = await readOrder(world(), waiting.orderCode)
    const batch = await insertBatch(world().db, world().deps.clock.now(), {
      count: 1,
      productId: 'plan-30-15gb',
      expiresAt: world().deps.clock.now(),
      actor: systemActor,
    })
    await world()
      .db.updateTable('voucher_batches')
      .set({ state: 'void', retry_at: null })
      .where('id', '=', batch)
      .execute()
    await world().db.updateTable('vouchers').set({ batch_id: batch }).where('order_id', '=', id).execute()
    expect((await terms(waiting)).body.lines[0]).toBe(
      'Your voucher is no longer valid, so its code can’t be used again.',
    )
    expect((await cancelNextPlan(waiting)).status).toBe(200)
    expect(await usable(voucher)).not.toBe(200)
  })

  test('an expired voucher stays invalid after the next plan it paid for is cancelled, and the cancellation terms say so', async () => {
    const voucher = await world().newVoucher('plan-30-15gb')
    const waiting = await createNextPlan(world(), { voucher })
    const { id } = await readOrder(world(), waiting.orderCode)
    const past = new Date(world().deps.clock.now().subtract({ hours: 48 }).epochMilliseconds)
    await world().db.updateTable('vouchers').set({ expires_at: past }).where('order_id', '=', id).execute()
    expect((await terms(waiting)).body.lines[0]).toMatch(
      /^Your voucher expired on .*, so its code can’t be used again\.$/,
    )
    expect((await cancelNextPlan(waiting)).status).toBe(200)
    expect(await usable(voucher)).not.toBe(200)
  })
})
