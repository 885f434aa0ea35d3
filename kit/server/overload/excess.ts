import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { clientIpOf } from '../client-ip.ts'
import { hashTurns } from '../hash-turns.ts'
import type { Log } from '../log.ts'
import { busy } from '../refusal.ts'
import { cookiesOf } from '../resolve-visit.ts'
import { createCostlyCalls } from './costly-calls.ts'
import { createDoor, type Rank } from './door.ts'
import { createLatelyKnown, type LatelyKnown } from './lately-known.ts'
import { leaveWhenOver } from './leave-when-over.ts'
import type { Leave } from './turns.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * `first`: admitted before all other calls. `order`: the same if the browser is known. `costly`: computes an expensive hash for any
     * caller, and queues with other calls of its route.
     */
    admission?: Admission
  }
  interface FastifyRequest {
    isExcess: boolean
  }
}

export type Admission = 'first' | 'order' | 'costly'

export type ExcessFigures = {
  refused: number
  atWork: Record<Rank | 'costly', number>
  waiting: { costly: number; hash: number }
}

export type Excess = {
  /** Call this before registering routes, and after the hooks that set the headers of every response. */
  hookInto(app: FastifyInstance): void
  known: LatelyKnown
  figures(): ExcessFigures
  stop(): void
}

export function createExcess(cookies: { secureCookies: boolean }, watch = watchDelay): Excess {
  const [door, costly, known] = [createDoor(), createCostlyCalls(), createLatelyKnown()]
  let refused = 0
  let stop = (): void => {}
  const figures = (): ExcessFigures => ({
    refused,
    atWork: { ...door.figures().atWork, costly: costly.figures().atWork },
    waiting: { costly: costly.figures().waiting, hash: hashTurns.figures().waiting },
  })

  async function admit(request: FastifyRequest): Promise<Leave> {
    const isKnown = cookiesOf(cookies, request).some((cookie) => known.has(cookie))
    const { admission } = request.routeOptions.config
    if (admission === 'costly') return costly.enter(request, isKnown)
    const leave = door.enter(rankOf(admission, isKnown), clientIpOf(request))
    if (!leave) throw busy()
    return leave
  }

  return {
    known,
    hookInto(app) {
      const stops = [watch(door.adapt), tellNowAndThen(app.log, figures)]
      stop = () => stops.forEach((each) => each())
      app.decorateRequest('isExcess', false)
      const holdUntilOver = leaveWhenOver(app)
      app.addHook('onRequest', (request, _reply, done) => {
        clientIpOf(request)
        done()
      })
      // A place is taken only once the whole request has arrived, so a slow or incomplete request holds none.
      app.addHook('preHandler', async (request, reply) => {
        const leave = await admit(request).catch((error: unknown) => {
          refused += 1
          request.isExcess = true
          throw error
        })
        holdUntilOver(reply, leave)
      })
    },
    figures,
    stop: () => stop(),
  }
}

function rankOf(admission: Admission | undefined, isKnown: boolean): Rank {
  if (admission === 'first' || (admission === 'order' && isKnown)) return 'first'
  return isKnown ? 'known' : 'anyone'
}

const resolutionMs = 20
const lookMs = 500

function watchDelay(adapt: (lateMs: number) => void): () => void {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  delay.enable()
  const timer = setInterval(() => {
    adapt(Number.isNaN(delay.mean) ? 0 : delay.mean / 1e6 - resolutionMs)
    delay.reset()
  }, lookMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    delay.disable()
  }
}

const tellMs = 10_000

function tellNowAndThen(log: Log, figures: () => ExcessFigures): () => void {
  let told = 0
  const timer = setInterval(() => {
    const { refused, atWork, waiting } = figures()
    if (refused > told)
      log.warn({ refused: refused - told, at_work: atWork, waiting }, 'more calls came than can be answered')
    told = refused
  }, tellMs)
  timer.unref()
  return () => clearInterval(timer)
}
