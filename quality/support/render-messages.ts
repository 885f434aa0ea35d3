import { transact, type Trx } from '#kit/server/db.ts'
import { findUser, type User } from '#features/auth/server/users.store.ts'
import type { OutboxMessage } from '#features/messages/server/messages.ts'
import type { DeliveredOrder } from '#features/orders/server/order-type.ts'
import { findOrderByCode } from '#features/orders/server/orders.store.ts'
import {
  findServiceSchedule,
  lockService,
  type ServiceSchedule,
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
  schedule: ServiceSchedule
  order: DeliveredOrder
}

export type MessageSample = {
  name: string
  by: (...args: never[]) => Promise<void> | OutboxMessage | OutboxMessage[]
  write(scene: Scene): Promise<void>
}

export type RenderedMessage = {
  kind: string | null
  channel: 'email' | 'sms'
  to: string
  subject: string
  text: string
  html: string
}

export const longestInputs = {
  brandName: 'W'.repeat(40),
  brandShortName: 'W'.repeat(20),
  publicUrl: `https://${'w'.repeat(22)}.example`,
  msisdn: '+642155501234',
  title: 'W'.repeat(60),
}

const rollbackError = new Error('nothing of it stays')

/** Renders a message about a customer with one service and a saved card, then rolls the transaction back. */
export async function write(
  { deps, db }: Pick<World, 'deps' | 'db'>,
  customer: Subscriber,
  sample: MessageSample,
  { isLongest = false } = {},
): Promise<RenderedMessage[]> {
  const renderedMessages: RenderedMessage[] = []
  const bodies: string[] = []
  const { brandName, brandShortName, publicUrl, msisdn, title } = longestInputs
  const spied: Deps = {
    ...deps,
    ...(isLongest && { brandName, brandShortName, publicUrl }),
    // Don't encrypt the messages: the test reads them, and the transaction is rolled back anyway.
    secrets: { ...deps.secrets, seal: (text: string) => String(bodies.push(text) - 1) },
    jobs: { ...deps.jobs, send: async () => {}, fetchMore: () => {} },
  }
  const work = transact(db, async (trx) => {
    // Delete earlier messages, so that only the new ones are returned. The rollback undoes this as well.
    await trx.deleteFrom('messages').execute()
    const user = await findUser(trx, customer.id)
    const service = await lockService(trx, customer.service.id)
    const schedule = await findServiceSchedule(trx, customer.service.id)
    const order = await findOrderByCode(trx, customer.service.orderCode)
    if (!user || !service || !schedule || !order?.service_id || !order.user_id) throw new Error('no such customer')
    const boughtOrder = { ...order, service_id: order.service_id, user_id: order.user_id }
    await sample.write({
      trx,
      deps: spied,
      user,
      service: isLongest ? { ...service, msisdn } : service,
      schedule: isLongest ? { ...schedule, title } : schedule,
      order: isLongest ? { ...boughtOrder, msisdn, product: { ...boughtOrder.product, title } } : boughtOrder,
    })
    const rows = await trx.selectFrom('messages').selectAll().execute()
    for (const { kind, channel, recipient: to, subject, sealed_body: body } of rows)
      renderedMessages.push({ html: '', ...JSON.parse(bodies[Number(body)] ?? '{}'), kind, channel, to, subject })
    throw rollbackError
  })
  await work.catch((error: unknown) => {
    if (error !== rollbackError) throw error
  })
  return renderedMessages.toSorted((one, other) => one.channel.localeCompare(other.channel))
}
