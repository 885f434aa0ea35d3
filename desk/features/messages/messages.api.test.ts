import * as v from 'valibot'
import { beforeAll, expect, test } from 'vitest'
import { resendVerificationMail } from '#features/auth/server/resend-verification.ts'
import { realNow, toDate } from '#kit/server/clock.ts'
import { fullMailboxDomain } from '#demo/mailbox.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { newEmail, type Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import {
  type DomainStatistics,
  listMessages,
  type MessagePage,
  type MessageRow,
  readDomains,
} from './messages.contract.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

let [support, finance, admin]: Visitor[] = []
beforeAll(async () => {
  const desk = world().deskUrl ?? ''
  support = await newStaffVisitor(desk, demoStaff.support)
  finance = await newStaffVisitor(desk, demoStaff.lead)
  admin = await newStaffVisitor(desk, demoStaff.admin)
})

const list = async (query: Record<string, string> = {}): Promise<MessagePage> =>
  (await support!.get(`/api/desk/messages/?${new URLSearchParams(query)}`)).body
const domains = async (): Promise<DomainStatistics> => (await finance!.get('/api/desk/messages/domains/')).body
const again = (id: string, who = support!) => who.post(`/api/desk/messages/${id}/again/`)
const at = async (domain: string | null) => (await domains()).domains.find((row) => row.domain === domain)
const ago = (minutes: number) => toDate(realNow().subtract({ minutes }))

async function insert(change: Record<string, unknown> = {}): Promise<string> {
  const id = crypto.randomUUID()
  const none = { sent_at: null, refused_at: null, dropped_at: null, retry_at: null, due_at: null, user_id: null }
  await world()
    .db.insertInto('messages')
    .values({
      ...none,
      id,
      event_key: `verify:${id}`,
      kind: 'verify',
      ref: id,
      message_id: `<${id}@my.example.nz>`,
      channel: 'email',
      recipient: `somebody.${id.slice(0, 4)}@inserted.example`,
      subject: 'Confirm your address',
      attachment: null,
      sealed_body: null,
      created_at: ago(60),
      queued_at: ago(60),
      service_id: null,
      premise: null,
      by_day: false,
      tries: 0,
      answer: null,
      ...change,
    })
    .execute()
  return id
}

async function fullMailbox() {
  const email = newEmail().replace(/@.*$/, `@${fullMailboxDomain}`)
  const customer = await makeCustomer(world(), { email, verified: false, last_name: 'Tamihana' })
  await resendVerificationMail(world().deps, customer.id)
  const row = await pollUntil(async () =>
    (await list({ to: fullMailboxDomain })).rows.find((each) => each.customer.id === customer.id),
  )
  return { customer, email, row: row as MessageRow }
}

test('a message that the mail relay rejected is listed with the relay’s reply, but without the recipient’s address', async () => {
  const { customer, email, row } = await fullMailbox()
  expect(row).toMatchObject({
    channel: 'email',
    what: 'Confirm email address',
    domain: fullMailboxDomain,
    customer: { id: customer.id, name: expect.stringMatching(/ Ta•+$/) },
    answer: '552 5.2.2 <•••>: mailbox full',
    tries: 1,
    next_try: null,
    is_reached: false,
    may_again: true,
  })
  // Parsing with the endpoint's output schema drops every field that the schema does not list.
  const [page, counts] = [await list(), await domains()]
  expect([page, counts]).toEqual([v.parse(listMessages.output, page), v.parse(readDomains.output, counts)])
  const whole = JSON.stringify([page, counts])
  expect(whole).not.toContain(email)
  expect(whole).not.toContain(email.split('@')[0])
  expect((await at(fullMailboxDomain))?.refused).toBeGreaterThan(0)
})

test('a resent message is composed afresh for the account’s current address, and the audit log names the staff member', async () => {
  const { customer, row } = await fullMailbox()
  const moved = newEmail()
  await world().db.updateTable('users').set({ email: moved }).where('id', '=', customer.id).execute()
  const { status, body } = await again(row.id)
  expect({ status, said: body.said }).toEqual({
    status: 200,
    said: expect.stringMatching(/^The message is on its way to ..•+@/),
  })
  expect(JSON.stringify(body)).not.toContain(moved)
  await pollUntil(async () => (await world().mailTo(moved)).length === 1)
  const trace = await world()
    .db.selectFrom('audit_events')
    .select('actor')
    .where('event', '=', 'message_resent')
    .where('user_id', '=', customer.id)
    .executeTakeFirst()
  expect(trace?.actor).toBe('staff:Hine Walker')
  await pollUntil(async () => (await list({ to: fullMailboxDomain })).rows.find(({ id }) => id === row.id)?.is_reached)
})

test('a message can be resent three times a day, unless the address’s owner has said that the account is not theirs', async () => {
  const { customer, row } = await fullMailbox()
  for (let n = 0; n < 3; n++) expect((await again(row.id, finance)).status).toBe(200)
  const fourth = await again(row.id)
  expect({ status: fourth.status, body: fourth.body }).toEqual({
    status: 409,
    body: expect.objectContaining({
      __all__: ['This message was already resent 3 times in the last day. Try again tomorrow.'],
    }),
  })
  await world()
    .db.insertInto('mail_stops')
    .values({ user_id: customer.id, stopped_at: ago(1) })
    .execute()
  expect((await again(row.id)).body).toMatchObject({ __all__: [expect.stringContaining('not theirs')] })
})

test('only messages that were rejected and belong to a known customer can be resent, and only by support or finance', async () => {
  const waiting = await insert({ retry_at: ago(-60) })
  expect((await again(waiting)).status).toBe(409)
  const nobodys = await insert({ refused_at: ago(1) })
  expect((await list()).rows.find(({ id }) => id === nobodys)).toMatchObject({
    customer: { id: null, name: 'Unknown customer' },
    answer: null,
    may_again: false,
  })
  expect((await again(nobodys)).status).toBe(409)
  expect((await again(crypto.randomUUID())).status).toBe(404)
  expect((await again(nobodys, admin)).status).toBe(403)
})

test('a refused reminder can be resent as a copy of what it stated', async () => {
  const { id: userId, email } = await makeCustomer(world())
  const ends = { at: '2027-01-11T20:00:00Z', ends_at: '2026-10-26T11:00:00Z', kept_days: 90 }
  const stated = { of: 'number_release', ...ends, msisdn: '+64215550142', plan: '5 GB Prepay Plan' }
  const reminder = await insert({ kind: 'plan-life', user_id: userId, refused_at: ago(1), stated })
  const nothingStated = await insert({ kind: 'plan-life', user_id: userId, refused_at: ago(1) })
  const { rows } = await list()
  expect([reminder, nothingStated].map((id) => rows.find((row) => row.id === id)?.may_again)).toEqual([true, false])
  expect((await again(reminder)).body.said).toMatch(/^A copy of the message is on its way to/)
  const [copy] = await pollUntil(async () => {
    const mails = await world().mailTo(email)
    return mails.length > 0 && mails
  })
  expect(copy?.subject).toBe('Copy of our message of 12 Jan 2027 about 021 555 0142')
})

test('messages that have waited for ten minutes are listed as stuck, oldest first, unless they are scheduled for later', async () => {
  const recipient = 'somebody@slow.example'
  const answer = '451 4.7.1 Greylisted'
  const oldest = await insert({ recipient, queued_at: ago(120), retry_at: ago(-5), tries: 9, answer })
  const younger = await insert({ recipient, queued_at: null, created_at: ago(30), retry_at: ago(-5) })
  await insert({ recipient, queued_at: ago(9), created_at: ago(600), retry_at: ago(-5) })
  await insert({ recipient, queued_at: ago(600), due_at: ago(-60) })
  await insert({ recipient, sent_at: ago(500) })
  const { rows } = await list({ of: 'stuck', to: 'Slow.Example' })
  expect(rows.map(({ id }) => id)).toEqual([oldest, younger])
  expect(rows[0]).toMatchObject({ answer, tries: 9, next_try: expect.any(String), may_again: false })
  expect(await at('slow.example')).toMatchObject({ refused: 0, stuck: 2, oldest_seconds: expect.closeTo(7_200, -2) })
})

test('rejected text messages have no domain and are grouped together', async () => {
  const id = await insert({ channel: 'sms', recipient: '+64215550142', kind: 'usage-alert', refused_at: ago(3) })
  await insert({ channel: 'sms', recipient: '+64215550143', kind: 'port-text', refused_at: ago(2) })
  const { rows } = await list({ to: 'texts', about: 'plans' })
  expect(rows).toMatchObject([{ id, channel: 'sms', domain: null, what: 'Data usage' }])
  expect(await at(null)).toMatchObject({ refused: 2, stuck: 0 })
  expect(JSON.stringify(await list({ to: 'texts' }))).not.toMatch(/21555014/)
})

test('messages rejected over a week ago are listed but not counted, and the domain with the most rejections comes first', async () => {
  const recipient = 'somebody@worst.example'
  await insert({ recipient, refused_at: ago(8 * 24 * 60) })
  expect(await at('worst.example')).toBe(undefined)
  for (let n = 0; n < 30; n++) await insert({ recipient, refused_at: ago(5 + n) })
  expect((await domains()).domains[0]).toMatchObject({ domain: 'worst.example', refused: 30, oldest_seconds: null })
  expect((await list({ to: 'worst.example' })).rows).toHaveLength(31)
})

test('the list of messages has pages of fifty, even if several messages have the same time', async () => {
  const moment = ago(7)
  const recipient = 'a@paged.example'
  for (let n = 0; n < 53; n++) await insert({ recipient, refused_at: n % 2 === 0 ? moment : ago(7 + n) })
  const first = await list({ to: 'paged.example' })
  const second = await list({ to: 'paged.example', before: first.next ?? '' })
  expect([first.rows.length, second.rows.length, second.next]).toEqual([50, 3, null])
  expect(new Set([...first.rows, ...second.rows].map(({ id }) => id)).size).toBe(53)
  const moments = [ago(40), ago(41)]
  const waiting = { recipient: 'a@waits.example', retry_at: ago(-5) }
  for (let n = 0; n < 52; n++) await insert({ ...waiting, queued_at: moments[n % 2] })
  const oldest = await list({ of: 'stuck', to: 'waits.example' })
  const rest = await list({ of: 'stuck', to: 'waits.example', before: oldest.next ?? '' })
  expect(new Set([...oldest.rows, ...rest.rows].map(({ id }) => id)).size).toBe(52)
  expect((await list({ to: 'paged.example', before: 'x' })).rows).toHaveLength(50)
})

test('a domain’s delivery times are the median and 95th percentile for the messages sent today', async () => {
  const before = await domains()
  const now = realNow()
  for (let seconds = 1; seconds <= 100; seconds++)
    await insert({
      recipient: 'a@paced.example',
      queued_at: toDate(now.subtract({ seconds })),
      created_at: ago(24 * 60),
      sent_at: toDate(now),
    })
  await insert({ recipient: 'a@paced.example', refused_at: toDate(now) })
  const { mails, domains: all } = await domains()
  expect(mails?.sent).toBe((before.mails?.sent ?? 0) + 100)
  expect(all.find(({ domain }) => domain === 'paced.example')?.pace).toEqual({
    sent: 100,
    half_seconds: 50.5,
    most_seconds: expect.closeTo(95, 0),
  })
})
