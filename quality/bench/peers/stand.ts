import { join } from 'node:path'
import { freePort } from '#kit/server/free-port.ts'
import { makeDatabase } from '#quality/support/database.ts'
import type { BenchWorld } from '../world/world.ts'
import { type Group, startGroup, through } from './group.ts'
import { longestInstallMs, startInstall } from './install.ts'
import type { Peer, Standing } from './peer.ts'

/** Installs a peer in the world's folder and starts it on a database of its own. @throws a line with the reason when it cannot */
export async function standUp({ home, server, alsoEnds }: BenchWorld, peer: Peer): Promise<Standing> {
  if (!server) throw new Error('it needs PostgreSQL')
  const folder = join(home, peer.name)
  const install = startInstall(peer, folder)
  alsoEnds(install.stop)
  await through(install, longestInstallMs).catch((error: Error) => {
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
    port: await freePort(),
    begin(args, env) {
      const usual = { PATH: process.env['PATH'], HOME: folder, NODE_ENV: 'production', DATABASE_URL: database.url }
      const group = startGroup(process.execPath, args, { cwd: folder, env: { ...usual, ...env } })
      begun.push(group)
      return group
    },
  })
}
