import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { formatHour } from '#kit/server/relative-day.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { portForm } from '#quality/support/activation-journey.ts'
import { newPortableNumber, setPortState } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import { transact } from '#kit/server/db.ts'
import { stopMailToUser } from '#features/messages/server/mail-stops.store.ts'
import { listStalledPorts } from '#features/porting/server/porting-events.store.ts'
import type { DeskPort, PortPage } from './ports.contract.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

let support: Visitor
beforeAll(async () => void (support = await newStaffVisitor(world().deskUrl ?? '', demoStaff.support)))

const why = { reason: 'details', note: 'asked on the phone, no answer' }
const pathOf = (reference: string, act = ''): string => `/api/desk/ports/${reference}/${act}`
const see = async (reference: string): Promise<DeskPort> => (await support.get(pathOf(reference))).body
const remind = (reference: string, who = support) => who.post(pathOf(reference, 'remind/'))
const ask = (reference: string, who = support, body: object = why) => who.post(pathOf(reference, 'ask/'), body)

async function aPort(state: string, { code, ...change }: { code?: string; [field: string]: unknown } = {}) {
  const customer = await makeCustomer(world(), { services: 1, last_name: 'Hohepa' })
  const number = await newPortableNumber(world(), 'played')
  const service = customer.services[0]!
  const asked = await customer.visitor.post(`/api/services/port/${service.id}/`, { ...portForm(number), ...change })
  expect(asked.status).toBe(200)
  const reference = `${service.id}-port-1`
  await pollUntil(async () => (await world().ledgers()).network.some(({ external_id: id }) => id === reference))
  await setPortState(world(), { msisdn: number, state, ...(code && { code }) })
  const { id } = await pollUntil(async () => {
    const port = await world()
      .db.selectFrom('porting_requests')
      .selectAll()
      .where('external_id', '=', reference)
      .executeTakeFirstOrThrow()
    return (port.sub_state === state || port.ended_at !== null) && port
  })
  return { customer, number, reference, service, id }
}
const onAccount = { billing_method: 2, account_number: '40118277', prepaid_sim_number: '' }

const written = (id: string) =>
  world()
    .db.selectFrom('messages')
    .select(['channel', 'kind', 'recipient', 'subject', 'by_day'])
    .where('ref', '=', id)
    .where('event_key', 'like', '%:again:%')
    .orderBy('channel')
    .execute()
const acts = (userId: string) =>
  world()
    .db.selectFrom('audit_events')
    .select(['event', 'actor', 'reason'])
    .where('user_id', '=', userId)
    .where('event', 'in', ['number_transfer_reminded', 'number_transfer_asked'])
    .execute()
/** Moves the start of the rate-limit windows back, because rate limits use real time, which the test's clock cannot advance. */
const tenMinutesLater = () =>
  sql`update rate_limits set window_started_at = window_started_at - interval '11 minutes'`.execute(world().db)
const refused = (sentence: string | RegExp) => ({
  status: 409,
  body: { __all__: [typeof sentence === 'string' ? sentence : expect.stringMatching(sentence)] },
})

describe('POST /api/desk/ports/:reference/remind/', () => {
  test('a number transfer reminder goes to the customer’s phone and email, and the history shows who sent it', async () => {
    const { customer, reference, service, id, number } = await aPort('awaitingCustomerReply')
    const { contact, standing } = await see(reference)
    const own = formatNational(service.msisdn)
    const by = formatHour(Temporal.Instant.from(standing.reply_by!), world().deps.market.zone)
    expect(contact).toEqual({
      act: 'remind',
      text:
        `Fantail: reply YES to the text from 2542 on your OLD SIM by ${by}, or ${formatNational(number)} stays with Skinny. ` +
        `No text? Call ${world().deps.help.phone}`,
      number: own,
      by_mail: true,
      why: null,
    })
    const { rows }: PortPage = (await support.get('/api/desk/ports/?of=customer')).body
    expect(rows.find((row) => row.reference === reference)?.act).toBe('remind')
    const { status, body } = await remind(reference)
    expect([status, body]).toEqual([200, { said: `Reminder sent: a text to ${own} and an email are on the way.` }])
    expect(await written(id)).toMatchObject([
      { channel: 'email', kind: 'port-reply', recipient: customer.email },
      { channel: 'sms', kind: 'port-reply-text', recipient: service.msisdn },
    ])
    await pollUntil(
      async () => (await world().smsTo(service.msisdn)).filter(({ text }) => text.includes('YES')).length === 2,
    )
    expect(await world().smsTo(number)).toEqual([])
    expect(await acts(customer.id)).toEqual([
      { event: 'number_transfer_reminded', actor: 'staff:Hine Walker', reason: 'no-answer-yet' },
    ])
    const { events, for_carrier: copy } = await see(reference)
    expect(events.at(-1)).toMatchObject({
      words: 'Customer reminded to reply',
      detail: 'by text and mail',
      by: 'Hine Walker',
    })
    expect(copy).not.toContain('reminded')
    await support.post(`/api/desk/customers/${customer.id}/open/`, { reason: 'task' })
    const happened = async (of: string) =>
      (await support.get(`/api/desk/customers/${customer.id}/happened/?of=${of}`)).body.rows
    expect(await happened('staff')).toContainEqual(expect.objectContaining({ by: 'Hine Walker', why: 'No answer yet' }))
    expect(await happened('messages')).toContainEqual(
      expect.objectContaining({ title: expect.stringMatching(/^Text .*confirming a number transfer$/) }),
    )
  })

  test(
    'reminders to a customer must be ten minutes apart, and are limited to three per day',
    { tags: ['slow'] },
    async () => {
      const { reference, id } = await aPort('awaitingCustomerReply')
      for (let times = 1; times <= 3; times++) {
        expect((await remind(reference)).status).toBe(200)
        const soon = /^We contacted the customer (less than 10 minutes ago|about this 3 times in the last day)/
        expect(await remind(reference)).toMatchObject(refused(soon))
        expect((await see(reference)).contact?.why).toMatch(soon)
        await tenMinutesLater()
      }
      const often = 'We contacted the customer about this 3 times in the last day. Call them instead.'
      expect(await remind(reference)).toMatchObject(refused(often))
      expect(await written(id)).toHaveLength(6)
      expect((await see(reference)).events.filter(({ words }) => words.startsWith('Customer reminded'))).toHaveLength(3)
    },
  )

  test(
    'a reminder is rejected with 409 unless the number transfer is waiting for the customer’s reply',
    { tags: ['slow'] },
    async () => {
      const none = 'This transfer isn’t waiting for the customer’s reply.'
      for (const state of ['confirmed', 'informationRequired', 'declined']) {
        const { reference, id } = await aPort(state)
        expect(await remind(reference)).toMatchObject(refused(none))
        expect(await written(id)).toEqual([])
      }
    },
  )

  test('a number transfer reminder is not emailed if the address’s owner has said that the account is not theirs', async () => {
    const { reference, id, customer, service } = await aPort('awaitingCustomerReply')
    await transact(world().db, (trx) => stopMailToUser(trx, customer.id, world().deps.clock.now()))
    expect((await see(reference)).contact?.by_mail).toBe(false)
    expect((await remind(reference)).body).toEqual({
      said: `Reminder sent: a text to ${formatNational(service.msisdn)} is on the way.`,
    })
    expect(await written(id)).toMatchObject([{ channel: 'sms' }])
  })
})

describe('POST /api/desk/ports/:reference/ask/', () => {
  test('a request for number transfer details tells the customer what is wrong and where to correct it, and is audited', async () => {
    const { customer, reference, service, id, number } = await aPort('declined', onAccount)
    const { contact } = await see(reference)
    const { host } = new URL(world().url)
    expect(contact).toMatchObject({
      act: 'ask',
      text:
        `Fantail: Skinny has a different account number for ${formatNational(number)}. To move it, check the number on your bill: ` +
        `log in at ${host}`,
      why: null,
    })
    const { status, body } = await ask(reference)
    expect([status, body.said]).toEqual([
      200,
      expect.stringMatching(/^Request sent: a text to .+ and an email are on the way\./),
    ])
    expect(await written(id)).toEqual([
      {
        channel: 'email',
        kind: 'port-ask',
        recipient: customer.email,
        subject: `What we need from you to move ${formatNational(number)}`,
        by_day: false,
      },
      { channel: 'sms', kind: 'port-ask-text', recipient: service.msisdn, subject: '', by_day: true },
    ])
    const mail = await pollUntil(async () =>
      (await world().mailTo(customer.email)).find(({ subject }) => subject.startsWith('What we need')),
    )
    expect(mail.links).toContain(`${world().url}/services/${service.id}/port/`)
    expect(mail.text).toContain('Skinny has a different account number for this number.')
    expect(mail.text).toContain('Check the account number on your bill')
    expect(await acts(customer.id)).toEqual([
      {
        event: 'number_transfer_asked',
        actor: 'staff:Hine Walker',
        reason: 'details: asked on the phone, no answer',
      },
    ])
    const shown = await see(reference)
    expect(shown.events.at(-1)).toMatchObject({ words: 'Customer asked to correct the details', by: 'Hine Walker' })
    expect(shown.contact?.why).toMatch(/^We contacted the customer less than 10 minutes ago/)
  })

  test('staff can email a customer whose number transfer needs more details', async () => {
    const { reference, id, customer, number } = await aPort('informationRequired')
    expect((await see(reference)).contact?.text).toContain(`Skinny needs more details about ${formatNational(number)}.`)
    expect((await ask(reference)).status).toBe(200)
    await pollUntil(async () =>
      (await world().mailTo(customer.email)).some(({ subject }) => subject.startsWith('What we need')),
    )
    // A text message queued at night is held until morning, and dropped if the number transfer no longer needs it by then.
    await setPortState(world(), { msisdn: number, state: 'declined' })
    await pollUntil(async () => (await see(reference)).ended !== null)
    expect(await written(id)).toHaveLength(2)
  })

  test(
    'requesting details is rejected if the customer replied no, is blocked, has a newer request or no longer has the service',
    { tags: ['slow'] },
    async () => {
      const no = await aPort('cancelled')
      const { contact } = await see(no.reference)
      expect(contact?.why).toBe('Someone replied ‘No’. Call the customer first, and ask whether it was them.')
      expect(await ask(no.reference)).toMatchObject(refused(contact!.why!))

      const before = await aPort('declined', onAccount)
      const again = { ...(await see(before.reference)).answers, account_number: '401182773', ...why }
      const { reference: next } = (await support.post(pathOf(before.reference, 'correct/'), again)).body
      expect(await ask(before.reference)).toMatchObject(
        refused(`The number was requested again. Contact the customer about ${next} instead.`),
      )
      expect(await ask(next)).toMatchObject(refused('There is nothing for the customer to correct in this transfer.'))

      const blocked = await aPort('declined', onAccount)
      await support.post(`/api/desk/customers/${blocked.customer.id}/open/`, { reason: 'call' })
      await support.post(`/api/desk/customers/${blocked.customer.id}/block/`, { reason: 'fraud', note: '' })
      expect(await ask(blocked.reference)).toMatchObject(
        refused('This customer is blocked and can’t log in to correct the details.'),
      )

      const left = await aPort('declined', onAccount)
      await world()
        .db.updateTable('services')
        .set({ released_at: new Date() })
        .where('id', '=', left.service.id)
        .execute()
      expect(await ask(left.reference)).toMatchObject(
        refused('The customer no longer has the service that this transfer is for.'),
      )
      for (const { id } of [no, before, blocked, left]) expect(await written(id)).toEqual([])
    },
  )

  test('only support can request number transfer details, with a valid reason, and an unknown transfer gets 404', async () => {
    const { reference, id } = await aPort('declined', onAccount)
    expect(await ask(reference, support, { reason: 'because', note: '' })).toMatchObject({ status: 400 })
    expect(await ask(reference, support, { reason: 'other', note: 'no' })).toMatchObject({ status: 400 })
    for (const email of [demoStaff.lead, demoStaff.admin]) {
      const other = await newStaffVisitor(world().deskUrl ?? '', email)
      for (const press of [remind, ask]) expect((await press(reference, other)).status).toBe(403)
      expect((await other.get('/api/desk/port-figures/')).status).toBe(403)
    }
    const nobody = await newStaffVisitor(world().deskUrl ?? '', null)
    for (const press of [remind, ask]) expect((await press(reference, nobody)).status).toBe(401)
    for (const press of [remind, ask]) expect((await press('nothing-port-1')).status).toBe(404)
    expect(await written(id)).toEqual([])
  })
})

test('a number transfer still counts as stalled after staff have written to its customer', async () => {
  const { reference } = await aPort('informationRequired')
  expect((await ask(reference)).status).toBe(200)
  await world()
    .db.updateTable('porting_events')
    .set({ at: new Date(Date.now() - 3 * 86_400_000) })
    .where('event', '<>', 'asked')
    .execute()
  await world()
    .db.updateTable('porting_requests')
    .set({ created_at: new Date(Date.now() - 4 * 86_400_000) })
    .where('external_id', '=', reference)
    .execute()
  const since = world().deps.clock.now().subtract({ hours: 48 })
  expect(await listStalledPorts(world().db, since, 500)).toContain(reference)
})
