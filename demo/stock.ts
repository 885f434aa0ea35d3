import type { Db } from '#kit/server/db.ts'
import { type Clock, toDate } from '#kit/server/clock.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import type { Market } from '#kit/contract/bootstrap.ts'
import { importSims } from '#features/services/server/sim-packs.store.ts'
import { importVouchers } from '#features/vouchers/server/vouchers.store.ts'
import { type PlanRole, readPlanRoles } from './plan-roles.ts'
import type { SimBehaviour } from './tables.ts'

const minimumStock: { behaviour: SimBehaviour; least: number; about: string }[] = [
  { behaviour: 'ok', least: 24, about: 'Activates without problems' },
  { behaviour: 'fails_once', least: 3, about: 'Fails at the first attempt; Try Again works' },
  { behaviour: 'fails_always', least: 3, about: 'The network rejects the activation, and nothing is charged' },
  { behaviour: 'slow', least: 3, about: 'Activates slowly' },
]

const minVouchers = 12
const voucherPlanRoles: readonly PlanRole[] = ['cheapest', 'longest', 'usual']

export type SimAnnouncer = (sims: { iccid: string; msisdn: string; behaviour: SimBehaviour }[]) => Promise<void>

export async function restockSimsAndVouchers(world: {
  db: Db
  secrets: Secrets
  clock: Clock
  market: Market
  tellNetwork: SimAnnouncer
}): Promise<void> {
  await restockSims(world)
  await restockVouchers(world)
}

async function restockSims({
  db,
  market,
  tellNetwork,
}: {
  db: Db
  market: Market
  tellNetwork: SimAnnouncer
}): Promise<void> {
  let next = (await findHighestPosition(db, 'demo_sims')) + 1
  for (const { behaviour, least, about } of minimumStock) {
    const unusedSims = await db
      .selectFrom('demo_sims')
      .innerJoin('sim_packs', 'sim_packs.iccid', 'demo_sims.iccid')
      .select('demo_sims.iccid')
      .where('behaviour', '=', behaviour)
      .where('order_id', 'is', null)
      .execute()
    const newPacks = Array.from({ length: Math.max(0, least - unusedSims.length) }, () => ({
      ...simPack(next, market),
      behaviour,
      position: next++,
    }))
    if (newPacks.length === 0) continue
    await tellNetwork(newPacks)
    await importSims(
      db,
      newPacks.map(({ iccid, msisdn }) => ({ iccid, msisdn })),
    )
    await db
      .insertInto('demo_sims')
      .values(newPacks.map(({ iccid, position }) => ({ iccid, behaviour, about, position })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

export function simPack(position: number, market: Pick<Market, 'code'>): { iccid: string; msisdn: string } {
  const iccidAccountNumber = String(
    market.code === 'NZ' ? 7_310_000_000 + position * 37 : 5_310_000_000 + position * 37,
  ).padStart(11, '0')
  const body = `89${market.code === 'NZ' ? '64' : '61'}031${iccidAccountNumber}`
  const msisdn =
    market.code === 'NZ'
      ? `+64215${String(50_100 + position).padStart(6, '0')}`
      : `+61491${String(570_100 + position).padStart(6, '0')}`
  return { iccid: body + luhnDigit(body), msisdn }
}

function luhnDigit(digits: string): number {
  const sum = [...digits].toReversed().reduce((total, digit, position) => {
    const value = Number(digit) * (position % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return (10 - (sum % 10)) % 10
}

async function restockVouchers({ db, secrets, clock }: { db: Db; secrets: Secrets; clock: Clock }): Promise<void> {
  const availableVouchers = await unusedVouchers({ db, secrets, clock })
  const plans = availableVouchers.length < minVouchers ? await readPlanRoles(db) : null
  if (!plans) return
  let next = (await findHighestPosition(db, 'demo_vouchers')) + 1
  for (let missing = minVouchers - availableVouchers.length; missing > 0; missing--, next++) {
    const { unique_id: productId } = plans[voucherPlanRoles[next % voucherPlanRoles.length] ?? 'usual']
    // In production, voucher codes are random. The demo derives each code from the installation's secret and the voucher's position.
    const code = secrets
      .hash('demo-voucher', String(next))
      .replace(/[^a-z0-9]/g, '')
      .slice(0, 12)
      .toUpperCase()
    const expiresAt = clock.now().add({ hours: 24 * 365 * 2 })
    await importVouchers(db, secrets, [{ code, productId, expiresAt }])
    await db
      .insertInto('demo_vouchers')
      .values({ code, product_id: productId, about: 'Pays for one plan', position: next })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

export async function unusedVouchers({
  db,
  secrets,
  clock,
}: {
  db: Db
  secrets: Secrets
  clock: Clock
}): Promise<{ code: string; plan: string; about: string }[]> {
  const rows = await db
    .selectFrom('demo_vouchers')
    .innerJoin('products', 'products.unique_id', 'demo_vouchers.product_id')
    .select(['demo_vouchers.code', 'about', 'products.title', 'products.length_days', 'position'])
    .orderBy('position')
    .execute()
  const usedVouchers = await db
    .selectFrom('vouchers')
    .select('code_hash')
    .where((where) => where.or([where('order_id', 'is not', null), where('expires_at', '<=', toDate(clock.now()))]))
    .execute()
  const usedVoucherHashes = new Set(usedVouchers.map((row) => row.code_hash))
  return rows
    .filter((row) => !secrets.hashes('voucher', row.code).some((hash) => usedVoucherHashes.has(hash)))
    .map((row) => ({ code: row.code, plan: `${row.title}, ${row.length_days} days`, about: row.about }))
}

async function findHighestPosition(db: Db, table: 'demo_sims' | 'demo_vouchers'): Promise<number> {
  const row = await db
    .selectFrom(table)
    .select((select) => select.fn.max('position').as('highest'))
    .executeTakeFirst()
  return row?.highest ?? 0
}
