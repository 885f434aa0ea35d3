import type { FastifyInstance } from 'fastify'
import { theSystem } from '#kit/server/actor.ts'
import type { Market } from '#kit/contract/bootstrap.ts'
import type { Db } from '#kit/server/db.ts'
import { portingStatus } from '#features/porting/porting.states.ts'
import { refundsOf } from '#features/refunds/server/refunds.store.ts'
import { refundOrder } from '#features/refunds/server/refunds.ts'
import type { Service } from '#features/services/services.contract.ts'
import { importSims } from '#features/services/server/sim-packs.store.ts'
import type { Deps } from '#app/deps.ts'
import { type PlanLike, planLike } from './plan-like.ts'
import { confirmEmail, visit, walkWizard } from './visitor.ts'
import { simPack, type TellNetwork } from './stock.ts'
import { until } from './until.ts'

export type StoryWorld = { app: FastifyInstance; deps: Deps; market: Market; tellNetwork: TellNetwork }
export type Customer = { email: string; full_name: string; password: string }

/**
 * An action of a customer at a moment of their past. A repeat has no further effect.
 * @throws if it fails
 */
export type Step = (world: StoryWorld, who: Customer, moment: Temporal.Instant) => Promise<void>

/**
 * Does nothing if an earlier start has bought the plan or is buying it. `now` forbids a late purchase, because the plan must have ended by
 * today.
 */
export const activates =
  (pack: number, plan: PlanLike, { now = false } = {}): Step =>
  async (world, who, moment) => {
    const { db, clock } = world.deps
    const sim = simPack(pack, world.market)
    await stockPack(world, sim)
    if (!(await orderHolding(db, sim.iccid))) {
      if (now && clock.now().since(moment).total('hours') > 24) throw new Error('its time has passed')
      await walkWizard(world, { ...who, sim, plan: await planLike(db, plan) })
    }
    await until(`the service of ${sim.msisdn}`, async () => (await orderHolding(db, sim.iccid))?.state === 'completed')
  }

export const confirms: Step = confirmEmail

export const switchesOnAutoRenewal: Step = (world, who) =>
  visit(world, who, async ({ send }) => {
    for (const { uuid, plan_short_id: schedule } of Object.values(await send<Services>('GET', '/api/services/'))) {
      await send('PUT', `/api/services/auto_renew/${uuid}/${schedule}/`)
    }
  })

export const declinedNumber = { NZ: '+64275550129', AU: '+61491570159' } as const

export const asksForTransfer: Step = (world, who) =>
  visit(world, who, async ({ send }) => {
    const [service] = Object.values(await send<Services>('GET', '/api/services/'))
    if (!service) throw new Error('there is no service to transfer a number to')
    if (service.porting_request) return
    const { providers } = await send<{ providers: { id: string }[] }>('GET', '/api/account/porting_providers/')
    const form = {
      msisdn: declinedNumber[world.market.code],
      provider: providers[0]?.id,
      billing_method: 'account',
      account_number: 'AC1048576',
    }
    await send('POST', `/api/services/port/${service.uuid}/`, form)
  })

export const seesTransferFail: Step = (world, who) =>
  visit(world, who, async ({ send }) => {
    await until(`the end of the transfer of ${who.email}`, async () => {
      const services = Object.values(await send<Services>('GET', '/api/services/'))
      return services.some(({ porting_request: transfer }) => transfer?.status === portingStatus.FAILED)
    })
  })

export const isRefunded: Step = async ({ deps }, { email }) => {
  const order = await deps.db
    .selectFrom('orders')
    .select(['id', 'order_code'])
    .where('email', '=', email)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirstOrThrow()
  await refundOrder(deps, order.order_code, theSystem)
  await until(`the refund of ${email}`, async () => (await refundsOf(deps.db, order.id)).at(-1)?.state === 'received')
}

type Services = Record<string, Service>

async function stockPack({ deps, tellNetwork }: StoryWorld, pack: { iccid: string; msisdn: string }): Promise<void> {
  if (await deps.db.selectFrom('sim_packs').select('iccid').where('iccid', '=', pack.iccid).executeTakeFirst()) return
  await tellNetwork([{ ...pack, behaviour: 'ok' }])
  await importSims(deps.db, [pack])
}

const orderHolding = (db: Db, iccid: string) =>
  db
    .selectFrom('sim_packs')
    .innerJoin('orders', 'orders.id', 'sim_packs.order_id')
    .select('orders.state')
    .where('sim_packs.iccid', '=', iccid)
    .executeTakeFirst()
