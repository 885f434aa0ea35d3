import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '#kit/server/db.ts'
import type { LatelyKnown } from '#kit/server/overload/lately-known.ts'
import type { Answered, RawCall, Route } from '#kit/server/route.ts'
import type { SignedIn } from '#kit/server/session.ts'
import type { Deps } from '#app/deps.ts'

/** A deliberate weakness: what the product does differently while it is in place. Anything not given stays unchanged. */
export type Plant = {
  /** Replaces a route's answer. */
  answer?(call: {
    route: Route
    db: Db
    raw: RawCall
    deps: Deps
    real: (raw?: RawCall) => Promise<Answered>
  }): Promise<Answered>
  /** Replaces the check that a request comes from our own page. */
  csrfFault?(request: FastifyRequest, real: () => string | null): string | null
  /** Turns off every count of a limit. */
  unlimited?: true
  /** Accepts a session that has ended. */
  endless?: true
  /** Accepts the gateway's webhooks without checking their signature. */
  unsigned?: true
  /** Signing up uses an existing account with the address, as before decision 0023. */
  oneAccountAnAddress?: true
  /** Changes an answer on its way out. */
  leaving?(
    request: FastifyRequest,
    reply: { header(name: string, value: string): unknown; code(status: number): unknown },
    payload: string,
  ): string
  /** Reads a body above its bound to its end before rejecting it. */
  readsAll?: true
  /** Sees a request on its way in. */
  coming?(request: FastifyRequest): void
}

/** The weakness in place, every line of the product's log, and its list of known browsers. */
export const stage: { plant: Plant | null; log: string[]; sessions: Map<string, SignedIn>; known: LatelyKnown | null } =
  {
    plant: null,
    log: [],
    sessions: new Map(),
    known: null,
  }

/** Makes the hooks of a server apply the weakness that is in place. */
export function hookInto(app: FastifyInstance): FastifyInstance {
  app.addHook('preParsing', async (_request, _reply, payload) => {
    if (!stage.plant?.readsAll) return payload
    const most = 32 * 1024 * 1024
    let bytes = 0
    for await (const part of payload) if ((bytes += (part as Buffer).length) > most) break
    return Readable.from([Buffer.alloc(64 * 1024)])
  })
  app.addHook('preHandler', async (request) => stage.plant?.coming?.(request))
  app.addHook('onSend', async (request, reply, payload) => {
    const text = stage.plant?.leaving ? textOf(payload, reply.getHeader('content-encoding')) : null
    if (text === null || !stage.plant?.leaving) return payload
    reply.removeHeader('content-length')
    return stage.plant.leaving(request, reply, text)
  })
  return app
}

/** Pages leave the server as bytes. */
function textOf(payload: unknown, coding: unknown): string | null {
  if (typeof payload === 'string') return payload
  return Buffer.isBuffer(payload) && coding === undefined ? payload.toString() : null
}

/** A table of routes whose answers a weakness can replace. */
export const withPlants = <Each extends Route>(routes: Each[], deps: Deps): Each[] =>
  routes.map((route) => ({
    ...route,
    answer(db: Db, raw: RawCall) {
      const real = (changed = raw) => route.answer(db, changed)
      return stage.plant?.answer ? stage.plant.answer({ route, db, raw, deps, real }) : real()
    },
  }))
