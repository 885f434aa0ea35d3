import type { FastifyInstance } from 'fastify'
import type { Market } from '#kit/contract/bootstrap.ts'
import { type MovableClock, realNow } from '#kit/server/clock.ts'
import type { Config } from '#kit/server/config.ts'
import type { CardConfig, NetworkConfig } from '#kit/server/config/service-configs.ts'
import type { Db } from '#kit/server/db.ts'
import { openSecrets } from '#kit/server/stored-keys.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import type { Deps } from '#app/deps.ts'
import type { Catalogue } from '#features/plans/server/plans.store.ts'
import { createSweeps } from '#app/worker.ts'
import { createStaffWork } from './create-staff-work.ts'
import { createCustomers, startOfHistory } from './customers.ts'
import { demoRoutes, type DemoContext } from './demo.routes.ts'
import { type SharedClock, shareClock } from './shared-clock.ts'
import { guideRoutes } from './guide.routes.ts'
import { createMailbox, type Mailbox } from './mailbox.ts'
import { advanceTo, catchUpWithRealTime } from './move-clock.ts'
import { loadOrCreateSecret } from './saved-secret.ts'
import { type DemoSimulators, connectSimulators, startSimulators } from './demo-simulators.ts'
import { readPlanRoles } from './plan-roles.ts'
import { createStaff } from './staff.ts'
import { restockSimsAndVouchers } from './stock.ts'

type Demo = {
  settings: { secretKey: string; card: CardConfig; network: NetworkConfig }
  mailbox: Mailbox
  extend(app: FastifyInstance, deps: Deps): void
  upkeep: Upkeep[]
  open(): Promise<void>
  close(): Promise<void>
}

type DemoOptions = { port: number; market: Market; catalogue: Catalogue; staffDomain: string }

export async function startDemo(
  config: Config,
  db: Db,
  clock: MovableClock,
  { port, market, catalogue, staffDomain }: DemoOptions,
): Promise<Demo> {
  const secretKey = config.secretKey ?? loadOrCreateSecret(config.dataDir)
  const secrets = await openSecrets(db, { ...config, secretKey })
  const simulators: DemoSimulators =
    config.card && config.network
      ? connectSimulators(config.card, config.network)
      : await startSimulators(config.dataDir, secrets, {
          productPort: port,
          zone: market.zone,
          stepMs: config.demoStepMs,
        })
  if (config.demoCustomers === 'all' && (await isFirstStart(db))) await startClockInPast(db, clock, market)
  await simulators.setClock(clock.offset())
  await Promise.all([simulators.announcePorts(market.code), simulators.announceProducts(catalogue)])
  const restockContext = { db, secrets, clock, market, tellNetwork: simulators.announceSims }
  await restockSimsAndVouchers(restockContext)
  if (config.desk) await createStaff(db, staffDomain)
  // The clock need not be shared when the database is embedded, because only one process can use that database.
  const sharedClock: SharedClock | null = config.databaseUrl === null ? null : shareClock(db, clock)
  let running: RunningDemo | null = null
  return {
    settings: { secretKey, card: simulators.card, network: simulators.network },
    mailbox: createMailbox(db, clock),
    upkeep: sharedClock ? [sharedClock.upkeep] : [],
    extend(app, deps) {
      const world = {
        db,
        clock,
        market,
        secrets,
        jobs: deps.jobs,
        sweeps: createSweeps(deps),
        ...(sharedClock && { allFollow: sharedClock.allFollow }),
        tellSimulators: simulators.setClock,
        restock: () => restockSimsAndVouchers(restockContext),
        ledgers: simulators.ledgers,
        deskUrl: deps.deskUrl,
        // Ignore errors here, so that the mailbox still opens when the network simulator is unavailable.
        donorTexts: () => (market.code === 'AU' ? simulators.donorTexts().catch(() => []) : Promise.resolve([])),
      }
      running = { app, deps, world }
      demoRoutes(app, world)
      guideRoutes(app, getGuideContext(deps))
    },
    async open() {
      // Only a process that both serves requests and runs the worker creates demo customers.
      if (running && config.role === 'all') await createDemoHistory({ ...running, outside: simulators }, config)
      await sharedClock?.follow()
    },
    async close() {
      await sharedClock?.stop()
      await simulators.close()
    },
  }
}

const getGuideContext = ({ market, deskUrl, bootstrap, colours }: Deps) => ({
  code: market.code,
  deskUrl,
  brand: bootstrap.brand,
  colours,
})

type RunningDemo = { app: FastifyInstance; deps: Deps; world: DemoContext }
type DemoHistoryDeps = RunningDemo & { outside: DemoSimulators }

async function createDemoHistory(
  { app, deps, world, outside }: DemoHistoryDeps,
  { demoCustomers, desk }: Pick<Config, 'demoCustomers' | 'desk'>,
): Promise<void> {
  const { market } = world
  const isClockInPast = world.clock.offset() < 0
  const advanceUntil = (until: Temporal.Instant) => advanceTo(world, until)
  const announceSims = outside.announceSims
  if (demoCustomers === 'all')
    await createCustomers({ app, deps, market, tellNetwork: announceSims, timePasses: advanceUntil })
  await catchUpWithRealTime(world)
  if (demoCustomers !== 'all' || !desk) return
  // On the first start, wait until the staff's cases have been created. Later starts carry on without waiting.
  const day = createStaffWork({ app, deps, market, outside })
  if (isClockInPast) await day
}

const isFirstStart = async (db: Db): Promise<boolean> =>
  !(await db.selectFrom('demo_sims').select('iccid').limit(1).executeTakeFirst())

async function startClockInPast(db: Db, clock: MovableClock, { zone }: Market): Promise<void> {
  const plans = await readPlanRoles(db)
  if (!plans) return
  const offsetMs = startOfHistory(plans, zone).epochMilliseconds - realNow().epochMilliseconds
  await db.updateTable('clock').set({ offset_ms: offsetMs }).execute()
  clock.setOffset(offsetMs)
}
