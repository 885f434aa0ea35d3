import { randomUUID } from 'node:crypto'
import { type Corruption, findPayment, findCustomerPromise } from './corruption.ts'

export const moneyCorruptions: Corruption[] = [
  {
    what: 'a payment is captured twice',
    kind: 'doubled',
    of: 'card',
    says: /was charged 4400 of 2200 cents/,
    plant(site) {
      findPayment(site, 'card').captured *= 2
    },
  },
  {
    what: 'a second payment for an order is captured and refunded',
    kind: 'doubled',
    of: 'addon',
    says: /was charged by 2 payments/,
    async plant(site) {
      const first = await site.trx
        .selectFrom('payment_attempts')
        .selectAll()
        .where('order_id', '=', site.ids.addon)
        .executeTakeFirstOrThrow()
      const reference = `${site.codes.addon}-2`
      const secondPayment = {
        ...first,
        id: randomUUID(),
        attempt: 2,
        reference,
        idempotency_key: randomUUID(),
        state: 'cancelled' as const,
        psp_reference: 'ANOTHER',
      }
      await site.trx
        .insertInto('payment_attempts')
        .values({ ...secondPayment, card: null })
        .execute()
      const line = findPayment(site, 'addon')
      site.gateway.push({ ...line, reference, psp_reference: 'ANOTHER', refunded: line.captured })
    },
  },
  {
    what: 'the gateway carries out a payment twice under one reference',
    kind: 'doubled',
    of: 'renewal',
    says: /was carried out twice/,
    plant: (site) => void site.gateway.push({ ...findPayment(site, 'renewal') }),
  },
  {
    what: 'a delivered order has nothing captured',
    kind: 'unconfirmed',
    of: 'card',
    says: /took 0 cents, not 2200/,
    plant: (site) => void Object.assign(findPayment(site, 'card'), { captured: 0, cancelled: 2200 }),
  },
  {
    what: 'money for a failed order stays reserved',
    kind: 'unexplained',
    of: 'undoneCard',
    says: /left \w+-1 open/,
    plant(site) {
      findPayment(site, 'undoneCard').cancelled = 0
    },
  },
  {
    what: 'money is taken for an order that failed',
    kind: 'lost',
    of: 'undoneCard',
    says: /took 2200 cents, not 0/,
    plant: (site) => void Object.assign(findPayment(site, 'undoneCard'), { captured: 2200, cancelled: 0 }),
  },
  {
    what: 'the gateway makes a refund that Fantail has no record of',
    kind: 'unexplained',
    of: 'transfer',
    says: /took 0 cents, not 2200/,
    plant(site) {
      findPayment(site, 'transfer').refunded = 2200
    },
  },
  {
    what: 'a refund that the gateway confirmed is missing at the gateway',
    kind: 'lost',
    of: 'refunded',
    says: /took 2200 cents, not 0/,
    plant(site) {
      findPayment(site, 'refunded').refunded = 0
    },
  },
  {
    what: 'a refund is made twice',
    kind: 'doubled',
    of: 'partly',
    says: /took 800 cents, not 1500/,
    plant(site) {
      findPayment(site, 'partly').refunded = 1400
    },
  },
  {
    what: 'a promised refund was never started',
    kind: 'lost',
    of: 'voucher',
    says: /was to give back 100 cents, and has 0/,
    plant: (site) => void site.promised.push({ ...findCustomerPromise(site, 'voucher'), kind: 'refund', cents: 100 }),
  },
  {
    what: 'a refund came back, and no task reports it',
    kind: 'lost',
    of: 'refunded',
    says: /came back, and no task asks staff to repeat it/,
    plant: ({ trx, ids }) =>
      trx.updateTable('refunds').set({ state: 'returned' }).where('order_id', '=', ids.refunded).execute(),
  },
  {
    what: 'the gateway took money for a payment that Fantail has no record of',
    kind: 'lost',
    of: null,
    says: /STRANGER-1 is unknown to Fantail/,
    plant: (site) => void site.gateway.push({ ...findPayment(site, 'card'), reference: 'STRANGER-1' }),
  },
  {
    what: 'an encrypted card stays stored',
    kind: 'unexplained',
    of: 'card',
    says: /still keeps an encrypted card/,
    plant: ({ trx, ids }) =>
      trx.updateTable('payment_attempts').set({ sealed_card: 'sealed' }).where('order_id', '=', ids.card).execute(),
  },
  {
    what: 'an open dispute has no task',
    kind: 'lost',
    of: 'disputed',
    says: /no task says so/,
    plant: ({ trx }) => trx.deleteFrom('operator_tasks').where('kind', '=', 'dispute').execute(),
  },
]
