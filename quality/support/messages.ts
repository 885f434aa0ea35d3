import { transact, type Trx } from '#kit/server/db.ts'
import { findUser, type User } from '#features/auth/server/users.store.ts'
import type { Letter } from '#features/messages/server/messages.ts'
import type { DeliveredOrder } from '#features/orders/server/kind.ts'
import { findOrderByCode } from '#features/orders/server/orders.store.ts'
import {
  findScheduleOf,
  lockService,
  type ScheduleOfService,
  type ServiceRow,
} from '#features/services/server/plan-life.store.ts'
import type { Deps } from '#app/deps.ts'
import type { Subscriber } from './customer.ts'
import type { World } from './world.ts'

export type Scene = {
  trx: Trx
  deps: Deps
  user: User
  service: ServiceRow
  schedule: ScheduleOfService
  order: DeliveredOrder
}

export type Sample = {
  name: string
  by: (...args: never[]) => Promise<void> | Letter | Letter[]
  write(scene: Scene): Promise<void>
}

export type Written = {
  kind: string | null
  channel: 'email' | 'sms'
  to: string
  subject: string
  text: string
  html: string
}

export const longest = {
  brandName: 'W'.repeat(40),
  brandShortName: 'W'.repeat(20),
  publicUrl: `https://${'w'.repeat(22)}.example`,
  msisdn: '+642155501234',
  title: 'W'.repeat(60),
}

const undone = new Error('nothing of it stays')

/** Writes a message about a customer with one service and a saved card, and rolls it back. */
export async function write(
  { deps, db }: Pick<World, 'deps' | 'db'>,
  customer: Subscriber,
  sample: Sample,
  { isLongest = false } = {},
): Promise<Written[]> {
  const written: Written[] = []
  const bodies: string[] = []
  const { brandName, brandShortName, publicUrl, msisdn, title } = longest
  const spied: Deps = {
    ...deps,
    ...(isLongest && { brandName, brandShortName, publicUrl }),
    // Texts stay unencrypted, because this transaction is rolled back.
    secrets: { ...deps.secrets, seal: (text: string) => String(bodies.push(text) - 1) },
    jobs: { ...deps.jobs, send: async () => {}, fetchMore: () => {} },
  }
  const work = transact(db, async (trx) => {
    // Earlier messages must not get in the way. The deletion is rolled back, too.
    await trx.deleteFrom('messages').execute()
    const user = await findUser(trx, customer.id)
    const service = await lockService(trx, customer.service.id)
    const schedule = await findScheduleOf(trx, customer.service.id)
    const order = await findOrderByCode(trx, customer.service.orderCode)
    if (!user || !service || !schedule || !order?.service_id || !order.user_id) throw new Error('no such customer')
    const bought = { ...order, service_id: order.service_id, user_id: order.user_id }
    await sample.write({
      trx,
      deps: spied,
      user,
      service: isLongest ? { ...service, msisdn } : service,
      schedule: isLongest ? { ...schedule, title } : schedule,
      order: isLongest ? { ...bought, msisdn, product: { ...bought.product, title } } : bought,
    })
    const rows = await trx.selectFrom('messages').selectAll().execute()
    for (const { kind, channel, recipient: to, subject, sealed_body: body } of rows)
      written.push({ html: '', ...JSON.parse(bodies[Number(body)] ?? '{}'), kind, channel, to, subject })
    throw undone
  })
  await work.catch((error: unknown) => {
    if (error !== undone) throw error
  })
  return written.toSorted((one, other) => one.channel.localeCompare(other.channel))
}
