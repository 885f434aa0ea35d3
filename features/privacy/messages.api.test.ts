/* @module-tag slow */
import { beforeAll, describe, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { makeCustomer, makeSubscriber, type Subscriber } from '#quality/support/customer.ts'
import { messageSamples } from '#quality/support/message-samples.ts'
import { write } from '#quality/support/render-messages.ts'
import { addSentMessages } from '#quality/support/sent-messages.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import type { MessagesView, SentMessage } from './messages.contract.ts'
import { smsLabels } from './server/sms.labels.ts'

const world = useWorld()
const path = '/api/account/privacy/messages/'
const kinds = Object.keys(smsLabels)
let customer: Subscriber
beforeAll(async () => {
  customer = await makeSubscriber(world(), { card: true })
})

async function pagesOf(visitor: Visitor): Promise<SentMessage[][]> {
  const pages: SentMessage[][] = []
  for (let next: string | null = ''; next !== null;) {
    const before = next && `?before=${encodeURIComponent(next)}`
    const { status, body } = await visitor.get(`${path}${before}`)
    expect(status).toBe(200)
    const view = body as MessagesView
    pages.push(view.messages)
    next = view.next
  }
  return pages
}

describe('list of the messages sent to a customer', () => {
  test('lists a customer’s messages page by page, newest first, with recipient, subject and state', async () => {
    const { visitor, id, email } = await makeCustomer(world())
    await world().db.deleteFrom('messages').where('user_id', '=', id).execute()
    const other = await makeCustomer(world())
    const number = customer.service.msisdn
    await addSentMessages(world(), { id, email }, { times: 45, kinds, number })
    await addSentMessages(world(), other, { times: 45, kinds, number })
    const pages = await pagesOf(visitor)
    expect(pages.map(({ length }) => length)).toEqual([20, 20, 5])
    const all = pages.flat()
    expect(new Set(all.map((one) => one.id)).size).toBe(45)
    expect(all.map(({ at }) => at)).toEqual(
      all
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    )
    expect(new Set(all.map(({ to }) => to))).toEqual(new Set([email, formatNational(number)]))
    const about = { at: expect.any(String), id: expect.any(String) }
    expect(all.slice(0, 2)).toEqual([
      { ...about, by: 'email', to: email, about: 'Your letter 1', state: 'sent' },
      { ...about, by: 'text', to: formatNational(number), about: smsLabels[kinds[0] ?? ''], state: 'sent' },
    ])
    expect(all.slice(3, 5).map(({ state }) => state)).toEqual(['refused', 'not_needed'])
  })

  test('no message is skipped between two pages of the list, even if all were sent at the same time', async () => {
    const { visitor, id, email } = await makeCustomer(world())
    await addSentMessages(world(), { id, email }, { times: 41, kinds, number: customer.service.msisdn })
    await world().db.updateTable('messages').set({ created_at: new Date() }).where('user_id', '=', id).execute()
    const { count } = await world()
      .db.selectFrom('messages')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', id)
      .executeTakeFirstOrThrow()
    const all = (await pagesOf(visitor)).flat()
    expect(new Set(all.map((one) => one.id)).size).toBe(Number(count))
  })

  test('a message that has not been sent is listed as waiting', async () => {
    const { visitor, id } = await makeCustomer(world())
    await world().db.deleteFrom('messages').where('user_id', '=', id).execute()
    expect((await visitor.get(path)).body).toEqual({ messages: [], next: null })
    await addSentMessages(world(), { id, email: 'a@example.nz' }, { times: 1, kinds, number: '' })
    await world().db.updateTable('messages').set({ sent_at: null }).where('user_id', '=', id).execute()
    expect((await visitor.get(path)).body.messages).toMatchObject([{ state: 'waiting' }])
  })

  test.each([
    '',
    'x',
    '2026-11-22T00:30:00.000Z',
    '2026-11-22T00:30:00.000Z~x',
    '2026-11-22T00:30:00.000Z~message:1',
    '0000-01-01T00:00:00.000Z~5cbe0b1d-22f8-4b8e-9a57-0d9c4a4be001',
    '9'.repeat(500),
  ])('rejects %s as the position of a page of messages', async (before) => {
    const { status, body } = await customer.visitor.get(`${path}?before=${encodeURIComponent(before)}`)
    expect({ status, body }).toEqual({
      status: 400,
      body: { before: ['That page of messages doesn’t exist. Please go back to your latest messages.'] },
    })
  })
})

test('the kinds of text messages described to customers are exactly the kinds that the portal sends', async () => {
  const written = new Set<string | null>()
  for (const sample of messageSamples)
    for (const { kind, channel } of await write(world(), customer, sample)) if (channel === 'sms') written.add(kind)
  expect([...written].toSorted()).toEqual(kinds.toSorted())
})
