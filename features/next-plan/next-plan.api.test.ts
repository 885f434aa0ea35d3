import { beforeEach, describe, expect, test } from 'vitest'
import { formatDate } from '#kit/contract/dates.ts'
import { systemActor } from '#kit/server/actor.ts'
import { refundOrder } from '#features/refunds/server/refunds.ts'
import { readEmails, setAutoRenewal, zone } from '#quality/support/auto-renewal.ts'
import {
  createNextPlan,
  cancelNextPlan,
  deleteTasks,
  readNextPlan,
  readOpenTasks,
  readOrder,
  readRefundedCents,
  getFormErrors,
  readService,
  terms,
} from '#quality/support/next-plan.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { failGateway, readNetworkActions, setWebhookMode, sendDispute } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()
const formatLastDay = ({ expiry }: { expiry: Temporal.ZonedDateTime }): string =>
  formatDate(expiry.subtract({ days: 1 }).toPlainDate().toString(), zone)
beforeEach(() => setWebhookMode(world(), { mode: 'normal' }))

describe('cancelling a next plan that was paid for by card', () => {
  test('cancelling a next plan removes it from the network and refunds it in full, and the current plan continues', async () => {
    const waiting = await createNextPlan(world())
    const before = await readService(waiting)
    expect(before.outlook).toMatchObject({ state: 'next_plan_paid', can_cancel_next_plan: true })
    const { status, body } = await cancelNextPlan(waiting)
    expect({ status, body }).toEqual({ status: 200, body: await readService(waiting) })
    expect(body).toMatchObject({ expiry_date: before.expiry_date, outlook: { can_cancel_next_plan: false } })
    expect(body.outlook.state).not.toMatch(/next_plan/)
    expect(await readNextPlan(waiting)).toBeNull()
    expect((await readOrder(world(), waiting.orderCode)).state).toBe('cancelled')
    expect(await readNetworkActions(world(), waiting.orderCode)).toEqual([
      'add_plan completed',
      'remove_plan completed',
    ])
    await pollUntil(async () => (await readRefundedCents(world(), waiting.orderCode)) === 3600)
    const history = async () =>
      (await waiting.customer.visitor.get(`/api/account/invoices/${waiting.service.id}/`)).body
    // The credit note is created shortly after the gateway has received the refund.
    await pollUntil(async () => JSON.stringify(await history()).includes('"-36.00"'))
    expect(await history()).toContainEqual(expect.objectContaining({ document_type: 'credit', total_price: '-36.00' }))
  })

  test(
    'cancelling the next plan sends two emails: one confirms the cancellation, and the other the refund',
    { tags: ['slow'] },
    async () => {
      const waiting = await createNextPlan(world())
      await cancelNextPlan(waiting)
      const mails = await pollUntil(async () => {
        const all = await readEmails(world(), waiting)
        return all.filter(({ subject }) => /cancelled|refund/.test(subject)).length === 2 && all
      })
      const [mail] = mails.filter(({ subject }) => subject.endsWith('is cancelled'))
      const end = formatDate(waiting.expiry.toInstant().toString(), zone)
      expect(mail?.text).toContain(`due to start on ${end}, is cancelled, as you asked.`)
      expect(mail?.text).toContain('We’ll refund $36.00 to Visa ending 1111, usually within 5 working days.')
      expect(mail?.text).toContain(`Your plan then expires on ${end}; the last day is ${formatLastDay(waiting)}.`)
      expect(mails.filter(({ subject }) => subject === 'Your refund of $36.00 NZD')).toHaveLength(1)
    },
  )

  test('cancelling the same next plan again succeeds and refunds nothing more', { tags: ['slow'] }, async () => {
    const waiting = await createNextPlan(world())
    await cancelNextPlan(waiting)
    const again = await cancelNextPlan(waiting)
    expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: await readService(waiting) })
    await pollUntil(async () => (await readRefundedCents(world(), waiting.orderCode)) > 0)
    expect(await readRefundedCents(world(), waiting.orderCode)).toBe(3600)
  })

  test(
    'a customer can cancel three next plans online within 30 days, and has to call to cancel a fourth',
    { tags: ['slow'] },
    async () => {
      const waiting = await createNextPlan(world())
      const buy = async () => {
        const { status, body } = await waiting.buy()
        expect(status).toBe(200)
        await pollUntil(async () => (await readOrder(world(), body.order_code)).state === 'completed')
      }
      await cancelNextPlan(waiting)
      for (let times = 1; times < 3; times++) {
        await buy()
        expect((await cancelNextPlan(waiting)).status).toBe(200)
      }
      await buy()
      const why =
        'Three next plans for this number were cancelled in the last 30 days, so this one can’t be cancelled here. ' +
        'To cancel it, call us on'
      const refusal = await cancelNextPlan(waiting)
      expect([refusal.status, getFormErrors(refusal)?.[0]]).toEqual([400, expect.stringContaining(why)])
      expect((await terms(waiting)).body).toEqual({ lines: [expect.stringContaining(why)], button: null })
      expect(await readNextPlan(waiting)).not.toBeNull()
    },
  )

  test('before cancelling, the customer sees the refund amount and what happens when the current plan ends', async () => {
    const waiting = await createNextPlan(world())
    const end = formatDate(waiting.expiry.toInstant().toString(), zone)
    expect((await terms(waiting)).body).toEqual({
      lines: [
        'We’ll refund **$36.00** to Visa ending 1111, usually within 5 working days.',
        `Your plan then expires on ${end}; the last day is **${formatLastDay(waiting)}**.`,
      ],
      button: 'Cancel and refund',
    })
    await setAutoRenewal(waiting, 'PUT')
    expect((await terms(waiting)).body.lines[1]).toBe(
      `Auto-renewal is on, so your plan renews automatically on ${end}. We’ll email you the amount before we charge it.`,
    )
  })

  test('cancelling a partly refunded next plan refunds the remainder', { tags: ['slow'] }, async () => {
    const waiting = await createNextPlan(world())
    await refundOrder(world().deps, waiting.orderCode, systemActor, { amountCents: 1000 })
    expect((await terms(waiting)).body.lines[0]).toBe(
      'We’ll refund **$26.00** to Visa ending 1111, usually within 5 working days. ' +
        'The rest of the $36.00 you paid has already been refunded, or is on its way to you.',
    )
    expect((await cancelNextPlan(waiting)).status).toBe(200)
    await pollUntil(async () => (await readRefundedCents(world(), waiting.orderCode)) === 3600)
  })

  test(
    'staff cannot refund the full price of a next plan without cancelling it, whether at once or in parts',
    { tags: ['slow'] },
    async () => {
      const waiting = await createNextPlan(world())
      const refund = (amountCents?: number) =>
        refundOrder(world().deps, waiting.orderCode, systemActor, { amountCents })
      const refused = { outcome: 'impossible', why: expect.stringContaining('cancel the next plan') }
      expect(await refund()).toEqual(refused)
      expect(await refund(3600)).toEqual(refused)
      expect(await refund(2000)).toMatchObject({ outcome: 'received' })
      expect(await refund(1600)).toEqual(refused)
      expect(await refund()).toEqual(refused)
      expect(await readRefundedCents(world(), waiting.orderCode)).toBe(2000)
    },
  )

  test(
    'cancelling a next plan while a refund is pending refunds the remaining amount',
    { tags: ['slow'] },
    async () => {
      const waiting = await createNextPlan(world())
      await failGateway(world(), { operation: 'refund', kind: 'lost_request', times: 1 })
      const { outcome } = await refundOrder(world().deps, waiting.orderCode, systemActor, { amountCents: 1000 })
      expect(outcome).toBe('unknown')
      expect((await terms(waiting)).body.lines[0]).toContain('We’ll refund **$26.00**')
      expect((await cancelNextPlan(waiting)).status).toBe(200)
      await pollUntil(async () => (await readRefundedCents(world(), waiting.orderCode)) === 3600)
      expect((await readOrder(world(), waiting.orderCode)).state).toBe('cancelled')
    },
  )

  test('a next plan with an open dispute can be cancelled only by phone', { tags: ['slow'] }, async () => {
    const waiting = await createNextPlan(world())
    await sendDispute(world(), {
      reference: `${waiting.orderCode}-1`,
      event: 'NOTIFICATION_OF_CHARGEBACK',
    })
    await pollUntil(async () => (await cancelNextPlan(waiting)).status === 400)
    expect(getFormErrors(await cancelNextPlan(waiting))?.[0]).toMatch(
      /^Your payment for your next Prepay Plan is disputed with your bank, so the plan can’t be cancelled here\. To cancel it, call us on /,
    )
    expect(await readNextPlan(waiting)).not.toBeNull()
    expect(await readRefundedCents(world(), waiting.orderCode)).toBe(0)
    await world().db.deleteFrom('disputes').execute()
    await deleteTasks(world())
  })

  test('if the gateway rejects the refund for a cancelled next plan, the plan stays cancelled and a task is created', async () => {
    const waiting = await createNextPlan(world())
    await failGateway(world(), { operation: 'refund', kind: 'refuse' })
    expect((await cancelNextPlan(waiting)).status).toBe(200)
    await pollUntil(async () => (await readOpenTasks(world(), waiting.orderCode)).length > 0)
    expect((await readOpenTasks(world(), waiting.orderCode))[0]?.reason).toMatch(
      /did not reach the customer, who is still owed it$/,
    )
    expect([(await readOrder(world(), waiting.orderCode)).state, await readNextPlan(waiting)]).toEqual([
      'cancelled',
      null,
    ])
    expect(await refundOrder(world().deps, waiting.orderCode, systemActor)).toMatchObject({ outcome: 'received' })
    expect(await readRefundedCents(world(), waiting.orderCode)).toBe(3600)
    await deleteTasks(world())
  })
})

test('our records match the gateway’s and the network’s after customers’ next plans were cancelled', async () =>
  expect(await findFaultsWhenIdle(world())).toEqual([]))
