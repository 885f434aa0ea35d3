import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { getClientIp } from '../client-ip.ts'
import { hashQueue } from '../hash-queue.ts'
import type { Log } from '../log.ts'
import { serviceUnavailable } from '../http-error.ts'
import { getVisitorCookies } from '../resolve-request-context.ts'
import { createCostlyRequestQueues } from './costly-requests.ts'
import { createAdmissionControl, type PriorityClass } from './admission-control.ts'
import { createRecentVisitors, type RecentVisitors } from './recent-visitors.ts'
import { createReleaseOnResponse } from './release-on-response.ts'
import type { ReleaseSlot } from './semaphore.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The route's priority during overload. `first`: admitted before all other requests. `order`: the same, if the browser is known.
     * `costly`: computes an expensive hash for any client, and queues with other requests to the same route.
     */
    admission?: EndpointPriority
  }
  interface FastifyRequest {
    isExcess: boolean
  }
}

export type EndpointPriority = 'first' | 'order' | 'costly'

export type OverloadFigures = {
  refused: number
  atWork: Record<PriorityClass | 'costly', number>
  waiting: { costly: number; hash: number }
}

export type OverloadProtection = {
  /**
   * Registers the overload protection hooks. Call this before registering routes, and after the hooks that set headers on every response.
   */
  hookInto(app: FastifyInstance): void
  known: RecentVisitors
  figures(): OverloadFigures
  stop(): void
}

export function createOverloadProtection(
  cookies: { secureCookies: boolean },
  watch = monitorLoopDelay,
): OverloadProtection {
  const [admissionControl, costly, known] = [
    createAdmissionControl(),
    createCostlyRequestQueues(),
    createRecentVisitors(),
  ]
  let refused = 0
  let stop = (): void => {}
  const getFigures = (): OverloadFigures => ({
    refused,
    atWork: { ...admissionControl.figures().atWork, costly: costly.figures().atWork },
    waiting: { costly: costly.figures().waiting, hash: hashQueue.figures().waiting },
  })

  async function admitRequest(request: FastifyRequest): Promise<ReleaseSlot> {
    const isKnownVisitor = getVisitorCookies(cookies, request).some((cookie) => known.has(cookie))
    const { admission } = request.routeOptions.config
    if (admission === 'costly') return costly.enter(request, isKnownVisitor)
    const leave = admissionControl.enter(getPriorityClass(admission, isKnownVisitor), getClientIp(request))
    if (!leave) throw serviceUnavailable()
    return leave
  }

  return {
    known,
    hookInto(app) {
      const stopCallbacks = [watch(admissionControl.adapt), logRejections(app.log, getFigures)]
      stop = () => stopCallbacks.forEach((each) => each())
      app.decorateRequest('isExcess', false)
      const releaseOnResponse = createReleaseOnResponse(app)
      app.addHook('onRequest', (request, _reply, done) => {
        getClientIp(request)
        done()
      })
      // A request takes a place only once all of it has arrived, so a slow or incomplete request holds none.
      app.addHook('preHandler', async (request, reply) => {
        const leave = await admitRequest(request).catch((error: unknown) => {
          refused += 1
          request.isExcess = true
          throw error
        })
        releaseOnResponse(reply, leave)
      })
    },
    figures: getFigures,
    stop: () => stop(),
  }
}

function getPriorityClass(admission: EndpointPriority | undefined, isKnown: boolean): PriorityClass {
  if (admission === 'first' || (admission === 'order' && isKnown)) return 'first'
  return isKnown ? 'known' : 'anyone'
}

const delayResolutionMs = 20
const sampleIntervalMs = 500

function monitorLoopDelay(adapt: (lateMs: number) => void): () => void {
  const delay = monitorEventLoopDelay({ resolution: delayResolutionMs })
  delay.enable()
  const timer = setInterval(() => {
    adapt(Number.isNaN(delay.mean) ? 0 : delay.mean / 1e6 - delayResolutionMs)
    delay.reset()
  }, sampleIntervalMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    delay.disable()
  }
}

const logIntervalMs = 10_000

function logRejections(log: Log, figures: () => OverloadFigures): () => void {
  let loggedCount = 0
  const timer = setInterval(() => {
    const { refused, atWork, waiting } = figures()
    if (refused > loggedCount)
      log.warn({ refused: refused - loggedCount, at_work: atWork, waiting }, 'more calls came than can be answered')
    loggedCount = refused
  }, logIntervalMs)
  timer.unref()
  return () => clearInterval(timer)
}
