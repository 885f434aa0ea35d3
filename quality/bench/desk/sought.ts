import type { Asking } from '../scale/ask.ts'

export type Sought = { id: string; number: string; sim: string; name: string; email: string; order: string }

/** Gives each customer a different name, because all copies have the same one. */
export const nameAll = ({ ask }: Asking): Promise<unknown> =>
  ask(
    `update users set first_name = ${nameIn('left(md5(id::text), 5)')}, last_name = ${nameIn('right(md5(id::text), 7)')}`,
  )

const nameIn = (digits: string): string => `initcap(translate(${digits}, '0123456789', 'ghijklmnop'))`

export const someSought = ({ ask }: Asking, count: number): Promise<Sought[]> =>
  ask<Sought>(
    `select users.id::text as id, services.msisdn as number, services.iccid as sim, users.last_name as name, users.email,
      orders.order_code as order
    from services join users on users.id = services.user_id join orders on orders.id = services.order_id
    order by md5(services.id::text) limit $1`,
    [count],
  )

/** Records that all staff have opened these customers, because a page about an unopened customer shows only a name. */
export const openAll = ({ ask }: Asking, sought: readonly Sought[]): Promise<unknown> =>
  ask(
    `insert into access_log (at, staff_id, act, user_id, reason)
    select now(), staff.id, 'customer_opened', opened, 'task' from staff, unnest($1::uuid[]) as opened`,
    [sought.map(({ id }) => id)],
  )

const searched = (text: string): string => `/api/desk/search/?q=${encodeURIComponent(text)}`

export const askedFor: readonly { name: string; mostMs: number; path(sought: Sought): string }[] = [
  { name: 'search: a number', mostMs: 100, path: ({ number }) => searched(number.slice(0, -2)) },
  { name: 'search: four digits', mostMs: 100, path: ({ sim }) => searched(sim.slice(-4)) },
  { name: 'search: a SIM', mostMs: 100, path: ({ sim }) => searched(sim) },
  { name: 'search: a name', mostMs: 100, path: ({ name }) => searched(name.slice(0, 4)) },
  { name: 'search: an e-mail', mostMs: 100, path: ({ email }) => searched(email.split('.')[0] ?? email) },
  { name: 'search: an order', mostMs: 100, path: ({ order }) => searched(order.slice(0, -1)) },
  { name: 'customer', mostMs: 150, path: ({ id }) => `/api/desk/customers/${id}/` },
  { name: 'today', mostMs: 200, path: () => '/api/desk/today/' },
]
