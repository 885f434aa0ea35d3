import { beforeEach, describe, expect, test } from 'vitest'
import { transact } from '#kit/server/db.ts'
import type { JobDefinition, Jobs } from '#kit/server/jobs.ts'
import type { Mail } from '#providers/mail/mail.port.ts'
import { aRig } from '#testing/rig.ts'
import { messageJobs, messageUpkeep } from './server/messages.jobs.ts'
import { type NewMail, queueMail } from './server/messages.ts'

const rig = aRig(() => [])

/** What the post office does with the next mails; `sent` when nothing was asked for. */
const relay: { taken: Mail[]; next: ('sent' | 'refused' | 'down')[] } = { taken: [], next: [] }
const queued: string[] = []
beforeEach(() => {
  relay.taken = []
  relay.next = []
  queued.length = 0
})

function deps() {
  const { db, clock, secrets } = rig()
  return {
    db,
    clock,
    secrets,
    brandName: 'Fantail Mobile',
    publicUrl: 'https://my.example.nz',
    mailFrom: 'Fantail Mobile <hello@example.nz>',
    log: { info: () => {}, warn: () => {}, error: () => {} },
    jobs: { send: async (_trx: unknown, _name: string, data: { messageId: string }) => void queued.push(data.messageId) } as unknown as Jobs,
    mail: {
      async send(mail: Mail) {
        const answer = relay.next.shift() ?? 'sent'
        if (answer === 'down') throw new Error('connection refused')
        relay.taken.push(mail)
        return answer
      },
    },
  }
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
const work = async (messageId: string) => {
  const [job] = messageJobs(deps()) as [JobDefinition & { run(data: { messageId: string }): Promise<void> }]
  await job.run({ messageId })
}
const rowOf = (id = '') => rig().db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Puts one mail into the outbox and answers its id. */
async function oneMail(changes?: Partial<NewMail>): Promise<string> {
  await queue(aMail(changes))
  return queued.at(-1) ?? ''
}

describe('the outbox', () => {
  test('has a mail if and only if the change that it reports is there', async () => {
    const mail = aMail()
    const undone = transact(rig().db, async (trx) => {
      await queueMail(trx, deps(), mail)
      throw new Error('the order was taken')
    })
    await expect(undone).rejects.toThrow('the order was taken')
    expect(await rig().db.selectFrom('messages').select('id').where('event_key', '=', mail.eventKey).execute()).toEqual([])
  })

  test('has one mail for an event, however often that is reported', async () => {
    const mail = aMail()
    await queue(mail)
    await queue({ ...mail, subject: 'Once more' })
    expect(queued).toHaveLength(1)
    expect(await rig().db.selectFrom('messages').select('subject').where('event_key', '=', mail.eventKey).execute()).toEqual([{ subject: 'Your new SIM is active' }])
  })

  test('keeps no text that can be read, and none at all once it is sent', async () => {
    const id = await oneMail({ paragraphs: ['The token is tōtara.'] })
    expect(JSON.stringify(await rowOf(id))).not.toContain('tōtara')
    await work(id)
    expect(await rowOf(id)).toMatchObject({ sealed_body: null, sent_at: expect.any(Date) })
    expect(relay.taken[0]?.text).toContain('The token is tōtara.')
  })

  test('lets no line break into a subject', async () => {
    await work(await oneMail({ subject: 'Kia ora\r\nBcc: everyone@example.nz' }))
    expect(relay.taken[0]?.subject).toBe('Kia ora Bcc: everyone@example.nz')
  })
})

describe('sending', () => {
  test('is done once', async () => {
    const id = await oneMail()
    await work(id)
    await work(id)
    expect(relay.taken).toMatchObject([{ to: 'ana@example.nz', from: 'Fantail Mobile <hello@example.nz>', messageId: `<${id}@my.example.nz>` }])
  })

  test('carries the same Message-ID when a crash makes it twice', async () => {
    const id = await oneMail()
    const { sealed_body } = await rowOf(id)
    await work(id)
    // Sent, and the process died before it was written down.
    await rig().db.updateTable('messages').set({ sent_at: null, sealed_body }).where('id', '=', id).execute()
    await work(id)
    expect(relay.taken.map(({ messageId }) => messageId)).toEqual([`<${id}@my.example.nz>`, `<${id}@my.example.nz>`])
  })

  test('is tried again, ever more slowly, while the relay is down', async () => {
    relay.next = ['down', 'down', 'down']
    const id = await oneMail()
    const waits: number[] = []
    for (let time = 0; time < 3; time++) {
      await work(id)
      waits.push(Math.round(((await rowOf(id)).next_try_at.getTime() - Date.now()) / 1_000))
    }
    expect(waits).toEqual([5, 10, 20])
    expect(await rowOf(id)).toMatchObject({ tries: 3, sent_at: null, sealed_body: expect.any(String) })
    await work(id)
    expect(relay.taken).toHaveLength(1)
  })

  test('ends where the relay will never take it, and nothing of it is kept', async () => {
    relay.next = ['refused']
    const id = await oneMail()
    await work(id)
    expect(await rowOf(id)).toMatchObject({ refused_at: expect.any(Date), sent_at: null, sealed_body: null })
    await work(id)
    expect(relay.taken).toHaveLength(1)
  })

  test('is not left to a job that was lost', async () => {
    const id = await oneMail()
    queued.length = 0
    await messageUpkeep(deps()).run()
    expect(queued).not.toContain(id)
    await rig().db.updateTable('messages').set({ next_try_at: new Date() }).where('id', '=', id).execute()
    await messageUpkeep(deps()).run()
    await messageUpkeep(deps()).run()
    expect(queued.filter((one) => one === id)).toEqual([id])
  })
})
