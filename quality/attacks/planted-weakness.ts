import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '#kit/server/db.ts'
import type { RecentVisitors } from '#kit/server/overload/recent-visitors.ts'
import type { RouteResponse, RawRequest, Route } from '#kit/server/route.ts'
import type { SignedInUser } from '#kit/server/session.ts'
import type { Deps } from '#app/deps.ts'

export type PlantedWeakness = {
  answer?(call: {
    route: Route
    db: Db
    raw: RawRequest
    deps: Deps
    real: (raw?: RawRequest) => Promise<RouteResponse>
  }): Promise<RouteResponse>
  csrfFault?(request: FastifyRequest, real: () => string | null): string | null
  unlimited?: true
  endless?: true
  unsigned?: true
  /** Signing up reuses an existing account with the same email address, as Fantail did before decision 0023. */
  oneAccountAnAddress?: true
  leaving?(
    request: FastifyRequest,
    reply: { header(name: string, value: string): unknown; code(status: number): unknown },
    payload: string,
  ): string
  readsAll?: true
  coming?(request: FastifyRequest): void
}

export const stage: {
  plant: PlantedWeakness | null
  log: string[]
  sessions: Map<string, SignedInUser>
  known: RecentVisitors | null
} = {
  plant: null,
  log: [],
  sessions: new Map(),
  known: null,
}

export function addWeaknessHooks(app: FastifyInstance): FastifyInstance {
  app.addHook('preParsing', async (_request, _reply, payload) => {
    if (!stage.plant?.readsAll) return payload
    const most = 32 * 1024 * 1024
    let bytes = 0
    for await (const part of payload) if ((bytes += (part as Buffer).length) > most) break
    return Readable.from([Buffer.alloc(64 * 1024)])
  })
  app.addHook('preHandler', async (request) => stage.plant?.coming?.(request))
  app.addHook('onSend', async (request, reply, payload) => {
    const text = stage.plant?.leaving ? readPayloadText(payload, reply.getHeader('content-encoding')) : null
    if (text === null || !stage.plant?.leaving) return payload
    reply.removeHeader('content-length')
    return stage.plant.leaving(request, reply, text)
  })
  return app
}

/** Returns the text of a string or an uncompressed buffer; null for anything else. Pages are sent as buffers. */
function readPayloadText(payload: unknown, coding: unknown): string | null {
  if (typeof payload === 'string') return payload
  return Buffer.isBuffer(payload) && coding === undefined ? payload.toString() : null
}

export const addPlantedWeakness = <Each extends Route>(routes: Each[], deps: Deps): Each[] =>
  routes.map((route) => ({
    ...route,
    answer(db: Db, raw: RawRequest) {
      const real = (changed = raw) => route.answer(db, changed)
      return stage.plant?.answer ? stage.plant.answer({ route, db, raw, deps, real }) : real()
    },
  }))
