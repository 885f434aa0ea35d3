import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { audit } from '#kit/server/audit.ts'
import { toWire } from '#kit/contract/money.ts'
import { listErrors } from '#features/error-reports/server/error-reports.store.ts'
import { listDocumentsOf } from '#features/invoices/server/invoices.store.ts'
import { presentPurchase } from '#features/invoices/server/invoices.present.ts'
import { endTask, listOpenTasks } from '#features/orders/server/operator-tasks.store.ts'
import { findOrderByCode } from '#features/orders/server/orders.store.ts'
import { type RefusedPayments, viewRefusedPayments } from '#features/refused-payments/server/refused-payments.ts'
import { findRefundOf } from '#features/refunds/server/refunds.store.ts'
import { refundOrder } from '#features/refunds/server/refunds.ts'
import type { Deps } from './deps.ts'
import { operatorAddress } from './operator-address.ts'

export type OrderView = NonNullable<Awaited<ReturnType<typeof viewOrder>>>
export type TaskView = { id: string; order_code: string; reason: string; created: string }
export type ErrorView = {
  fingerprint: string
  count: number
  kind: string
  name: string
  message: string
  top_frame: string | null
  page: string
  build: string
  first_seen: string
  last_seen: string
}

/** The refused payments of the last day; `what` is an address by its hash, a SIM by its ICCID or an account by its id. */
export type RefusedPaymentsView = {
  last_hour: number
  threshold: number
  wave: boolean
  hours: { hour: string; refused: number; addresses: number; sims: number; accounts: number }[]
  most: { of: 'address' | 'SIM' | 'account'; what: string; refused: number; latest: string }[]
}

/** As many errors of browsers as one may want to read. */
const mostErrorsShown = 50

/**
 * Listens to the provider's own tool (`operator/`), on a socket in the data directory that only the product's own user can
 * open; nothing of it can be reached from a network. A user who can open it could read the secret key as well.
 */
export async function hearOperator(deps: Deps, dataDir: string): Promise<{ close(): Promise<void> }> {
  const app = operatorRoutes(deps)
  const address = operatorAddress(dataDir)
  const isFile = process.platform !== 'win32'
  try {
    if (isFile) {
      mkdirSync(dataDir, { recursive: true })
      if (await isHeard(address)) throw new Error('another process on this data directory does already')
      // Left by a process that was killed.
      rmSync(address, { force: true })
    }
    await app.listen({ path: address })
    if (isFile) chmodSync(address, 0o600)
  } catch (error) {
    // No reason not to serve customers.
    deps.log.warn({ reason: String(error) }, 'the operator’s tool is not listened to here')
  }
  return { close: () => app.close() }
}

/** Whether a product answers there. */
function isHeard(address: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(address, () => resolve(true)).on('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}

function operatorRoutes(deps: Deps): FastifyInstance {
  const { db } = deps
  const app = Fastify({ logger: false, forceCloseConnections: true })
  app.setErrorHandler((error, _request, reply) => {
    deps.log.error({ err: error }, 'a command of the operator failed')
    return reply.status(500).send({ why: 'That did not work. The product’s log says more.' })
  })

  app.get<{ Params: { code: string } }>('/orders/:code', async ({ params }, reply) => {
    const order = /^\w{1,40}$/.test(params.code) && (await viewOrder(deps, params.code))
    return order || reply.status(404).send({ why: 'There is no such order.' })
  })
  app.post<{ Params: { code: string } }>('/orders/:code/refund', async ({ params }, reply) => {
    if (!/^\w{1,40}$/.test(params.code)) return reply.status(404).send({ why: 'There is no such order.' })
    const result = await refundOrder(deps, params.code)
    return result.outcome === 'impossible' ? reply.status(409).send({ why: result.why }) : result
  })
  app.get('/tasks', async (): Promise<TaskView[]> =>
    (await listOpenTasks(db)).map(({ id, order_code, reason, created_at }) => ({
      id,
      order_code,
      reason,
      created: created_at.toISOString(),
    })),
  )
  app.post<{ Params: { id: string } }>('/tasks/:id/done', async ({ params: { id } }, reply) => {
    if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id) || !(await endTask(db, id)))
      return reply.status(404).send({ why: 'There is no such open task.' })
    await audit(db, deps.clock, { event: 'operator_task_done', details: { task: id } })
    return {}
  })
  app.get('/refused-payments', async () => presentRefusedPayments(await viewRefusedPayments(db)))
  app.get('/errors', async (): Promise<ErrorView[]> =>
    (await listErrors(db, mostErrorsShown)).map(({ first_seen, last_seen, ...error }) => ({
      ...error,
      first_seen: first_seen.toISOString(),
      last_seen: last_seen.toISOString(),
    })),
  )
  return app
}

function presentRefusedPayments({
  lastHour,
  threshold,
  isWave,
  hours,
  addresses,
  sims,
  accounts,
}: RefusedPayments): RefusedPaymentsView {
  const present =
    (of: 'address' | 'SIM' | 'account') =>
    ({ what, refused, latest }: RefusedPayments['sims'][number]) => ({
      of,
      what,
      refused,
      latest: latest.toISOString(),
    })
  return {
    last_hour: lastHour,
    threshold,
    wave: isWave,
    hours: hours.map(({ hour, ...counts }) => ({ hour: hour.toISOString(), ...counts })),
    most: [...addresses.map(present('address')), ...sims.map(present('SIM')), ...accounts.map(present('account'))],
  }
}

async function viewOrder({ db }: Deps, code: string) {
  const order = await findOrderByCode(db, code)
  if (!order) return null
  const refund = await findRefundOf(db, order.id)
  return {
    order_code: order.order_code,
    kind: order.kind,
    state: order.state,
    title: order.product.title,
    amount: toWire(order.amount_cents),
    currency: order.currency,
    email: order.email,
    full_name: order.full_name,
    msisdn: order.msisdn,
    created: order.created_at.toISOString(),
    refund: refund?.state ?? null,
    documents: (await listDocumentsOf(db, order.id)).map(presentPurchase),
  }
}
