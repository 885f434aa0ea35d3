import { realNow, toDate } from '#kit/server/clock.ts'
import type { CancelTerms } from '#features/next-plan/next-plan.contract.ts'
import type { Service } from '#features/services/services.contract.ts'
import { type AutoRenewalCustomer, zone } from './auto-renewal.ts'
import { type CustomerService, makeSubscriber, type Subscriber } from './customer.ts'
import { type PaymentOptions, renew } from './purchases.ts'
import { clearFailures, readProviderRecords } from './simulators.ts'
import { pollUntil } from './poll-until.ts'
import type { Answer } from './visitor.ts'
import type { World } from './world.ts'

export type QueuedPlan = {
  customer: Subscriber
  service: CustomerService
  expiry: Temporal.ZonedDateTime
  orderCode: string
  buy(): Promise<Answer>
  change(paying?: PaymentOptions): Promise<Answer>
  /** Ends all planned failures, calls `then`, and finally makes the order due, so that a worker picks it up. */
  networkIsBack(then?: () => Promise<void>): Promise<void>
}

type NextPlanOptions = Pick<PaymentOptions, 'voucher' | 'key'> & { buys?: boolean }

export async function createNextPlan(
  world: World,
  { voucher, key, buys = true }: NextPlanOptions = {},
): Promise<QueuedPlan> {
  const customer = await makeSubscriber(world, { plan: 'plan-7-500mb', card: true })
  const { service } = customer
  const { expiry_date } = (await customer.visitor.get('/api/services/')).body[service.id] as Service
  const buy = (more: PaymentOptions = {}) =>
    renew(world, customer.visitor, service, {
      ...(voucher ? { voucher } : { saved: true }),
      body: { starts: 'at_end' },
      ...more,
    })
  const { status, body } = buys ? await buy(key ? { key } : {}) : { status: 200, body: { order_code: '' } }
  if (status !== 200) throw new Error(`the next plan answered ${status}: ${JSON.stringify(body)}`)
  const orderCode = body.order_code as string
  // Wait until the order is completed. The next plan exists as soon as it has been paid for, but its order is completed slightly later.
  if (buys) await pollUntil(async () => (await readOrder(world, orderCode)).state === 'completed')
  return {
    customer,
    service,
    expiry: Temporal.Instant.from(expiry_date).toZonedDateTimeISO(zone),
    orderCode,
    buy: () => buy(),
    change: ({ body, ...paying } = {}) =>
      renew(world, customer.visitor, service, {
        product: 'plan-90-5gb',
        ...(paying.voucher || paying.holder ? {} : { saved: true }),
        ...paying,
        body: { starts: 'at_end', instead_of: orderCode, ...body },
      }),
    async networkIsBack(then = async () => {}) {
      /*
       * Keep postponing the order's retry until no worker is holding the order. After that, no worker can pick it up before everything is
       * ready.
       */
      await pollUntil(async () => (await setOrderRetryTime(world, orderCode, 3_600)) === 1n)
      await clearFailures(world)
      await then()
      await setOrderRetryTime(world, orderCode, 0)
    },
  }
}

const setOrderRetryTime = async ({ db }: World, orderCode: string, seconds: number): Promise<bigint> => {
  const { numUpdatedRows } = await db
    .updateTable('orders')
    .set({ retry_at: toDate(realNow().add({ seconds })) })
    .where('order_code', '=', orderCode)
    .where('retry_at', 'is not', null)
    .where('lease_until', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows
}

type Place = Pick<AutoRenewalCustomer, 'service'> & { customer: Pick<AutoRenewalCustomer['customer'], 'visitor'> }

export const cancelNextPlan = ({ customer: { visitor }, service }: Place): Promise<Answer> =>
  visitor.send('DELETE', `/api/services/next_plan/${service.id}/`, {
    headers: { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' },
  })

export const terms = ({ customer, service }: Place): Promise<Answer & { body: CancelTerms }> =>
  customer.visitor.get(`/api/services/next_plan/${service.id}/`)

export const readService = async ({ customer, service }: Place): Promise<Service> =>
  (await customer.visitor.get('/api/services/')).body[service.id]

export const readNextPlan = async (place: Place) =>
  (await readService(place)).schedules[place.service.shortId]?.next_plan ?? null

export const readOrder = ({ db }: Pick<World, 'db'>, orderCode: string) =>
  db.selectFrom('orders').selectAll().where('order_code', '=', orderCode).executeTakeFirstOrThrow()

/** Returns how much the gateway has refunded for an order, in cents. */
export const readRefundedCents = async (world: World, orderCode: string): Promise<number> =>
  (await readProviderRecords(world, orderCode)).gateway.reduce((sum, line) => sum + line.refunded, 0)

export const getFormErrors = ({ body }: { body: Record<string, string[]> }): string[] | undefined => body['__all__']

export const none = 'There is no next Prepay Plan to cancel. It may have started or been cancelled already.'

export const readOpenTasks = ({ db }: World, orderCode: string) =>
  db
    .selectFrom('operator_tasks')
    .innerJoin('orders', 'orders.id', 'operator_tasks.order_id')
    .select('reason')
    .where('order_code', '=', orderCode)
    .where('done_at', 'is', null)
    .where('over_at', 'is', null)
    .execute()

export async function deleteTasks({ db }: World): Promise<void> {
  await db.deleteFrom('operator_tasks').execute()
}
