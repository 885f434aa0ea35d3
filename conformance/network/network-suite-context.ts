import type { MobileNetwork } from '#providers/network/network.port.ts'
import { createNetworkUsage } from '#providers/network/tmf-usage.ts'
import { createMobileNetwork } from '#providers/network/tmf.ts'
import type { NetworkUsage } from '#providers/network/usage.port.ts'
import { createCarrierAccess } from '#providers/tmf/access.ts'
import { createExchangeLog, type ExchangeLog } from '../exchange-log.ts'
import { recordExchanges } from '../record-exchanges.ts'
import { createReferenceGenerator, referencePrefix } from '../reference-generator.ts'
import { withInvalidSecret } from '../invalid-access.ts'
import type { TrackedEffect, Undo } from '../undo.ts'
import { startEventReceiver, type EventReceiver } from './event-receiver.ts'
import type { NetworkFile } from './network-file.ts'

const [timeoutMs, usageTimeoutMs] = [8_000, 3_000]

export type PlacedOrder = { externalId: string; made: TrackedEffect }

export type NetworkSuiteContext = {
  file: NetworkFile
  network: MobileNetwork
  usage: NetworkUsage
  /** A client that calls the network with an invalid secret. `null` if the network requires no credentials. */
  stranger: MobileNetwork | null
  exchanges: ExchangeLog
  /** Ends an event subscription by its id, and returns the HTTP status. Fantail itself never ends a subscription. */
  unsubscribe(id: string): Promise<number>
  nextReference(): string
  undo: Undo
  events: EventReceiver | null
  ordered: Set<string>
  held: { line?: PlacedOrder & { msisdn: string }; plan?: PlacedOrder; addon?: PlacedOrder; openPort?: PlacedOrder }
  close(): Promise<void>
}

export async function createNetworkSuiteContext(file: NetworkFile, undo: Undo): Promise<NetworkSuiteContext> {
  const exchanges = createExchangeLog()
  const invalidAccess = withInvalidSecret(file.access)
  const placedOrderIds = new Set<string>()
  const baseUrl = file.settings['NETWORK_URL'] ?? ''
  const createConnection = (config: NetworkFile['access']) => ({
    baseUrl,
    access: recordExchanges(createCarrierAccess(config), exchanges),
    mapping: file.network,
  })
  const own = createConnection(file.access)
  const events = file.listen ? await startEventReceiver(file.listen) : null
  return {
    file,
    network: createLimitedNetwork(createMobileNetwork({ ...own, timeoutMs }), placedOrderIds),
    usage: createNetworkUsage({ ...own, timeoutMs: usageTimeoutMs }),
    stranger:
      invalidAccess &&
      createLimitedNetwork(createMobileNetwork({ ...createConnection(invalidAccess), timeoutMs }), placedOrderIds),
    exchanges,
    async unsubscribe(id) {
      const url = `${baseUrl.replace(/(?<!\/)\/+$/, '')}${file.network.paths.ordering}/hub/${encodeURIComponent(id)}`
      return (await own.access({ method: 'DELETE', url, headers: { Accept: 'application/json' }, timeoutMs })).status
    },
    nextReference: createReferenceGenerator(),
    undo,
    events,
    ordered: placedOrderIds,
    held: {},
    close: async () => events?.close(),
  }
}

/**
 * Limits a network client to order references that cannot be confused with Fantail's own.
 * @throws if an order has any other reference
 */
function createLimitedNetwork(network: MobileNetwork, ordered: Set<string>): MobileNetwork {
  return {
    ...network,
    async place(order) {
      if (!order.externalId.startsWith(referencePrefix))
        throw new Error(`orders of the suite begin with ${referencePrefix}, not ${order.externalId}`)
      ordered.add(order.externalId)
      return network.place(order)
    },
  }
}
