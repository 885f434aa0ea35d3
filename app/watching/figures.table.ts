import { type RawBuilder, sql } from 'kysely'
import { backlogQuery } from '#kit/server/backlog.ts'
import { toDate } from '#kit/server/clock.ts'
import { externalServices } from '#kit/server/external-calls.ts'
import { endStates, orderStates } from '#features/orders/orders.states.ts'
import { taskKinds } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { workTables } from '../work-tables.ts'

export type Figure = {
  label?: string
  known?: readonly string[]
  gauges: Readonly<Record<string, { name: string; help: string }>>
  ask(now: Temporal.Instant): RawBuilder<Record<string, string | number | null>>
}

const gauge = (name: string, help: string) => ({ name: `fantail_${name}`, help })

/** SQL for the seconds since a column's earliest value. `now` must come from the same clock that set the column. */
const oldestAgeSeconds = (column: string, now: RawBuilder<unknown>) =>
  sql`coalesce(greatest(0, extract(epoch from ${now} - min(${sql.ref(column)}))), 0)::float8`
const databaseNow = sql`now()`
const toSqlTimestamp = (now: Temporal.Instant) => sql`${toDate(now)}::timestamptz`

const unresolvedKinds = [
  'payment',
  'refund',
  'number_transfer',
  'card_update',
  'card_removal',
  'release',
  'erasure',
  'sim_load',
]

export const frequentlyReadFigures: readonly Figure[] = [
  {
    label: 'state',
    known: orderStates.filter((state) => !endStates.includes(state)),
    gauges: {
      count: gauge('orders_open', 'Open orders, by state'),
      seconds: gauge('orders_oldest_open_seconds', 'Age of the oldest open order, by state'),
    },
    ask: (
      now,
    ) => sql`select state, count(*)::int as count, ${oldestAgeSeconds('created_at', toSqlTimestamp(now))} as seconds
      from orders where retry_at is not null or due_at is not null group by state`,
  },
  {
    label: 'what',
    known: unresolvedKinds,
    gauges: {
      count: gauge('unresolved', 'Requests to the gateway, the network or a worker whose outcome is unknown'),
      seconds: gauge('unresolved_oldest_seconds', 'Age of the oldest request whose outcome is unknown'),
    },
    ask: (now) => sql`
      select 'payment' as what, count(*)::int as count, ${oldestAgeSeconds('payment_attempts.created_at', databaseNow)} as seconds
        from orders join payment_attempts on payment_attempts.order_id = orders.id
        where (retry_at is not null or due_at is not null)
          and payment_attempts.state in ('initiated', 'unknown', 'capturing', 'cancelling')
      union all select 'refund', count(*)::int, ${oldestAgeSeconds('created_at', databaseNow)} from refunds where retry_at is not null
      union all select 'number_transfer', count(*)::int, ${oldestAgeSeconds('created_at', toSqlTimestamp(now))}
        from porting_requests where status in ('NEW', 'SUBMITTED', 'CANCELLING')
      union all select 'card_update', count(*)::int, ${oldestAgeSeconds('created_at', databaseNow)}
      from card_updates where retry_at is not null
      union all select 'card_removal', count(*)::int, ${oldestAgeSeconds('created_at', databaseNow)}
      from card_removals where retry_at is not null
      union all select 'release', count(*)::int, ${oldestAgeSeconds('created_at', toSqlTimestamp(now))}
        from service_releases where retry_at is not null
      union all select 'erasure', count(*)::int, ${oldestAgeSeconds('created_at', toSqlTimestamp(now))}
        from erasures where retry_at is not null
      union all select 'sim_load', count(*)::int, ${oldestAgeSeconds('created_at', toSqlTimestamp(now))}
      from sim_loads where retry_at is not null`,
  },
  {
    label: 'queue',
    gauges: {
      waiting: gauge('jobs_waiting', 'Jobs that are due but not started, by queue'),
      oldest: gauge('jobs_oldest_waiting_seconds', 'How long the oldest due job has waited, by queue'),
    },
    ask: (now) => backlogQuery(workTables, now),
  },
  {
    label: 'channel',
    known: ['email', 'sms'],
    gauges: {
      count: gauge('messages_waiting', 'Unsent emails and texts'),
      seconds: gauge('messages_oldest_waiting_seconds', 'Age of the oldest unsent email or text'),
    },
    // A message that is being held until the morning is not late.
    ask: (
      now,
    ) => sql`select channel, count(*)::int as count, ${oldestAgeSeconds('created_at', toSqlTimestamp(now))} as seconds
      from messages where retry_at is not null and due_at is null group by channel`,
  },
  {
    label: 'kind',
    known: taskKinds,
    gauges: {
      count: gauge('tasks_open', 'Open operator tasks, by kind'),
      seconds: gauge('tasks_oldest_open_seconds', 'Age of the oldest open operator task, by kind'),
    },
    ask: () => sql`select kind, count(*)::int as count, ${oldestAgeSeconds('created_at', databaseNow)} as seconds
      from operator_tasks where done_at is null group by kind`,
  },
  {
    label: 'service',
    known: Object.keys(externalServices),
    gauges: {
      open: gauge('outage', '1 while an outside service does not answer any process'),
      seconds: gauge('outage_seconds', 'Time since an external service stopped responding'),
    },
    ask: () => sql`select service, 1 as open, ${oldestAgeSeconds('failing_since', databaseNow)} as seconds
      from outages where failing_since is not null group by service`,
  },
  {
    gauges: { open: gauge('disputes_open', 'Disputes that can still be contested') },
    ask: () => sql`select count(*)::int as open from disputes where state in ('announced', 'charged_back')`,
  },
  {
    gauges: {
      number: gauge('catalogue_version', 'Version of the catalogue on sale'),
      migration: gauge('migration_newest', 'Number of the latest migration applied'),
    },
    // Migrations numbered 9000 and up belong to the demo and are left out.
    ask: () => sql`select
      (select max(number) from catalogue_versions where applied_at is not null)::int as number,
      (select max(left(name, 4)) from migrations where name < '9')::int as migration`,
  },
]

export const stockFigures: readonly Figure[] = [
  {
    label: 'state',
    known: ['for_sale', 'loading'],
    gauges: {
      packs: gauge('sim_packs_unused', 'Unused SIM packs, on sale or in a file that is being loaded'),
    },
    ask: () => sql`select case when sim_loads.state is null or sim_loads.state = 'loaded' then 'for_sale' else 'loading' end as state,
        sum(packs)::int as packs
      from (select load_id, count(*) as packs from sim_packs where order_id is null group by load_id) as shelf
        left join sim_loads on sim_loads.id = shelf.load_id group by 1`,
  },
  {
    label: 'plan',
    gauges: { vouchers: gauge('vouchers_unused', 'Valid unused vouchers, by plan') },
    ask: (now) => sql`select vouchers.product_id as plan, count(*)::int as vouchers
      from vouchers left join voucher_batches on voucher_batches.id = vouchers.batch_id
      where order_id is null and redeemed_at is null and voided_at is null and vouchers.expires_at > ${toSqlTimestamp(now)}
        and (batch_id is null or voucher_batches.state = 'complete')
      group by vouchers.product_id`,
  },
]
