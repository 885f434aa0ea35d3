import { randomUUID } from 'node:crypto'
import { type Corruption, findMessage } from './corruption.ts'

export const messageCorruptions: Corruption[] = [
  {
    what: 'Fantail writes two emails about one order',
    kind: 'doubled',
    of: 'voucher',
    says: /is one more about activation/,
    async plant(site) {
      const first = await findMessage(site, 'voucher')
      const again = { ...first, id: randomUUID(), message_id: '<again@localhost>', event_key: `${first.event_key}:x` }
      await site.trx.insertInto('messages').values(again).execute()
      site.mails.push({ to: first.recipient, message_id: again.message_id, subject: first.subject })
    },
  },
  {
    what: 'the relay received an email twice, with two Message-IDs',
    kind: 'doubled',
    of: 'voucher',
    says: /says again what/,
    async plant(site) {
      const { recipient: to, subject } = await findMessage(site, 'voucher')
      site.mails.push({ to, message_id: '<again@localhost>', subject })
    },
  },
  {
    what: 'the relay received an email that Fantail has no record of',
    kind: 'unexplained',
    of: null,
    says: /is unknown to Fantail: Buy now/,
    plant: ({ mails }) => void mails.push({ to: 'a@example.nz', message_id: '<b@localhost>', subject: 'Buy now' }),
  },
  {
    what: 'an email is recorded as sent, but the relay never received it',
    kind: 'lost',
    of: 'voucher',
    says: /was sent, and nobody has had it/,
    async plant(site) {
      const { message_id: id } = await findMessage(site, 'voucher')
      site.mails.splice(
        site.mails.findIndex((mail) => mail.message_id === id),
        1,
      )
    },
  },
  {
    what: 'an email about an order was never sent',
    kind: 'lost',
    of: 'voucher',
    says: /has an unsent message/,
    plant: ({ trx, ids }) =>
      trx.updateTable('messages').set({ sent_at: null }).where('ref', '=', ids.voucher).execute(),
  },
  {
    what: 'an email about a number transfer was never sent',
    kind: 'lost',
    of: 'transfer',
    says: /about port:\S+ to \S+ was never sent/,
    plant: ({ trx, promised, codes }) =>
      trx
        .updateTable('messages')
        .set({ sent_at: null })
        .where('kind', '=', 'port')
        .where('recipient', '=', promised.find(({ order_code: code }) => code === codes.transfer)?.email ?? '')
        .execute(),
  },
  {
    what: 'the email about an order was neither stored nor delivered',
    kind: 'lost',
    of: 'voucher',
    says: /has 0 messages/,
    async plant(site) {
      const { id, message_id } = await findMessage(site, 'voucher')
      site.mails.splice(
        site.mails.findIndex((mail) => mail.message_id === message_id),
        1,
      )
      await site.trx.deleteFrom('messages').where('id', '=', id).execute()
    },
  },
  {
    what: 'an email about an order went to another address',
    kind: 'unexplained',
    of: 'voucher',
    says: /was told of to a@example\.nz/,
    async plant(site) {
      const { id, message_id } = await findMessage(site, 'voucher')
      await site.trx.updateTable('messages').set({ recipient: 'a@example.nz' }).where('id', '=', id).execute()
      for (const mail of site.mails) if (mail.message_id === message_id) mail.to = 'a@example.nz'
    },
  },
  {
    what: 'a text message went to another number',
    kind: 'unexplained',
    of: null,
    says: /went to \+64215550000/,
    plant({ texts }) {
      for (const text of texts) text.to = '+64215550000'
    },
    // These customers receive text messages, because they have a number that was transferred.
    besides: ['card', 'transfer'],
  },
  {
    what: 'a text message was sent twice, with two ids',
    kind: 'doubled',
    of: 'card',
    says: /the text <again@localhost> .* says again/,
    // Find the text message through the order's service. The messages are not sorted, and the customer's number has changed.
    async plant({ trx, ids, texts }) {
      const ofIt = await trx
        .selectFrom('messages')
        .innerJoin('orders', 'orders.service_id', 'messages.service_id')
        .select('message_id')
        .where('orders.id', '=', ids.card)
        .where('channel', '=', 'sms')
        .execute()
      const first = texts.find(({ id }) => ofIt.some(({ message_id: known }) => known === id))
      if (!first) throw new Error('the customer of card was texted nothing')
      texts.push({ ...first, id: '<again@localhost>' })
    },
  },
]
