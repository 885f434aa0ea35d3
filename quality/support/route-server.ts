import { rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { createClock, type MovableClock } from '#kit/server/clock.ts'
import { type Db, openDatabase } from '#kit/server/db.ts'
import { createHttpApp, type HttpOptions } from '#kit/server/http.ts'
import { serveRoutes } from '#kit/server/serve-routes.ts'
import { migrate } from '#kit/server/migrate.ts'
import type { Route } from '#kit/server/route.ts'
import { createPasswords, type Passwords } from '#kit/server/password.ts'
import { createSecrets, type Secrets } from '#kit/server/secrets.ts'
import { findVisitor } from '#features/auth/server/visitor.store.ts'
import { makeDatabase } from './database.ts'
import { createDataFolder } from './data-folder.ts'
import { newVisitor, type Visitor } from './visitor.ts'

export type RouteServer = {
  url: string
  db: Db
  clock: MovableClock
  secrets: Secrets
  passwords: Passwords
  visitor(): Visitor
}

type Parts = Pick<RouteServer, 'db' | 'clock' | 'secrets' | 'passwords'>
type RouteServerOptions = Partial<Pick<HttpOptions, 'trustedProxies' | 'answerMs' | 'noteOutage' | 'onFailure'>> & {
  before?(rig: Parts): Promise<void>
  seenBy?(db: Db): Db
}

/** Sets up a test file with the routes that `routesOf` creates from the given parts. PostgreSQL is used if `DATABASE_URL` is set. */
export function useRouteServer(
  routesOf: (rig: Parts) => Route[],
  { before, ...options }: RouteServerOptions = {},
): () => RouteServer {
  let rig: (RouteServer & { close(): Promise<void> }) | undefined
  beforeAll(async () => {
    rig = await startRouteServer(routesOf, options, before)
  })
  afterAll(() => rig?.close())
  return () => {
    if (!rig) throw new Error('the rig has not started')
    return rig
  }
}

async function startRouteServer(
  routesOf: Parameters<typeof useRouteServer>[0],
  { seenBy = (db) => db, ...options }: RouteServerOptions,
  before: RouteServerOptions['before'],
): Promise<RouteServer & { close(): Promise<void> }> {
  const own = process.env['DATABASE_URL'] ? await makeDatabase(process.env['DATABASE_URL']) : null
  const home = own ? null : createDataFolder()
  const database = await openDatabase(own ? { url: own.url, keepsStatements: true } : { folder: home })
  await migrate(database, join(import.meta.dirname, '../../db/migrations'))
  const parts = {
    db: database.db,
    clock: createClock(),
    secrets: createSecrets('the secret of a rig'),
    passwords: await createPasswords(database.db),
  }
  await before?.(parts)

  const http: HttpOptions = {
    ...parts,
    db: seenBy(parts.db),
    publicUrl: '',
    secureCookies: false,
    trustedProxies: [],
    logLevel: 'silent',
    findSession: findVisitor,
    ...options,
  }
  const app = await createHttpApp(http)
  const routes = routesOf(parts)
  serveRoutes(app, http, routes)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://localhost:${(app.server.address() as AddressInfo).port}`
  http.publicUrl = url
  const firstReadPath = routes.find(({ endpoint }) => endpoint.method === 'GET' && !endpoint.params && !endpoint.cache)
    ?.endpoint.path
  return {
    ...parts,
    url,
    visitor: () => newVisitor(url, firstReadPath),
    async close() {
      await app.close()
      await database.close()
      await own?.drop()
      if (home) rmSync(home, { recursive: true, force: true })
    },
  }
}
