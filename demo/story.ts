import type { FastifyInstance } from 'fastify'
import { systemActor } from '#kit/server/actor.ts'
import type { Market } from '#kit/contract/bootstrap.ts'
import type { Db } from '#kit/server/db.ts'
import { portingStatusCodes } from '#features/porting/porting.states.ts'
import { listOrderRefunds } from '#features/refunds/server/refunds.store.ts'
import { refundOrder } from '#features/refunds/server/refunds.ts'
import type { Service } from '#features/services/services.contract.ts'
import { importSims } from '#features/services/server/sim-packs.store.ts'
import type { Deps } from '#app/deps.ts'
import { type PlanRole, readPlanRoles } from './plan-roles.ts'
import { confirmEmail, withLoggedInVisitor, activateThroughWizard } from './visitor.ts'
import { simPack, type SimAnnouncer } from './stock.ts'
import { pollUntil } from './poll-until.ts'

export type StoryContext = { app: FastifyInstance; deps: Deps; market: Market; tellNetwork: SimAnnouncer }
export type Customer = { email: string; full_name: string; password: string }

/** Something that a demo customer did at a moment in their past. Repeating the action has no further effect. @throws if the action fails */
export type StoryStep = (world: StoryContext, who: Customer, moment: Temporal.Instant) => Promise<void>

/**
 * Activates a SIM with a plan, unless an earlier start of the demo has bought that plan or is still buying it. With `now`, the step fails
 * if the purchase would be more than a day late, because the plan must have ended by today.
 */
export const activatePlan =
  (pack: number, role: PlanRole, { now = false } = {}): StoryStep =>
  async (world, who, moment) => {
    const { db, clock } = world.deps
    const sim = simPack(pack, world.market)
    await ensurePackInStock(world, sim)
    if (!(await findOrderOfPack(db, sim.iccid))) {
      if (now && clock.now().since(moment).total('hours') > 24)
        throw new Error('the moment of this purchase has passed')
      const plan = (await readPlanRoles(db))?.[role]
      if (!plan) throw new Error('no plan is on sale')
      await activateThroughWizard(world, { ...who, sim, plan: plan.unique_id })
    }
    await pollUntil(
      `the service of ${sim.msisdn}`,
      async () => (await findOrderOfPack(db, sim.iccid))?.state === 'completed',
    )
  }

export const confirmEmailAddress: StoryStep = confirmEmail

export const enableAutoRenewal: StoryStep = (world, who) =>
  withLoggedInVisitor(world, who, async ({ send }) => {
    for (const { uuid, plan_short_id: schedule } of Object.values(
      await send<ServicesByUuid>('GET', '/api/services/'),
    )) {
      await send('PUT', `/api/services/auto_renew/${uuid}/${schedule}/`)
    }
  })

export const declinedPortNumber = { NZ: '+64275550129', AU: '+61491570159' } as const

export const requestTransfer: StoryStep = (world, who) =>
  withLoggedInVisitor(world, who, async ({ send }) => {
    const [service] = Object.values(await send<ServicesByUuid>('GET', '/api/services/'))
    if (!service) throw new Error('there is no service to transfer a number to')
    if (service.porting_request) return
    const { providers } = await send<{ providers: { id: string }[] }>('GET', '/api/account/porting_providers/')
    const form = {
      msisdn: declinedPortNumber[world.market.code],
      provider: providers[0]?.id,
      billing_method: 'account',
      account_number: 'AC1048576',
    }
    await send('POST', `/api/services/port/${service.uuid}/`, form)
  })

export const awaitFailedTransfer: StoryStep = (world, who) =>
  withLoggedInVisitor(world, who, async ({ send }) => {
    await pollUntil(`the end of the transfer of ${who.email}`, async () => {
      const services = Object.values(await send<ServicesByUuid>('GET', '/api/services/'))
      return services.some(({ porting_request: transfer }) => transfer?.status === portingStatusCodes.FAILED)
    })
  })

export const refundFirstOrder: StoryStep = async ({ deps }, { email }) => {
  const order = await deps.db
    .selectFrom('orders')
    .select(['id', 'order_code'])
    .where('email', '=', email)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirstOrThrow()
  await refundOrder(deps, order.order_code, systemActor)
  await pollUntil(
    `the refund of ${email}`,
    async () => (await listOrderRefunds(deps.db, order.id)).at(-1)?.state === 'received',
  )
}

type ServicesByUuid = Record<string, Service>

async function ensurePackInStock(
  { deps, tellNetwork }: StoryContext,
  pack: { iccid: string; msisdn: string },
): Promise<void> {
  if (await deps.db.selectFrom('sim_packs').select('iccid').where('iccid', '=', pack.iccid).executeTakeFirst()) return
  await tellNetwork([{ ...pack, behaviour: 'ok' }])
  await importSims(deps.db, [pack])
}

const findOrderOfPack = (db: Db, iccid: string) =>
  db
    .selectFrom('sim_packs')
    .innerJoin('orders', 'orders.id', 'sim_packs.order_id')
    .select('orders.state')
    .where('sim_packs.iccid', '=', iccid)
    .executeTakeFirst()
