import type { Config } from '#kit/server/config.ts'
import type { HttpOptions } from '#kit/server/http.ts'
import { startDeskServer } from '#desk/app/start-desk-server.ts'
import type { Deps } from './deps.ts'
import { listenOnTls } from './operator/listen-on-tls.ts'
import { listenOnSocket } from './operator/listen-on-socket.ts'
import type { ServedPortal } from './serve.ts'

type Desk = NonNullable<Config['desk']> & { url: string }

export async function startStaffServers(
  deps: Deps,
  { config, provider, pages }: Pick<ServedPortal, 'provider' | 'pages'> & { config: Config },
  { desk, noteOutage }: Pick<HttpOptions, 'noteOutage'> & { desk: Desk | null },
): Promise<{ operatorPort: number | null; close(): Promise<void> }> {
  const socketServer = await listenOnSocket(deps, config.dataDir)
  const tlsServer = config.operator && (await listenOnTls(deps, config.operator))
  const deskServer =
    desk &&
    (await startDeskServer(deps, {
      desk,
      provider,
      isDemo: config.mode === 'demo',
      hasPages: pages !== 'none',
      logLevel: config.logLevel,
      trustedProxies: config.trustedProxies,
      noteOutage,
    }))
  return {
    operatorPort: tlsServer?.port ?? null,
    async close() {
      await deskServer?.close()
      await socketServer.close()
      await tlsServer?.close()
    },
  }
}
