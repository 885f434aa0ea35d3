import type { IncomingMessage } from 'node:http'
import type { FastifyError, FastifyInstance } from 'fastify'
import { requireCredentials, type SimulatorAccess } from '../access/require-credentials.ts'
import { createServer } from '../access/server.ts'
import { acceptLoopbackOnly } from '../loopback.ts'
import { amendmentRoutes } from './amendment.routes.ts'
import { cancellationRoutes } from './cancellation.routes.ts'
import { controlRoutes, setClockOffset } from './controls.routes.ts'
import { type Dialect, rewriteUrl, applyDialect } from './dialect.ts'
import { translateResponse } from './dialect-translation.ts'
import { createEvents } from './events.ts'
import type { EventMode } from './events.ts'
import { createFailures } from './failures.ts'
import type { Failure } from './failures.ts'
import { NetworkFault, faultBody } from './fault.ts'
import { inventoryRoutes } from './inventory.routes.ts'
import { openNetwork } from './network.ts'
import { orderingRoutes } from './ordering.routes.ts'
import { buildLedger } from './orders.ts'
import type { LedgerLine } from './orders.ts'
import { importProducts } from './products.ts'
import { createOrderProgress } from './progress.ts'
import { importPorts, importSims } from './stock.ts'
import type { ProductTerms } from './state.ts'
import type { PortSeed, SimSeed } from './stock.ts'
import { usageRoutes } from './usage.routes.ts'

export type NetworkSimulatorOptions = {
  port: number
  dataDir: string
  stepMs?: number
  slowStepMs?: number
  portDelayMs?: number
  zone?: string
  access?: SimulatorAccess
  dialect?: Dialect
}

export type NetworkSimulator = {
  url: string
  ledger(): LedgerLine[]
  /** Imports SIM packs, products and the way number transfers behave. Repeating an import changes nothing. */
  seed(stock: { sims?: SimSeed[]; ports?: PortSeed[]; products?: ProductTerms[] }): void
  /** Sets the simulator's clock to real time plus `offsetMs`. Every change that has fallen due is made before this returns. */
  setClockOffset(offsetMs: number): void
  fail(failure: Failure): void
  setEventMode(mode: EventMode): void
  releaseEvents(): number
  /** Stops the simulator. Orders in progress continue when it is started again. */
  close(): Promise<void>
}

export async function startNetworkSimulator(options: NetworkSimulatorOptions): Promise<NetworkSimulator> {
  const {
    port,
    dataDir,
    stepMs = 150,
    slowStepMs = 2_500,
    portDelayMs = 6_000,
    zone = 'Pacific/Auckland',
    dialect,
  } = options
  const network = openNetwork(dataDir, { stepMs, slowStepMs, portDelayMs }, zone)
  const events = createEvents(network, dialect ? translateResponse : (event) => event)
  const failures = createFailures()
  const progress = createOrderProgress(network, events.moved)
  const parts = { network, progress, events, failures }

  const app = createServer(options.access?.tls, {
    rewriteUrl: ({ url = '/' }: IncomingMessage) => (dialect ? rewriteUrl(url) : url),
  })
  if (dialect) applyDialect(app)
  acceptLoopbackOnly(app)
  requireCredentials(app, options.access)
  handleErrors(app)
  inventoryRoutes(app, parts)
  orderingRoutes(app, parts)
  cancellationRoutes(app, parts)
  amendmentRoutes(app, parts)
  usageRoutes(app, parts)
  controlRoutes(app, parts)

  let closed: Promise<void> | undefined
  const close = () => (closed ??= shutDown())
  async function shutDown(): Promise<void> {
    await app.close()
    progress.stop()
    await events.close()
    network.close()
  }

  const url = await app.listen({ port, host: '127.0.0.1' }).catch(async (error) => {
    await close()
    throw error
  })
  network.origin = url
  progress.catchUp()
  return {
    url,
    ledger: () => buildLedger(network),
    seed({ sims = [], ports = [], products = [] }) {
      importSims(network, sims)
      importPorts(network, ports)
      importProducts(network, products)
    },
    setClockOffset: (offsetMs) => setClockOffset(network, progress, offsetMs),
    fail: failures.add,
    setEventMode: events.setMode,
    releaseEvents: events.release,
    close,
  }
}

function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler<NetworkFault | FastifyError>((error, _request, reply) => {
    const { status, code } =
      error instanceof NetworkFault ? error : { status: error.statusCode ?? 500, code: error.code }
    if (status >= 500 && !(error instanceof NetworkFault)) console.error(error)
    return reply.code(status).send(faultBody(status, code ?? 'INTERNAL_ERROR', error.message))
  })
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send(faultBody(404, 'NOT_FOUND', `${request.method} is not supported at this path.`)),
  )
}
