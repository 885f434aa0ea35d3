import { randomUUID } from 'node:crypto'
import { type Corruption, messageOf } from './corruption.ts'

export const messageCorruptions: Corruption[] = [
  {
    what: 'a mail about an order is written twice',
    kind: 'doubled',
    of: 'voucher',
    says: /is one more about activation/,
    async plant(site) {
      const first = await messageOf(site, 'voucher')
      const again = { ...first, id: randomUUID(), message_id: '<again@localhost>', event_key: `${first.event_key}:x` }
      await site.trx.insertInto('messages').values(again).execute()
      site.mails.push({ to: first.recipient, message_id: again.message_id, subject: first.subject })
    },
  },
  {
    what: 'the relay has a mail twice, under two Message-IDs',
    kind: 'doubled',
    of: 'voucher',
    says: /says again what/,
    async plant(site) {
      const { recipient: to, subject } = await messageOf(site, 'voucher')
      site.mails.push({ to, message_id: '<again@localhost>', subject })
    },
  },
  {
    what: 'the relay has a mail that no book knows',
    kind: 'unexplained',
    of: null,
    says: /is in no book: Buy now/,
    plant: ({ mails }) => void mails.push({ to: 'a@example.nz', message_id: '<b@localhost>', subject: 'Buy now' }),
  },
  {
    what: 'a mail was sent, and the relay never had it',
    kind: 'lost',
    of: 'voucher',
    says: /was sent, and nobody has had it/,
    async plant(site) {
      const { message_id: id } = await messageOf(site, 'voucher')
      site.mails.splice(
        site.mails.findIndex((mail) => mail.message_id === id),
        1,
      )
    },
  },
  {
    what: 'a mail about an order was never sent',
    kind: 'lost',
    of: 'voucher',
    says: /has an unsent message/,
    plant: ({ trx, ids }) =>
      trx.updateTable('messages').set({ sent_at: null }).where('ref', '=', ids.voucher).execute(),
  },
  {
    what: 'a mail about a transfer was never sent',
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
    what: 'an order’s mail is gone from our books',
    kind: 'lost',
    of: 'voucher',
    says: /has 0 messages/,
    async plant(site) {
      const { id, message_id } = await messageOf(site, 'voucher')
      site.mails.splice(
        site.mails.findIndex((mail) => mail.message_id === message_id),
        1,
      )
      await site.trx.deleteFrom('messages').where('id', '=', id).execute()
    },
  },
  {
    what: 'a mail about an order was written to somebody else',
    kind: 'unexplained',
    of: 'voucher',
    says: /was told of to a@example\.nz/,
    async plant(site) {
      const { id, message_id } = await messageOf(site, 'voucher')
      await site.trx.updateTable('messages').set({ recipient: 'a@example.nz' }).where('id', '=', id).execute()
      for (const mail of site.mails) if (mail.message_id === message_id) mail.to = 'a@example.nz'
    },
  },
  {
    what: 'a text went to another number',
    kind: 'unexplained',
    of: null,
    says: /went to \+64215550000/,
    plant({ texts }) {
      for (const text of texts) text.to = '+64215550000'
    },
    // Customers with a transferred number are told by text.
    besides: ['card', 'transfer'],
  },
  {
    what: 'a text came twice, under two ids',
    kind: 'doubled',
    of: 'card',
    says: /the text <again@localhost> .* says again/,
    // Texts come in no order, and numbers have changed.
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
