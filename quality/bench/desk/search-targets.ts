import type { BenchConnection } from '../scale/bench-connection.ts'

export type SearchTarget = { id: string; number: string; sim: string; name: string; email: string; order: string }

/** Gives each copied customer a different name, because copies all start out with the original's name. */
export const assignNames = ({ ask }: BenchConnection): Promise<unknown> =>
  ask(
    `update users set first_name = ${buildNameSql('left(md5(id::text), 5)')}, last_name = ${buildNameSql('right(md5(id::text), 7)')}`,
  )

const buildNameSql = (digits: string): string => `initcap(translate(${digits}, '0123456789', 'ghijklmnop'))`

export const readSearchTargets = ({ ask }: BenchConnection, count: number): Promise<SearchTarget[]> =>
  ask<SearchTarget>(
    `select users.id::text as id, services.msisdn as number, services.iccid as sim, users.last_name as name, users.email,
      orders.order_code as order
    from services join users on users.id = services.user_id join orders on orders.id = services.order_id
    order by md5(services.id::text) limit $1`,
    [count],
  )

/** Records that all staff have opened these customers' records. For unopened records, the desk shows only the name. */
export const recordAccess = ({ ask }: BenchConnection, sought: readonly SearchTarget[]): Promise<unknown> =>
  ask(
    `insert into access_log (at, staff_id, act, user_id, reason)
    select now(), staff.id, 'customer_opened', opened, 'task' from staff, unnest($1::uuid[]) as opened`,
    [sought.map(({ id }) => id)],
  )

const buildSearchPath = (text: string): string => `/api/desk/search/?q=${encodeURIComponent(text)}`

export const deskRequests: readonly { name: string; mostMs: number; path(sought: SearchTarget): string }[] = [
  { name: 'search: a number', mostMs: 100, path: ({ number }) => buildSearchPath(number.slice(0, -2)) },
  { name: 'search: four digits', mostMs: 100, path: ({ sim }) => buildSearchPath(sim.slice(-4)) },
  { name: 'search: a SIM', mostMs: 100, path: ({ sim }) => buildSearchPath(sim) },
  { name: 'search: a name', mostMs: 100, path: ({ name }) => buildSearchPath(name.slice(0, 4)) },
  { name: 'search: an e-mail', mostMs: 100, path: ({ email }) => buildSearchPath(email.split('.')[0] ?? email) },
  { name: 'search: an order', mostMs: 100, path: ({ order }) => buildSearchPath(order.slice(0, -1)) },
  { name: 'customer', mostMs: 150, path: ({ id }) => `/api/desk/customers/${id}/` },
  { name: 'today', mostMs: 200, path: () => '/api/desk/today/' },
]
