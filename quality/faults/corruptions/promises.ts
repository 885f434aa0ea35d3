import { sql } from 'kysely'
import { type Corruption, findCustomerPromise } from './corruption.ts'

export const promiseCorruptions: Corruption[] = [
  {
    what: 'an acknowledged order is missing together with all its rows',
    kind: 'lost',
    of: 'addon',
    says: /was delivered and is unknown to Fantail/,
    async plant({ trx, ids }) {
      await trx.deleteFrom('messages').where('ref', '=', ids.addon).execute()
      for (const table of ['order_events', 'invoices', 'network_operations', 'payment_attempts'] as const)
        await trx.deleteFrom(table).where('order_id', '=', ids.addon).execute()
      await trx.deleteFrom('orders').where('id', '=', ids.addon).execute()
    },
  },
  {
    what: 'an acknowledged order is missing, but its other rows exist',
    kind: 'lost',
    of: 'renewal',
    says: /^the order \S+ is missing, although \S+-1/,
    besides: ['voucher'],
    async plant({ trx, ids }) {
      await sql`do $$ declare each record; begin
        for each in select conrelid::regclass as of, conname from pg_constraint where confrelid = 'orders'::regclass loop
          execute format('alter table %s drop constraint %I', each.of, each.conname);
        end loop;
      end $$`.execute(trx)
      await trx.deleteFrom('orders').where('id', '=', ids.renewal).execute()
    },
  },
  {
    what: 'an order was confirmed to the customer but never stored',
    kind: 'lost',
    of: null,
    says: /FTNEVER was accepted and is unknown to Fantail/,
    plant: (site) =>
      void site.promised.push({ ...findCustomerPromise(site, 'card'), order_code: 'FTNEVER', said: 'accepted' }),
  },
  {
    what: 'an order was confirmed as delivered, but was undone',
    kind: 'lost',
    of: 'undoneCard',
    says: /was delivered, and is undone/,
    plant(site) {
      findCustomerPromise(site, 'undoneCard').said = 'delivered'
    },
  },
  {
    what: 'an order was reported as failed, but was delivered and charged',
    kind: 'unexplained',
    of: 'card',
    says: /was to have failed, and is completed/,
    plant(site) {
      findCustomerPromise(site, 'card').said = 'failed'
    },
  },
  {
    what: 'the charged amount differs from the price shown',
    kind: 'unexplained',
    of: 'renewal',
    says: /for 3400 cents, and is for 3600/,
    plant(site) {
      findCustomerPromise(site, 'renewal').cents = 3400
    },
  },
]
