/* @module-tag slow */
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatDate } from '#kit/contract/dates.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { exitCodes } from '#operator/command.ts'
import { exportCustomer } from '#features/customers/server/export-customer.ts'
import type { Message } from '#features/messages/server/messages.store.ts'
import type { HistoryPage } from '#desk/features/customers/customer-history.contract.ts'
import {
  advanceClockTo,
  createRenewingCustomer,
  formatWeekdayAndDate,
  getLastDayAtHour,
  type RenewingCustomer,
  setAutoRenewal,
  zone,
} from '#quality/support/auto-renewal.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { runCommand } from '#quality/support/operator.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const dataDir = createDataFolder('fantail-copies-')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const world = useWorld({ env: { DATA_DIR: dataDir, DESK_PORT: '0' } })

const resend = (id: string) => runCommand(dataDir, ['customers', 'resend', id, '--as', 'Hine'])

const messagesOf = ({ customer: { id } }: RenewingCustomer, subject: string): Promise<Message[]> =>
  world()
    .db.selectFrom('messages')
    .selectAll()
    .where('user_id', '=', id)
    .where('subject', 'like', subject)
    .where('sent_at', 'is not', null)
    .orderBy('created_at')
    .execute()

const findMessage = (renewing: RenewingCustomer, subject: string): Promise<Message> =>
  pollUntil(async () => (await messagesOf(renewing, subject))[0])

async function readCopies({ customer: { email } }: RenewingCustomer, count: number) {
  const copies = async () => (await world().mailTo(email)).filter(({ subject }) => subject.startsWith('Copy of'))
  await pollUntil(async () => (await copies()).length === count)
  return copies()
}

const formatDayOf = (at: Temporal.ZonedDateTime): string => formatDate(at.toInstant(), zone)

describe('resending a reminder or a charge notice', () => {
  let renewing: RenewingCustomer, ending: RenewingCustomer
  let noticeDay: string

  beforeAll(async () => {
    renewing = await createRenewingCustomer(world())
    ending = await createRenewingCustomer(world(), { enabled: false })
    noticeDay = formatDayOf(renewing.expiry.subtract({ days: 3 }))
    await advanceClockTo(world(), renewing.expiry.subtract({ days: 2 }).withPlainTime({ hour: 12 }))
  })

  test('the command “customers resend” sends a copy of a notice with its amount, day and card after all three changed', async () => {
    const { customer, service, expiry } = renewing
    const notice = await findMessage(renewing, '%renews on%')
    const [original] = (await world().mailTo(customer.email)).filter(({ subject }) => subject === notice.subject)
    await setAutoRenewal(renewing, 'DELETE')
    await world().db.updateTable('products').set({ price_cents: 9_900, price_rebill_cents: 9_900 }).execute()
    await world()
      .db.updateTable('saved_cards')
      .set({ card_type: 'mc', last_four: '4242' })
      .where('user_id', '=', customer.id)
      .execute()

    expect(await resend(notice.id)).toMatchObject({
      exit: exitCodes.done,
      said: [`A copy of the message is on its way to ${customer.email}, with its original details.`],
    })
    const [copy] = await readCopies(renewing, 1)
    const number = formatNational(service.msisdn)
    expect(copy?.subject).toBe(`Copy of our message of ${noticeDay} about ${number}`)
    expect(copy?.text).toMatch(new RegExp(`^Copy of our message of ${noticeDay}\\n`))
    const chargeDay = formatWeekdayAndDate(getLastDayAtHour(renewing, 9))
    expect(copy?.text).toContain(
      `Your Prepay Plan for ${number} renews on ${formatWeekdayAndDate(expiry)}. ${chargeDay} is the last day of your current plan. ` +
        `On ${chargeDay} at 9 am we will charge $6.00 to your Visa ending 1111`,
    )
    expect(copy?.text).not.toMatch(/99\.00|4242|Mastercard/)
    const rowsOf = (text = '') => text.slice(text.indexOf('Phone number:'), text.indexOf('\n\nGo to my dashboard'))
    expect(rowsOf(copy?.text)).toContain('Card: Visa ending 1111')
    expect(rowsOf(copy?.text)).toBe(rowsOf(original?.text))
  })

  test('the heading of a copy of a copy has the original’s date, and the bodies of sent messages are not kept', async () => {
    const copy = await findMessage(renewing, 'Copy of%')
    expect((await resend(copy.id)).exit).toBe(exitCodes.done)
    for (const { subject } of await readCopies(renewing, 2)) expect(subject).toContain(` of ${noticeDay} `)
    const rows = await pollUntil(async () => {
      const found = await messagesOf(renewing, '%')
      return found.filter(({ stated }) => stated).length === 3 && found
    })
    expect(rows.filter(({ sealed_body: body }) => body !== null)).toEqual([])
  })

  test('a customer’s data export contains what each notice stated', async () => {
    const exported = await exportCustomer(world().deps, renewing.customer.id, { by: 'operator', name: 'test' })
    const messages = exported?.['messages'] as { subject: string; stated: object | null }[]
    expect(messages.find(({ subject }) => subject.includes('renews on'))?.stated).toMatchObject({
      amount: '6.00',
      due: getLastDayAtHour(renewing, 9).toInstant().toString(),
      card: { card_type: 'visa', last_four: '1111' },
    })
    expect(messages.find(({ subject }) => subject.startsWith('Welcome'))?.stated).toBeNull()
  })

  test('at the desk, a copy of the last-day reminder gives the date instead of “today”, and texts cannot be resent', async () => {
    await advanceClockTo(world(), getLastDayAtHour(ending, 12))
    const reminder = await findMessage(ending, 'Today is the last day%')
    const desk = await newStaffVisitor(world().deskUrl ?? '')
    const path = `/api/desk/customers/${ending.customer.id}/`
    await desk.post(`${path}open/`, { reason: 'call' })
    const { rows } = (await desk.get(`${path}happened/?of=messages`)).body as HistoryPage
    expect(rows.find(({ message }) => message === reminder.id)).toMatchObject({ icon: 'mail', is_sent_as_copy: true })
    expect(rows.filter(({ icon, message }) => icon === 'text' && message !== null)).toEqual([])
    expect(rows.filter(({ icon }) => icon === 'text')).not.toEqual([])

    const { body } = await desk.post(`${path}messages/${reminder.id}/again/`, { reason: 'customers-wish' })
    expect(body.said).toMatch(/^A copy of the message is on its way to ..•+@.*, with its original details\.$/)
    const [copy] = await readCopies(ending, 1)
    expect(copy?.subject).toContain(formatDayOf(getLastDayAtHour(ending, 9)))
    expect(copy?.text).toContain(
      `${formatWeekdayAndDate(getLastDayAtHour(ending, 9))} is your last day of data, calls and texts.`,
    )
    expect(copy?.text).not.toMatch(/Today is|tonight|tomorrow/)
  })

  test('a message that was never sent, or whose facts were not kept, cannot be resent', async () => {
    const reminder = await findMessage(ending, 'Today is the last day%')
    const complaintAfter = async (change: Partial<Message>) => {
      await world().db.updateTable('messages').set(change).where('id', '=', reminder.id).execute()
      return (await resend(reminder.id)).complaints
    }
    expect(await complaintAfter({ sent_at: null })).toEqual([
      'This message hasn’t been sent yet. It will be sent automatically.',
    ])
    expect(await complaintAfter({ dropped_at: new Date() })).toEqual([
      'This message was never sent, because it no longer applied.',
    ])
    expect(await complaintAfter({ stated: null })).toEqual([
      'This message can’t be sent again, because the amounts and dates in it weren’t kept.',
    ])
  })
})
