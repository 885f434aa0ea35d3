import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import type { Deps } from '../deps.ts'
import { operatorAddress } from './operator-address.ts'
import { createOperatorServer } from './routes.ts'
import { invitationRoutes } from './staff.routes.ts'
import { tokenRoutes } from './tokens.routes.ts'

/**
 * Serves the operator's command-line tool (`operator/`) on a socket in the data directory. Only the system user that runs the application
 * can open the socket. That user could also read the secret key, so a token would add nothing. `listen-on-tls.ts` serves other hosts.
 */
export async function listenOnSocket(deps: Deps, dataDir: string): Promise<{ close(): Promise<void> }> {
  const app = createOperatorServer(deps)
  tokenRoutes(app, deps)
  invitationRoutes(app, deps)
  const address = operatorAddress(dataDir)
  const isFile = process.platform !== 'win32'
  try {
    if (isFile) {
      mkdirSync(dataDir, { recursive: true })
      if (await isListening(address)) throw new Error('another process already listens on it')
      // A process that was killed leaves its socket file behind.
      rmSync(address, { force: true })
    }
    await app.listen({ path: address })
    if (isFile) chmodSync(address, 0o600)
  } catch (error) {
    // The portal starts even if the operator socket cannot be opened.
    deps.log.warn({ reason: String(error) }, 'the operator socket could not be opened')
  }
  return { close: () => app.close() }
}

function isListening(address: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(address, () => resolve(true)).on('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}
