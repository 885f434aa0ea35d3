import { simPack } from '#demo/stock.ts'
import { sealCard } from '#quality/support/cards.ts'
import { runOperatorCommand } from '#quality/faults/operator-commands.ts'
import { newVisitor, type Visitor } from '#quality/support/visitor.ts'
import { buildAddress } from './addresses.ts'
import type { BenchProduct } from './product.ts'
import type { BenchWorld } from './world.ts'

export type SimStock = {
  visitor(): Visitor
  newSim(): Promise<{ msisdn: string; sim_serial: string; iccid: string }>
  card(holder?: string): string
}

/** The number of the next SIM pack. Numbering starts far above the demo's own packs. */
let next = 10_000
let visitors = 0

export async function loadSimStock({ outside }: BenchWorld, product: BenchProduct, count: number): Promise<SimStock> {
  const packs = Array.from({ length: count }, () => simPack(next++, { code: 'NZ' }))
  const told = await fetch(`${outside.NETWORK_URL}/_simulator/sims`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(packs),
  })
  if (!told.ok) throw new Error(`the network answered ${told.status}: ${await told.text()}`)
  const csv = ['iccid,msisdn', ...packs.map(({ iccid, msisdn }) => `${iccid},${msisdn}`)].join('\n')
  const importResult = await runOperatorCommand(product, ['sims', 'import', '-'], `${csv}\n`)
  if (importResult.exit !== 0) throw new Error(`the SIM packs were not loaded: ${importResult.complaints.join(' ')}`)
  return {
    visitor() {
      return newVisitor(product.url, '/api/account/', { 'x-forwarded-for': buildAddress('100.64', visitors++) })
    },
    async newSim() {
      const pack = packs.pop()
      if (!pack) throw new Error('no more SIM packs')
      return { msisdn: pack.msisdn, sim_serial: pack.iccid.slice(-4), iccid: pack.iccid }
    },
    card: (holder = 'Ana Rewi') => sealCard(outside.CARD_PUBLIC_KEY, Temporal.Now.instant(), holder),
  }
}
