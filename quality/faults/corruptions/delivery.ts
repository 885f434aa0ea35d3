import { sql } from 'kysely'
import { type Corruption, findOperation, updateOrder } from './corruption.ts'

export const deliveryCorruptions: Corruption[] = [
  {
    what: 'the network added a plan twice',
    kind: 'doubled',
    of: 'renewal',
    says: /was carried out 2 times: add_plan/,
    async plant(site) {
      const line = findOperation(site, 'renewal', 'add_plan')
      site.network.push({ ...line, external_id: `${site.codes.renewal}-plan-9` })
    },
  },
  {
    what: 'the network has an active line for a cancelled order',
    kind: 'unexplained',
    of: 'undoneCard',
    says: /has 1 active lines/,
    plant: (site) =>
      void site.network.push({ external_id: `${site.codes.undoneCard}-sim-9`, action: 'activate', state: 'completed' }),
  },
  {
    what: 'the network lacks an add-on that was delivered',
    kind: 'lost',
    of: 'addon',
    says: /has 0 add-ons/,
    plant: (site) => void site.network.splice(site.network.indexOf(findOperation(site, 'addon', 'add_addon')), 1),
  },
  {
    what: 'the plan of a charged auto-renewal is missing at the network',
    kind: 'lost',
    of: 'auto',
    says: /has 0 plans/,
    plant: (site) => void site.network.splice(site.network.indexOf(findOperation(site, 'auto', 'add_plan')), 1),
  },
  {
    what: 'a voucher is redeemed by a cancelled order',
    kind: 'lost',
    of: 'undoneVoucher',
    says: /holds 1 vouchers/,
    plant: ({ trx, ids }) =>
      trx
        .updateTable('vouchers')
        .set({ order_id: ids.undoneVoucher, redeemed_at: new Date() })
        .where('id', 'in', trx.selectFrom('orders').select('voucher_id').where('id', '=', ids.undoneVoucher))
        .execute(),
  },
  {
    what: 'a voucher is redeemed without an order',
    kind: 'lost',
    of: null,
    says: /voucher \S+ is used, and by no order/,
    plant: ({ trx }) =>
      trx.updateTable('vouchers').set({ redeemed_at: new Date() }).where('order_id', 'is', null).execute(),
  },
  {
    what: 'a SIM is marked as used, but no service has it',
    kind: 'unexplained',
    of: null,
    says: /SIM \d+ is used, and by no order/,
    plant: ({ trx }) =>
      trx.updateTable('sim_packs').set({ activated_at: new Date() }).where('order_id', 'is', null).execute(),
  },
  {
    what: 'a number transfer is complete, but the number has not moved',
    kind: 'lost',
    of: 'transfer',
    says: /is to have the number \S+, and has \+6421555/,
    plant: ({ trx, ids }) =>
      trx.updateTable('services').set({ msisdn: '+64215550000' }).where('order_id', '=', ids.transfer).execute(),
  },
  {
    what: 'a number transfer is complete here, but not on the network',
    kind: 'lost',
    of: 'transfer',
    says: /is COMPLETED here, but failed on the network/,
    plant(site) {
      findOperation(site, 'transfer', 'port_in').state = 'failed'
    },
  },
  {
    what: 'an order for a number transfer has no transfer request',
    kind: 'lost',
    of: 'transfer',
    says: /was to bring a number, and does not/,
    async plant({ trx, ids }) {
      const ports = trx.selectFrom('porting_requests').select('id').where('order_id', '=', ids.transfer)
      await trx.deleteFrom('porting_events').where('port_id', 'in', ports).execute()
      await trx.deleteFrom('porting_requests').where('order_id', '=', ids.transfer).execute()
    },
  },
  {
    what: 'a plan that waited is gone',
    kind: 'lost',
    of: 'next',
    says: /has 0 plans in our books/,
    plant: ({ trx, ids }) => trx.deleteFrom('queued_plans').where('order_id', '=', ids.next).execute(),
  },
  {
    what: 'a waiting plan starts at a different time than the customer bought',
    kind: 'unexplained',
    of: 'next',
    says: /is to begin at/,
    plant: ({ trx, ids }) =>
      trx
        .updateTable('queued_plans')
        .set({ starts_at: new Date(0) })
        .where('order_id', '=', ids.next)
        .execute(),
  },
  {
    what: 'a plan is renewed twice',
    kind: 'doubled',
    of: 'renewal',
    says: /renews a plan that \w+ has already renewed/,
    besides: ['card', 'next', 'voucher'],
    async plant(site) {
      await sql`drop index one_next_plan`.execute(site.trx)
      const { schedule_id, renews_order_id } = await site.trx
        .selectFrom('orders')
        .selectAll()
        .where('id', '=', site.ids.next)
        .executeTakeFirstOrThrow()
      await updateOrder(site, 'renewal', { schedule_id, renews_order_id })
    },
  },
  {
    what: 'a service has no future deadlines',
    kind: 'unexplained',
    of: 'card',
    says: /will never be released/,
    plant: ({ trx, ids }) =>
      trx
        .deleteFrom('service_deadlines')
        .where('service_id', 'in', trx.selectFrom('services').select('id').where('order_id', '=', ids.card))
        .execute(),
  },
  {
    what: 'an order has not ended',
    kind: 'unsettled',
    of: 'card',
    says: /is not over/,
    plant: (site) => updateOrder(site, 'card', { state: 'finishing' }),
  },
]
