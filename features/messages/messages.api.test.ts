import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { realNow } from '#kit/server/clock.ts'
import { transact } from '#kit/server/db.ts'
import type { JobDefinition, Jobs } from '#kit/server/jobs.ts'
import type { RetryQueue, RowJob } from '#kit/server/retry-queue.ts'
import type { Mail, RejectedMessage } from '#providers/mail/mail.port.ts'
import type { Sms } from '#providers/sms/sms.port.ts'
import { markets } from '#kit/server/markets.ts'
import { testColours } from '#quality/support/test-brand-assets.ts'
import { useRouteServer } from '#quality/support/route-server.ts'
import {
  recordMessageOutcomes,
  type SendCondition,
  purgeOldMessages,
  retryDelayedMessages,
} from './server/messages.store.ts'
import { messageJobs, messageSweeps, messageUpkeep } from './server/messages.jobs.ts'
import { type NewMail, type NewSms, queueMail, queueSms } from './server/messages.ts'

const rig = useRouteServer(() => [])

const today = (at: number) =>
  Temporal.ZonedDateTime.from('2027-01-08T00:00[Pacific/Auckland]').withPlainTime({ hour: at }).toInstant()

type Relay<Message> = {
  taken: Message[]
  next: ('sent' | 'refused' | 'down')[]
  during?: (() => Promise<void>) | undefined
}
const relay: Relay<Mail> = { taken: [], next: [] }
const carrier: Relay<Sms> = { taken: [], next: [] }
const queued: string[] = []
/**
 * `premise` is the current state, which is compared with a message's send condition. `hour` is the hour of the day in the
 * market's time zone.
 */
let premise: string | null = null
let hour = 12
beforeEach(() => {
  premise = null
  hour = 12
  for (const each of [relay, carrier]) {
    each.taken = []
    each.next = []
    each.during = undefined
  }
  queued.length = 0
})

/** A rejection that repeats the recipient's address, as some mail servers do. */
const no: RejectedMessage = { outcome: 'refused', answer: '550 5.1.1 <ana@example.nz>: no such user' }

const senderAt = <Message>(at: Relay<Message>) => ({
  async send(message: Message) {
    const answer = at.next.shift() ?? 'sent'
    await at.during?.()
    if (answer === 'down') throw new Error('connection refused')
    at.taken.push(message)
    return answer === 'sent' ? answer : no
  },
})

function deps() {
  const { db, secrets } = rig()
  return {
    db,
    clock: { now: () => today(hour), offset: () => 0 },
    readSendConditions: async (_db: unknown, messages: readonly unknown[]) => messages.map(() => premise),
    secrets,
    market: markets.NZ,
    brandName: 'Fantail Mobile',
    colours: testColours,
    help: { phone: '0800 326 824', hours: '8 am to 8 pm' },
    publicUrl: 'https://my.example.nz',
    mailFrom: 'Fantail Mobile <hello@example.nz>',
    log: { info: () => {}, warn: () => {}, error: () => {} },
    jobs: {
      send: async (_trx: unknown, _retries: RetryQueue, key: string) => void queued.push(key),
      takeOver: (_trx: unknown, _name: string, { key }: RowJob) => void queued.push(key),
      fetchMore: () => {},
      wants: () => 50,
    } as unknown as Jobs,
    mail: senderAt(relay),
    sms: senderAt(carrier),
    attachmentOf,
  }
}

async function attachmentOf(ref: string) {
  if (ref !== 'invoice:FT0000000001') throw new Error(`there is no document ${ref}`)
  return { filename: 'FT0000000001.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF') }
}

const aMail = (changes: Partial<NewMail> = {}): NewMail => ({
  eventKey: `test:${crypto.randomUUID()}`,
  to: 'ana@example.nz',
  subject: 'Your new SIM is active',
  heading: 'Activation complete',
  paragraphs: ['Kia ora Ana.'],
  rows: [['Order', 'FT0000000001']],
  button: { text: 'Go to my dashboard', url: 'https://my.example.nz/' },
  ...changes,
})

const queue = (mail: NewMail) => transact(rig().db, (trx) => queueMail(trx, deps(), mail))
const work = async (messageId: string, { until }: { until?: number | undefined } = {}) => {
  const [job] = messageJobs(deps()) as [JobDefinition & { run(data: RowJob): Promise<void> }]
  await job.run({ key: messageId, ...(until !== undefined && { until }) })
}
const rowOf = (id = '') => rig().db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

async function oneMail(changes?: Partial<NewMail>): Promise<string> {
  await queue(aMail(changes))
  return queued.at(-1) ?? ''
}

const aText = (changes: Partial<NewSms> = {}): NewSms => ({
  eventKey: `test:${crypto.randomUUID()}`,
  to: '+64215550142',
  userId: crypto.randomUUID(),
  text: 'Your code is 482911.',
  ...changes,
})

const queueText = (text: NewSms) => transact(rig().db, (trx) => queueSms(trx, deps(), text))

async function oneText(changes?: Partial<NewSms>): Promise<string> {
  await queueText(aText(changes))
  return queued.at(-1) ?? ''
}

describe('the outbox for emails', () => {
  test('a transaction that is rolled back leaves no email in the outbox', async () => {
    const mail = aMail()
    const undone = transact(rig().db, async (trx) => {
      await queueMail(trx, deps(), mail)
      throw new Error('the order was taken')
    })
    await expect(undone).rejects.toThrow('the order was taken')
    expect(await rig().db.selectFrom('messages').select('id').where('event_key', '=', mail.eventKey).execute()).toEqual(
      [],
    )
  })

  test('queues one email per event, however often the event is reported', async () => {
    const mail = aMail()
    await queue(mail)
    await queue({ ...mail, subject: 'Once more' })
    expect(queued).toHaveLength(1)
    expect(
      await rig().db.selectFrom('messages').select('subject').where('event_key', '=', mail.eventKey).execute(),
    ).toEqual([{ subject: 'Your new SIM is active' }])
  })

  test('an email’s text is stored encrypted and is erased once the email has been sent', async () => {
    const id = await oneMail({ paragraphs: ['The token is tōtara.'] })
    expect(JSON.stringify(await rowOf(id))).not.toContain('tōtara')
    await work(id)
    expect(await rowOf(id)).toMatchObject({ sealed_body: null, sent_at: expect.any(Date) })
    expect(relay.taken[0]).toMatchObject({
      to: 'ana@example.nz',
      from: 'Fantail Mobile <hello@example.nz>',
      text: expect.stringContaining('The token is tōtara.'),
    })
  })

  test('line breaks are removed from an email’s subject', async () => {
    await work(await oneMail({ subject: 'Kia ora\r\nBcc: everyone@example.nz' }))
    expect(relay.taken[0]?.subject).toBe('Kia ora Bcc: everyone@example.nz')
  })
})

describe('documents attached to emails', () => {
  test('an attached document is generated when the email is sent and is not stored in the outbox', async () => {
    const id = await oneMail({ attachment: 'invoice:FT0000000001' })
    expect(await rowOf(id)).toMatchObject({ attachment: 'invoice:FT0000000001' })
    await work(id)
    expect(relay.taken[0]?.attachments).toEqual([
      { filename: 'FT0000000001.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF') },
    ])
  })

  test('an email whose attachment cannot be created is not sent but retried later', async () => {
    const id = await oneMail({ attachment: 'invoice:FT0000000002' })
    await work(id)
    expect(relay.taken).toEqual([])
    expect(await rowOf(id)).toMatchObject({ tries: 1, sent_at: null, sealed_body: expect.any(String) })
  })

  test('an email without a document is sent without an attachment', async () => {
    await work(await oneMail())
    expect(relay.taken[0]?.attachments).toEqual([])
  })
})

describe('the outbox for text messages', () => {
  test('one text message is queued per event, or none if the transaction is rolled back', async () => {
    const text = aText()
    const undone = transact(rig().db, async (trx) => {
      await queueSms(trx, deps(), text)
      throw new Error('the PIN was not stored')
    })
    await expect(undone).rejects.toThrow('the PIN was not stored')
    queued.length = 0
    await queueText(text)
    await queueText({ ...text, text: 'Once more' })
    expect(queued).toHaveLength(1)
    expect(await rowOf(queued[0])).toMatchObject({
      event_key: text.eventKey,
      channel: 'sms',
      recipient: '+64215550142',
      subject: '',
    })
  })

  test('a text message is stored encrypted and is erased once the carrier has accepted it', async () => {
    const id = await oneText()
    expect(JSON.stringify(await rowOf(id))).not.toContain('482911')
    await work(id)
    expect(await rowOf(id)).toMatchObject({ sealed_body: null, sent_at: expect.any(Date) })
    expect(carrier.taken).toEqual([
      { messageId: `<${id}@my.example.nz>`, to: '+64215550142', text: 'Your code is 482911.' },
    ])
    expect(relay.taken).toEqual([])
  })

  test.each([
    ['One\r\ntwo\n\nthree\n', 'One two three'],
    ['Tūī – “now”', 'Tui - "now"'],
    ['ō'.repeat(500), 'o'.repeat(160)],
    ['🐦'.repeat(500), '?'.repeat(160)],
  ])(
    'sends a text message as a single line in the GSM alphabet, truncated to the length of one message',
    async (text, sent) => {
      await work(await oneText({ text }))
      expect(carrier.taken[0]?.text).toBe(sent)
    },
  )
})

describe.each([
  { of: 'a mail', one: () => oneMail(), at: relay },
  { of: 'a text message', one: () => oneText(), at: carrier },
])('sending $of', ({ one, at }) => {
  test('a message that is sent twice because of a crash has the same message ID both times', async () => {
    const id = await one()
    const { sealed_body } = await rowOf(id)
    await work(id)
    await rig().db.updateTable('messages').set({ sent_at: null, sealed_body }).where('id', '=', id).execute()
    await work(id)
    expect(at.taken.map(({ messageId }) => messageId)).toEqual([`<${id}@my.example.nz>`, `<${id}@my.example.nz>`])
  })

  test('a message that has been sent is not sent again', async () => {
    const id = await one()
    await work(id)
    await work(id)
    expect(at.taken).toMatchObject([{ messageId: `<${id}@my.example.nz>` }])
  })

  test('a job that waited too long does not send its message, because a replacement job has been queued to send it', async () => {
    const id = await one()
    const until = Date.now() - 1_000
    await rig()
      .db.updateTable('messages')
      .set({ retry_at: new Date(until) })
      .where('id', '=', id)
      .execute()
    await messageUpkeep(deps()).run()
    await work(id, { until })
    expect(at.taken).toEqual([])
    await work(id, { until: (await rowOf(id)).retry_at?.getTime() })
    expect(at.taken).toMatchObject([{ messageId: `<${id}@my.example.nz>` }])
  })

  test('a message is retried at increasing intervals until a server accepts it', async () => {
    at.next = ['down', 'down', 'down']
    const id = await one()
    for (const seconds of [5, 10, 20]) {
      const before = realNow().epochMilliseconds
      await work(id)
      const after = realNow().epochMilliseconds
      // The retry delay starts at the failed attempt, which took place between `before` and `after`.
      const putOff = ((await rowOf(id)).retry_at?.getTime() ?? 0) - seconds * 1_000
      expect(putOff).toBeGreaterThanOrEqual(before)
      expect(putOff).toBeLessThanOrEqual(after)
    }
    const waiting = { tries: 3, sent_at: null, sealed_body: expect.any(String), answer: 'connection refused' }
    expect(await rowOf(id)).toMatchObject(waiting)
    await work(id)
    expect(at.taken).toHaveLength(1)
    expect(await rowOf(id)).toMatchObject({ sent_at: expect.any(Date), answer: null })
  })

  test('a message that fails again right after a long outage is retried within a minute, not after an hour', async () => {
    const id = await one()
    const { channel } = await rowOf(id)
    const inAnHour = new Date(Date.now() + 3_600_000)
    await rig().db.updateTable('messages').set({ tries: 12, retry_at: inAnHour }).where('id', '=', id).execute()
    await transact(rig().db, (trx) => retryDelayedMessages(trx, channel))
    at.next = ['down']
    await work(id)
    expect(Number((await rowOf(id)).retry_at) - Date.now()).toBeLessThan(60_000)
  })

  test('a message that fails just as the outage ends is retried within a minute', async () => {
    const id = await one()
    const { channel } = await rowOf(id)
    await rig().db.updateTable('messages').set({ tries: 12 }).where('id', '=', id).execute()
    at.during = () => transact(rig().db, (trx) => retryDelayedMessages(trx, channel))
    at.next = ['down']
    await work(id)
    expect(Number((await rowOf(id)).retry_at) - Date.now()).toBeLessThan(60_000)
  })

  test('a permanently rejected message is not retried, and its content is erased', async () => {
    at.next = ['refused']
    const id = await one()
    await work(id)
    expect(await rowOf(id)).toMatchObject({
      refused_at: expect.any(Date),
      sent_at: null,
      sealed_body: null,
      answer: '550 5.1.1 <•••>: no such user',
    })
    await work(id)
    expect(at.taken).toHaveLength(1)
  })

  test('a message whose job was lost is queued again, but only once', async () => {
    const id = await one()
    queued.length = 0
    await messageUpkeep(deps()).run()
    expect(queued).not.toContain(id)
    await rig().db.updateTable('messages').set({ retry_at: new Date() }).where('id', '=', id).execute()
    await messageUpkeep(deps()).run()
    await messageUpkeep(deps()).run()
    expect(queued.filter((one) => one === id)).toEqual([id])
  })
})

describe.each([
  { of: 'a mail', queueOne: (onlyWhile: SendCondition) => oneMail({ onlyWhile }), at: relay },
  { of: 'a text message', queueOne: (onlyWhile: SendCondition) => oneText({ onlyWhile }), at: carrier },
])('$of with a send condition', ({ queueOne, at }) => {
  const one = (byDay = false) => queueOne({ serviceId: crypto.randomUUID(), premise: '3 days left', byDay })
  const sweep = (at: number) => messageSweeps(deps())[0]!.run(today(at))
  const nextDue = async () => (await messageSweeps(deps())[0]!.next())?.toString() ?? null
  afterEach(() => rig().db.updateTable('messages').set({ due_at: null }).execute())

  test('a message is sent if its send condition is still met', async () => {
    const id = await one()
    premise = '3 days left'
    await work(id)
    expect(at.taken).toHaveLength(1)
    expect(await rowOf(id)).toMatchObject({ sent_at: expect.any(Date), dropped_at: null })
  })

  test.each(['2 days left', null])(
    'a message is dropped and its content erased once the state in its send condition has changed to %j',
    async (now) => {
      const id = await one()
      at.next = ['down']
      premise = '3 days left'
      await work(id)
      premise = now
      await work(id)
      expect(at.taken).toEqual([])
      const dropped = { dropped_at: expect.any(Date), sent_at: null, sealed_body: null, retry_at: null }
      expect(await rowOf(id)).toMatchObject(dropped)
      premise = '3 days left'
      await work(id)
      expect(at.taken).toEqual([])
    },
  )

  test('a daytime-only message waits until morning, when its send condition is checked again', async () => {
    const [kept, outdated] = [await one(true), await one(true)]
    premise = '3 days left'
    hour = 20
    for (const id of [kept, outdated]) await work(id)
    expect(at.taken).toEqual([])
    const morning = today(9).add({ hours: 24 })
    const putOff = await rowOf(kept)
    expect(putOff).toMatchObject({ due_at: new Date(morning.epochMilliseconds), retry_at: null })
    expect(await nextDue()).toBe(morning.toString())
    queued.length = 0
    await sweep(20)
    await messageUpkeep(deps()).run()
    expect(queued).toEqual([])
    await rig().db.updateTable('messages').set({ premise: 'renews' }).where('id', '=', outdated).execute()
    await Promise.all([messageSweeps(deps())[0]!.run(morning), messageSweeps(deps())[0]!.run(morning)])
    await messageUpkeep(deps()).run()
    expect(queued.toSorted()).toEqual([kept, outdated].toSorted())
    expect((await rowOf(kept)).queued_at?.getTime()).toBeGreaterThan(putOff.queued_at?.getTime() ?? Infinity)
    expect(await nextDue()).toBeNull()
    hour = 9
    for (const id of [kept, outdated]) await work(id)
    expect(at.taken).toMatchObject([{ messageId: `<${kept}@my.example.nz>` }])
    expect(await rowOf(outdated)).toMatchObject({ dropped_at: expect.any(Date), due_at: null })
  })

  test('a message that is not limited to the daytime is sent at night', async () => {
    const id = await one()
    premise = '3 days left'
    hour = 3
    await work(id)
    expect(at.taken).toHaveLength(1)
  })
})

test('once the outcome of a message has been recorded, later outcomes are ignored', async () => {
  const [sent, refused, dropped] = [await oneMail(), await oneMail(), await oneText()]
  const { db } = rig()
  await recordMessageOutcomes(db, [
    { id: sent, outcome: 'sent' },
    { id: refused, outcome: 'refused', answer: '550 no such user' },
    { id: dropped, outcome: 'dropped' },
  ])
  await recordMessageOutcomes(
    db,
    [sent, refused, dropped].map((id) => ({ id, outcome: 'refused' as const, answer: '550 too late' })),
  )
  const none = { sent_at: null, refused_at: null, dropped_at: null, answer: null, sealed_body: null, retry_at: null }
  expect(await rowOf(sent)).toMatchObject({ ...none, sent_at: expect.any(Date) })
  expect(await rowOf(refused)).toMatchObject({ ...none, refused_at: expect.any(Date), answer: '550 no such user' })
  expect(await rowOf(dropped)).toMatchObject({ ...none, dropped_at: expect.any(Date) })
})

test('messages are deleted 90 days after they were sent, rejected or dropped, and waiting messages are kept', async () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
  const past = { sent_at: null, refused_at: null, created_at: daysAgo(200) }
  const cases = [
    { ...past, sent_at: daysAgo(90) },
    { ...past, refused_at: daysAgo(91) },
    { ...past, dropped_at: daysAgo(91) },
    { ...past, sent_at: daysAgo(89.9) },
    { ...past, refused_at: daysAgo(89.9) },
    past,
  ]
  const ids: string[] = []
  for (const [at, changes] of cases.entries()) {
    const id = at % 2 === 0 ? await oneMail() : await oneText()
    await rig().db.updateTable('messages').set(changes).where('id', '=', id).execute()
    ids.push(id)
  }
  await purgeOldMessages(rig().db)
  const left = await rig().db.selectFrom('messages').select('id').where('id', 'in', ids).execute()
  expect(left.map(({ id }) => id).sort()).toEqual(ids.slice(3).sort())
})
