import { sql } from 'kysely'
import { type Corruption, findOperation, findPayment, updateOrder } from './corruption.ts'

export const nextPlanCorruptions: Corruption[] = [
  {
    what: 'the price of a replaced next plan was never refunded',
    kind: 'lost',
    of: 'changed',
    says: /is cancelled, and 3600 cents of it did not go back/,
    async plant(site) {
      const { trx, ids } = site
      findPayment(site, 'changed').refunded = 0
      await trx.deleteFrom('invoices').where('order_id', '=', ids.changed).where('refund_id', 'is not', null).execute()
      await trx.deleteFrom('refunds').where('order_id', '=', ids.changed).execute()
    },
  },
  {
    what: 'the network still has a next plan that was replaced',
    kind: 'unexplained',
    of: 'changed',
    says: /has 1 plans/,
    plant: (site) => void site.network.splice(site.network.indexOf(findOperation(site, 'changed', 'remove_plan')), 1),
  },
  {
    what: 'a next plan stays although another one replaced it',
    kind: 'doubled',
    of: 'changed',
    says: /gave its place to \w+, and is completed/,
    besides: ['instead'],
    async plant(site) {
      await sql`drop index one_next_plan`.execute(site.trx)
      await updateOrder(site, 'changed', { state: 'completed' })
    },
  },
  {
    what: 'the replacement of a next plan is missing',
    kind: 'lost',
    of: 'instead',
    says: /has 0 plans in our books/,
    plant: ({ trx, ids }) => trx.deleteFrom('queued_plans').where('order_id', '=', ids.instead).execute(),
  },
]
