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
     * `first`: let in before all others; `order`: likewise where the browser is known; `costly`: it hashes for whoever asks, and
     * takes turns with its like.
     */
    admission?: Admission
  }
  interface FastifyRequest {
    /** Told that there is no room: nothing was begun, and the log has such calls counted together. */
    isExcess: boolean
  }
}

export type Admission = 'first' | 'order' | 'costly'

export type ExcessFigures = {
  /** Since the start. */
  refused: number
  /** By rank, or `costly`. */
  atWork: Record<Rank | 'costly', number>
  /** For a turn at a costly call, or at a hash. */
  waiting: { costly: number; hash: number }
}

/** What is refused because more comes than can be answered, and how much is at work. */
export type Excess = {
  /** Comes before routes; after whatever gives each answer its headers. */
  hookInto(app: FastifyInstance): void
  /** Is told whom to let in before others. */
  known: LatelyKnown
  figures(): ExcessFigures
  stop(): void
}

/** `watch`: how late this process is, to be told again and again. */
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
      // While its visitor is there: a socket that was hung up has no address any more.
      app.addHook('onRequest', (request, _reply, done) => {
        clientIpOf(request)
        done()
      })
      // Once all of a call is there: who sends theirs slowly, or never to its end, keeps no place.
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

/** Says twice a second how late this process has been with what was due. */
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

/** A line for all that were refused meanwhile: one for each would be a flood of its own. */
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
