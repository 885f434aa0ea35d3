import { createMobileNetwork } from '#providers/network/tmf.ts'
import type { NetworkOrder } from '#providers/network/network.port.ts'
import { createCopiedSim } from '../scale/copy-sql.ts'
import type { BenchWorld } from '../world/world.ts'

const concurrency = 48
const packsPerRequest = 5_000

/**
 * Registers the SIMs of the given copies of customers with the network and activates them with their numbers. If `plan` is given (the
 * network's name for a plan), each SIM has that plan and typical usage. Otherwise the SIMs use nothing, so Fantail makes no further
 * requests to the network.
 */
export async function activateLines(
  { outside }: Pick<BenchWorld, 'outside'>,
  copies: readonly number[],
  { plan }: { plan?: string } = {},
): Promise<void> {
  const lines = copies.map(createCopiedSim)
  const usageOptions = plan === undefined ? { habits: 'none' } : {}
  for (let from = 0; from < lines.length; from += packsPerRequest) {
    const answer = await fetch(`${outside.NETWORK_URL}/_simulator/sims`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(lines.slice(from, from + packsPerRequest).map((line) => ({ ...line, ...usageOptions }))),
    })
    if (!answer.ok) throw new Error(`the network answered ${answer.status}: ${await answer.text()}`)
  }
  const network = createMobileNetwork({ baseUrl: outside.NETWORK_URL, timeoutMs: 15_000 })
  const order = async (order: NetworkOrder): Promise<void> => {
    const placedOrder = await network.place(order)
    if (placedOrder.outcome !== 'known' || placedOrder.state === 'failed')
      throw new Error(`the network did not do as it was asked: ${JSON.stringify([order, placedOrder])}`)
  }
  let next = 0
  async function activateNextPacks(): Promise<void> {
    for (let line = lines[next++]; line; line = lines[next++]) {
      await order({ externalId: `bench-${line.iccid}`, kind: 'activate_sim', ...line })
      if (plan !== undefined)
        await order({ externalId: `bench-plan-${line.iccid}`, kind: 'add_plan', sku: plan, ...line })
    }
  }
  await Promise.all(Array.from({ length: concurrency }, activateNextPacks))
}
