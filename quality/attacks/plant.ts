import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '#kit/server/db.ts'
import type { LatelyKnown } from '#kit/server/overload/lately-known.ts'
import type { Answered, RawCall, Route } from '#kit/server/route.ts'
import type { SignedIn } from '#kit/server/session.ts'
import type { Deps } from '#app/deps.ts'

/** A weakness on purpose: what the product does otherwise as long as it is in place. What is not said stays as it is. */
export type Plant = {
  /** In place of a route's answer. */
  answer?(call: {
    route: Route
    db: Db
    raw: RawCall
    deps: Deps
    real: (raw?: RawCall) => Promise<Answered>
  }): Promise<Answered>
  /** In place of the check that a request comes from our own page. */
  csrfFault?(request: FastifyRequest, real: () => string | null): string | null
  /** In place of every count of a limit. */
  unlimited?: true
  /** A session that has ended opens the door again. */
  endless?: true
  /** The gateway's reports are taken as they come. */
  unsigned?: true
  /** Who signs up gets the account that already has the address, as it was before decision 0023. */
  oneAccountAnAddress?: true
  /** Changes an answer on its way out. */
  leaving?(
    request: FastifyRequest,
    reply: { header(name: string, value: string): unknown; code(status: number): unknown },
    payload: string,
  ): string
  /** A body above its bound is read, as far as it goes, before it is refused. */
  readsAll?: true
  /** Looks at a request on its way in. */
  coming?(request: FastifyRequest): void
}

/** The weakness that is in place, every line that the product wrote into its log, and its list of known browsers. */
export const stage: { plant: Plant | null; log: string[]; sessions: Map<string, SignedIn>; known: LatelyKnown | null } =
  {
    plant: null,
    log: [],
    sessions: new Map(),
    known: null,
  }

/** Has the hooks of a server ask for the weakness that is in place. */
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

/** Pages leave as bytes. */
function textOf(payload: unknown, coding: unknown): string | null {
  if (typeof payload === 'string') return payload
  return Buffer.isBuffer(payload) && coding === undefined ? payload.toString() : null
}

/** A table of routes whose answers a weakness can take the place of. */
export const withPlants = <Each extends Route>(routes: Each[], deps: Deps): Each[] =>
  routes.map((route) => ({
    ...route,
    answer(db: Db, raw: RawCall) {
      const real = (changed = raw) => route.answer(db, changed)
      return stage.plant?.answer ? stage.plant.answer({ route, db, raw, deps, real }) : real()
    },
  }))
