import type { IncomingMessage } from 'node:http'
import type { FastifyError, FastifyInstance } from 'fastify'
import { demandAccess, type SimulatorAccess } from '../access/demand.ts'
import { createServer } from '../access/server.ts'
import { answerLoopbackOnly } from '../loopback.ts'
import { amendingRoutes } from './amending.routes.ts'
import { cancellingRoutes } from './cancelling.routes.ts'
import { controlRoutes, setClockOffset } from './controls.routes.ts'
import { type Dialect, rewriteUrl, speakDialect } from './dialect.ts'
import { writesAs } from './dialect-words.ts'
import { createEvents } from './events.ts'
import type { EventMode } from './events.ts'
import { createFailures } from './failures.ts'
import type { Failure } from './failures.ts'
import { Fault, faultBody } from './fault.ts'
import { inventoryRoutes } from './inventory.routes.ts'
import { openNetwork } from './network.ts'
import { orderingRoutes } from './ordering.routes.ts'
import { ledgerOf } from './orders.ts'
import type { LedgerLine } from './orders.ts'
import { importProducts } from './products.ts'
import { createProgress } from './progress.ts'
import { importPorts, importSims } from './stock.ts'
import type { ProductTerms } from './state.ts'
import type { PortSeed, SimSeed } from './stock.ts'
import { usageRoutes } from './usage.routes.ts'

export type NetworkSimulatorOptions = {
  /** 0 picks a free one. */
  port: number
  /** Where the journal is kept; made where it is absent. One simulator for each. */
  dataDir: string
  /** Between two states of an order; 150 unless said otherwise. An order has two steps. */
  stepMs?: number
  /** The same for orders of a `slow` SIM; 2500 unless said otherwise. */
  slowStepMs?: number
  /** From the order of a port to its end in real time, unless the clock passes 4 hours sooner; 6000. */
  portDelayMs?: number
  /** IANA zone whose midnights begin and end products; Pacific/Auckland. */
  zone?: string
  /** How it is reached: by everybody over plain http unless said otherwise. */
  access?: SimulatorAccess
  /** Another way to say everything than the one that TM Forum's own examples have; absent, that one. */
  dialect?: Dialect
}

export type NetworkSimulator = {
  /** `http://127.0.0.1:<port>`, or `https`; the TM Forum APIs are under `/tmf-api/`, the controls under `/_simulator/`. */
  url: string
  ledger(): LedgerLine[]
  /** Imports SIM packs, says how ports go and what products give; doing it again changes nothing. */
  seed(stock: { sims?: SimSeed[]; ports?: PortSeed[]; products?: ProductTerms[] }): void
  /** Sets the simulator's clock to real time plus this many ms; what fell due has happened on return. */
  setClockOffset(offsetMs: number): void
  /** Asks for failures of the calls or orders to come; they are used up oldest first. */
  fail(failure: Failure): void
  setEventMode(mode: EventMode): void
  /** Sends the events held back and answers how many that were. */
  releaseEvents(): number
  /** Ends it, cutting what is under way; orders go on at the next start. */
  close(): Promise<void>
}

/** Starts a mobile network on loopback that speaks TM Forum's Open APIs v4 and forgets nothing. */
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
  const events = createEvents(network, dialect ? writesAs : (event) => event)
  const failures = createFailures()
  const progress = createProgress(network, events.moved)
  const parts = { network, progress, events, failures }

  const app = createServer(options.access?.tls, {
    rewriteUrl: ({ url = '/' }: IncomingMessage) => (dialect ? rewriteUrl(url) : url),
  })
  if (dialect) speakDialect(app)
  answerLoopbackOnly(app)
  demandAccess(app, options.access)
  answerErrors(app)
  inventoryRoutes(app, parts)
  orderingRoutes(app, parts)
  cancellingRoutes(app, parts)
  amendingRoutes(app, parts)
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
    ledger: () => ledgerOf(network),
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

function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler<Fault | FastifyError>((error, _request, reply) => {
    const { status, code } = error instanceof Fault ? error : { status: error.statusCode ?? 500, code: error.code }
    if (status >= 500 && !(error instanceof Fault)) console.error(error)
    return reply.code(status).send(faultBody(status, code ?? 'INTERNAL_ERROR', error.message))
  })
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send(faultBody(404, 'NOT_FOUND', `Nothing answers ${request.method} here.`)),
  )
}
