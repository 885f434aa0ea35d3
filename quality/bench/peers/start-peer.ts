import { join } from 'node:path'
import { findFreePort } from '#kit/server/free-port.ts'
import { makeDatabase } from '#quality/support/database.ts'
import type { BenchWorld } from '../world/world.ts'
import { type Group, startGroup, waitForExit } from './process-group.ts'
import { maxInstallMs, startInstall } from './install-peer.ts'
import type { Peer, RunningSite } from './peer.ts'

/**
 * Installs a platform that Fantail is compared with in the benchmark's folder, and starts it on its own database.
 * @throws an error with a one-line reason if either step fails
 */
export async function startPeer({ home, server, alsoEnds }: BenchWorld, peer: Peer): Promise<RunningSite> {
  if (!server) throw new Error('it needs PostgreSQL')
  const folder = join(home, peer.name)
  const installation = startInstall(peer, folder)
  alsoEnds(installation.stop)
  await waitForExit(installation, maxInstallMs).catch((error: Error) => {
    throw new Error(`npm could not install it: ${error.message}`)
  })
  const database = await makeDatabase(server, { empty: true })
  const begun: Group[] = []
  alsoEnds(async () => {
    await Promise.all(begun.map((group) => group.stop()))
    await database.drop()
  })
  return peer.start({
    folder,
    databaseUrl: database.url,
    port: await findFreePort(),
    begin(args, env) {
      const usual = { PATH: process.env['PATH'], HOME: folder, NODE_ENV: 'production', DATABASE_URL: database.url }
      const group = startGroup(process.execPath, args, { cwd: folder, env: { ...usual, ...env } })
      begun.push(group)
      return group
    },
  })
}
