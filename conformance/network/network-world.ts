import type { MobileNetwork } from '#providers/network/network.port.ts'
import { createNetworkUsage } from '#providers/network/tmf-usage.ts'
import { createMobileNetwork } from '#providers/network/tmf.ts'
import type { NetworkUsage } from '#providers/network/usage.port.ts'
import { openAccess } from '#providers/tmf/access.ts'
import { createExchanges, type Exchanges } from '../exchanges.ts'
import { noting } from '../noting.ts'
import { createReferences, prefix } from '../references.ts'
import { strangerOf } from '../strangers.ts'
import type { Made, Undo } from '../undo.ts'
import { openEvents, type Events } from './events.ts'
import type { NetworkFile } from './network-file.ts'

const [timeoutMs, usageTimeoutMs] = [8_000, 3_000]

export type Placed = { externalId: string; made: Made }

export type NetworkWorld = {
  file: NetworkFile
  network: MobileNetwork
  usage: NetworkUsage
  /** The same network, called with an invalid secret. `null` if the network requires no credentials. */
  stranger: MobileNetwork | null
  exchanges: Exchanges
  /** Ends a subscription by its id, which the product itself never does. Returns the HTTP status. */
  unsubscribe(id: string): Promise<number>
  nextReference(): string
  undo: Undo
  events: Events | null
  ordered: Set<string>
  held: { line?: Placed & { msisdn: string }; plan?: Placed; addon?: Placed; openPort?: Placed }
  close(): Promise<void>
}

export async function openNetworkWorld(file: NetworkFile, undo: Undo): Promise<NetworkWorld> {
  const exchanges = createExchanges()
  const stranger = strangerOf(file.access)
  const ordered = new Set<string>()
  const baseUrl = file.settings['NETWORK_URL'] ?? ''
  const way = (config: NetworkFile['access']) => ({
    baseUrl,
    access: noting(openAccess(config), exchanges),
    mapping: file.network,
  })
  const own = way(file.access)
  const events = file.listen ? await openEvents(file.listen) : null
  return {
    file,
    network: bounded(createMobileNetwork({ ...own, timeoutMs }), ordered),
    usage: createNetworkUsage({ ...own, timeoutMs: usageTimeoutMs }),
    stranger: stranger && bounded(createMobileNetwork({ ...way(stranger), timeoutMs }), ordered),
    exchanges,
    async unsubscribe(id) {
      const url = `${baseUrl.replace(/(?<!\/)\/+$/, '')}${file.network.paths.ordering}/hub/${encodeURIComponent(id)}`
      return (await own.access({ method: 'DELETE', url, headers: { Accept: 'application/json' }, timeoutMs })).status
    },
    nextReference: createReferences(),
    undo,
    events,
    ordered,
    held: {},
    close: async () => events?.close(),
  }
}

/** References must be distinguishable from the product's. @throws if an order has another reference */
function bounded(network: MobileNetwork, ordered: Set<string>): MobileNetwork {
  return {
    ...network,
    async place(order) {
      if (!order.externalId.startsWith(prefix))
        throw new Error(`orders of the suite begin with ${prefix}, not ${order.externalId}`)
      ordered.add(order.externalId)
      return network.place(order)
    },
  }
}
