import { sql } from 'kysely'
import { type Corruption, promiseOf } from './corruption.ts'

export const promiseCorruptions: Corruption[] = [
  {
    what: 'an order that was acknowledged is gone with all that was of it',
    kind: 'lost',
    of: 'addon',
    says: /was delivered and is in no book/,
    async plant({ trx, ids }) {
      await trx.deleteFrom('messages').where('ref', '=', ids.addon).execute()
      for (const table of ['order_events', 'invoices', 'network_operations', 'payment_attempts'] as const)
        await trx.deleteFrom(table).where('order_id', '=', ids.addon).execute()
      await trx.deleteFrom('orders').where('id', '=', ids.addon).execute()
    },
  },
  {
    what: 'only the row of an acknowledged order is gone',
    kind: 'lost',
    of: 'renewal',
    says: /^the order \S+ is in no book, and \S+-1/,
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
    what: 'what was told of was never written down',
    kind: 'lost',
    of: null,
    says: /FTNEVER was accepted and is in no book/,
    plant: (site) => void site.promised.push({ ...promiseOf(site, 'card'), order_code: 'FTNEVER', said: 'accepted' }),
  },
  {
    what: 'what was delivered is taken back',
    kind: 'lost',
    of: 'undoneCard',
    says: /was delivered, and is undone/,
    plant(site) {
      promiseOf(site, 'undoneCard').said = 'delivered'
    },
  },
  {
    what: 'what was to have failed is charged',
    kind: 'unexplained',
    of: 'card',
    says: /was to have failed, and is completed/,
    plant(site) {
      promiseOf(site, 'card').said = 'failed'
    },
  },
  {
    what: 'another amount is charged than was shown',
    kind: 'unexplained',
    of: 'renewal',
    says: /for 3400 cents, and is for 3600/,
    plant(site) {
      promiseOf(site, 'renewal').cents = 3400
    },
  },
]
