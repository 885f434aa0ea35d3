import type { Config } from '#kit/server/config.ts'
import type { HttpOptions } from '#kit/server/http.ts'
import { hearDesk } from '#desk/app/hear-desk.ts'
import type { Deps } from './deps.ts'
import { hearOperatorOverTls } from './operator/hear-tls.ts'
import { hearOperator } from './operator/hear.ts'
import type { Served } from './serve.ts'

type Desk = NonNullable<Config['desk']> & { url: string }

export async function hearProvider(
  deps: Deps,
  { config, provider, pages }: Pick<Served, 'provider' | 'pages'> & { config: Config },
  { desk, isAway }: Pick<HttpOptions, 'isAway'> & { desk: Desk | null },
): Promise<{ operatorPort: number | null; close(): Promise<void> }> {
  const here = await hearOperator(deps, config.dataDir)
  const remote = config.operator && (await hearOperatorOverTls(deps, config.operator))
  const atDesk =
    desk &&
    (await hearDesk(deps, {
      desk,
      provider,
      isDemo: config.mode === 'demo',
      hasPages: pages !== 'none',
      logLevel: config.logLevel,
      trustedProxies: config.trustedProxies,
      isAway,
    }))
  return {
    operatorPort: remote?.port ?? null,
    async close() {
      await atDesk?.close()
      await here.close()
      await remote?.close()
    },
  }
}
