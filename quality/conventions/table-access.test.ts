import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type AllowedReaders, findTableAccessFaults, findTableUses } from './table-access.ts'

/*
 * Slices that may read other slices' tables, mostly in joins. Adding an entry is a design decision, because it is better to call a function
 * in the other slice's store.
 */
const readers: AllowedReaders = {
  'features/account/': ['services', 'users'],
  'features/activation/': ['sessions'],
  'features/alerts/': ['services'],
  // Every API request starts with a query that reads the session together with its customer.
  'features/auth/': ['sessions'],
  'features/auto-renewal/': ['orders', 'products', 'schedules', 'services'],
  // Staff can find a customer by any detail and see all the customer's events in a single list (decision 0053).
  'features/customers/': [
    'activations',
    'audit_events',
    'auto_renewals',
    'card_removals',
    'card_updates',
    'cycle_usage',
    'disputes',
    'email_changes',
    'erasure_requests',
    'invoices',
    'mail_stops',
    'messages',
    'order_events',
    'orders',
    'phone_changes',
    'pin_tries',
    'porting_events',
    'porting_requests',
    'payment_attempts',
    'plan_end_alerts',
    'products',
    'queued_plans',
    'refunds',
    'refused_payments',
    'saved_cards',
    'schedules',
    'services',
    'sessions',
    'usage_alerts',
    'usage_readings',
    'usage_watch',
    'users',
  ],
  'features/history/': ['products', 'schedules', 'services'],
  // A SIM pack goes on sale only once its whole file has been loaded, so services read `sim_loads`.
  'features/services/': ['products', 'sim_loads'],
  // Failed activations are counted by the file from which their SIM packs were loaded.
  'features/orders/': ['sim_packs'],
  // A file of 100,000 SIM packs is checked with one query per batch of lines.
  'features/stock/': ['reserved_numbers', 'services', 'sim_packs'],
  // The demo's tables refer to rows in Fantail's tables.
  'demo/': ['orders', 'products', 'sim_packs', 'users', 'vouchers'],
  // Fantail's metrics are read with about ten queries in two transactions (decision 0063).
  'app/watching/': [
    'card_removals',
    'card_updates',
    'catalogue_versions',
    'disputes',
    'erasures',
    'messages',
    'operator_tasks',
    'orders',
    'outages',
    'payment_attempts',
    'porting_requests',
    'refunds',
    'service_releases',
    'sim_loads',
    'sim_packs',
    'voucher_batches',
    'vouchers',
  ],
  // A desk page shows data from many slices, so each desk slice has a read-only view (decision 0091).
  'desk/features/access-alerts/': ['access_log', 'audit_events', 'staff', 'users'],
  'desk/features/approvals/': ['orders', 'staff'],
  'desk/features/catalogue/': ['staff'],
  'desk/features/access-reviews/': ['access_log', 'audit_events', 'staff'],
  'desk/features/customers/': [
    'access_log',
    'operator_tasks',
    'orders',
    'payment_attempts',
    'porting_providers',
    'porting_requests',
    'products',
    'refunds',
    'schedules',
    'services',
    'sim_packs',
    'staff',
  ],
  'desk/features/limits/': ['audit_events', 'staff'],
  'desk/features/messages/': ['messages', 'users'],
  'desk/features/money/': [
    'cycle_usage',
    'daily_figures',
    'disputes',
    'orders',
    'refunds',
    'services',
    'usage_readings',
  ],
  'desk/features/orders/': ['audit_events', 'messages', 'orders', 'porting_providers', 'porting_requests', 'staff'],
  'desk/features/ports/': ['porting_providers', 'porting_requests', 'services', 'staff', 'users'],
  'desk/features/search/': [
    'orders',
    'porting_providers',
    'porting_requests',
    'products',
    'schedules',
    'services',
    'users',
  ],
  'desk/features/stock/': ['orders', 'products', 'sim_loads', 'sim_packs', 'voucher_batches', 'vouchers'],
  'desk/features/team/': [
    'access_log',
    'audit_events',
    'passkeys',
    'staff',
    'staff_invitations',
    'staff_sessions',
    'users',
  ],
  'desk/features/health/': ['notices', 'staff'],
  'desk/features/today/': [
    'notices',
    'operator_tasks',
    'orders',
    'outages',
    'payment_attempts',
    'porting_requests',
    'provider_minutes',
    'refunds',
    'services',
    'staff',
    'users',
  ],
  'desk/features/counters/': ['notices', 'outages'],
  // The demo reads the clock when it starts, because the clock may have been moved before the restart.
  'app/start.ts': ['clock'],
}

test('only store files in the slice that owns a database table write to it, and only a few other slices may read it', () => {
  const paths = globSync('{app,demo,desk,features,kit,operator,providers}/**/*.{ts,tsx}')
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !/\.test\.tsx?$/.test(path))
  const tree = Object.fromEntries(paths.map((path) => [path, readFileSync(path, 'utf8')]))
  expect(paths.length).toBeGreaterThan(500)
  expect(findTableAccessFaults(tree, readers, ['demo/stock.ts'])).toEqual([])
})

describe('checking which files access database tables', () => {
  const declares = (table: string) =>
    `declare module '#kit/server/db.ts' { interface Tables { ${table}: { id: string } } }`
  const store = 'features/orders/server/orders.store.ts'
  const faults = (path: string, source: string, readers: AllowedReaders = {}) =>
    findTableAccessFaults({ [store]: declares('orders'), [path]: source }, readers)
  const look = (path: string, table = "'orders'") => faults(path, `db.selectFrom(${table}).execute()`)

  test('a store file may read and write its slice’s tables, and no other file in the slice may access them', () => {
    expect(faults('features/orders/server/leases.store.ts', "trx.updateTable('orders').set({})")).toEqual([])
    expect(look('features/orders/server/undo-step.ts')).toEqual([
      'features/orders/server/undo-step.ts has SQL about orders, which belongs in a store',
    ])
  })

  test.each(["'orders'", "'orders as paid'", "['products', 'orders']"])(
    'the check of table access reports reading another slice’s %s',
    (table) => {
      expect(look('features/usage/server/usage.store.ts', table)).toEqual([
        'features/usage/server/usage.store.ts reads orders, which belongs to features/orders',
      ])
    },
  )

  test('permission to read another slice’s table does not allow writing, and is reported once it is no longer used', () => {
    const usage = 'features/usage/server/usage.store.ts'
    const may = { 'features/usage/': ['orders'] }
    expect(faults(usage, "db.selectFrom('x').innerJoin('orders', 'a', 'b')", may)).toEqual([])
    expect(faults(usage, "db.selectFrom('orders'); trx.deleteFrom('orders')", may)).toEqual([
      `${usage} writes orders, which only features/orders may write`,
    ])
    expect(faults(usage, '', may)).toEqual(['features/usage/ no longer reads orders'])
  })

  test('the check of table access recognises writes made through a helper function', () => {
    expect(faults('features/usage/server/usage.store.ts', "mover({ table: 'orders', transitions })")).toEqual([
      'features/usage/server/usage.store.ts writes orders, which only features/orders may write',
    ])
  })

  test('the check of table access reports a query whose table name is supplied by the caller', () => {
    expect(look('kit/server/any.ts', 'table')).toEqual(['kit/server/any.ts lets its caller choose the table'])
    expect(findTableAccessFaults({ 'kit/server/any.ts': 'db.selectFrom(table)' }, {}, ['kit/server/any.ts'])).toEqual(
      [],
    )
  })

  test.each([
    ['select * from orders o join users u on true', [false, false]],
    ['insert into orders values (1)', [true]],
    ['update orders set id = 1', [true]],
    ['delete from orders where true', [true]],
  ])('the check of table access finds the tables in raw SQL: %s', (text, isWrite) => {
    const { uses } = findTableUses('a.ts', `sql\`${text}\`; sql<Row>\`select 1 from \${sql.ref(x)}\``)
    expect(uses.map((use) => use.isWrite)).toEqual(isWrite)
    expect(uses[0]?.table).toBe('orders')
  })

  test('the check of table access throws an error for a file that cannot be parsed', () => {
    expect(() => findTableUses('a.ts', 'import {')).toThrow('a.ts')
  })
})
