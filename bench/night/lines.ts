import { createMobileNetwork } from '#providers/network/tmf.ts'
import { lineOfCopy } from '../scale/copies.ts'
import type { BenchWorld } from '../world/world.ts'

const atOnce = 16
const packsAtOnce = 5_000

/** Has the network know the SIMs of so many copies, each active with its number. */
export async function activateLines({ outside }: BenchWorld, count: number): Promise<void> {
  const lines = Array.from({ length: count }, (_, at) => lineOfCopy(at + 1))
  for (let from = 0; from < count; from += packsAtOnce) {
    const answer = await fetch(`${outside.NETWORK_URL}/_simulator/sims`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      // They use nothing: what is asked of the network is to be what a night asks of it.
      body: JSON.stringify(lines.slice(from, from + packsAtOnce).map((line) => ({ ...line, habits: 'none' }))),
    })
    if (!answer.ok) throw new Error(`the network answered ${answer.status}: ${await answer.text()}`)
  }
  const network = createMobileNetwork({ baseUrl: outside.NETWORK_URL, timeoutMs: 15_000 })
  let next = 0
  async function activate(): Promise<void> {
    for (let line = lines[next++]; line; line = lines[next++]) {
      const placed = await network.place({ externalId: `bench-${line.iccid}`, kind: 'activate_sim', ...line })
      if (placed.outcome !== 'known' || placed.state === 'failed')
        throw new Error(`a line was not activated: ${JSON.stringify(placed)}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, activate))
}
