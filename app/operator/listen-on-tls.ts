import { readFileSync } from 'node:fs'
import { normaliseIp } from '#kit/server/client-ip.ts'
import { ConfigError } from '#kit/server/config.ts'
import type { OperatorConfig } from '#kit/server/config/operator.ts'
import { listen } from '#kit/server/listen.ts'
import { authenticateToken } from '#features/operator-tokens/server/operator-tokens.ts'
import type { Deps } from '../deps.ts'
import { setActorName } from './request.ts'
import { createOperatorServer } from './routes.ts'
import { rejectInvitations } from './staff.routes.ts'

/**
 * Serves operator commands from other hosts on a separate port, which requires TLS and a token. The audit trail records the token's name.
 * @throws ConfigError if the certificate or key is unusable, or the port cannot be opened
 */
export async function listenOnTls(
  deps: Deps,
  config: OperatorConfig,
): Promise<{ port: number; close(): Promise<void> }> {
  const app = createTlsServer(deps, config)
  rejectInvitations(app)
  app.addHook('onRequest', async (request, reply) => {
    const [, token = ''] = /^Bearer (\S{1,100})$/.exec(request.headers.authorization ?? '') ?? []
    const entry = await authenticateToken(deps, token, normaliseIp(request.ip))
    if (entry === 'too-many')
      return reply.status(429).header('retry-after', '3600').send({ why: 'Too many attempts. Wait an hour.' })
    if (entry === 'unknown') return reply.status(401).send({ why: 'This token is unknown, expired or revoked.' })
    if (entry.scope === 'read' && request.method !== 'GET')
      return reply.status(403).send({ why: 'This token is read-only.' })
    return setActorName(request, entry.name)
  })
  const settings = { host: 'OPERATOR_HOST', port: 'OPERATOR_PORT' }
  return { port: await listen(app, { ...config, settings }), close: () => app.close() }
}

function createTlsServer(deps: Deps, { certFile, keyFile }: OperatorConfig) {
  const tls = { cert: readTlsFile('OPERATOR_TLS_CERT', certFile), key: readTlsFile('OPERATOR_TLS_KEY', keyFile) }
  try {
    return createOperatorServer(deps, tls)
  } catch (error) {
    throw new ConfigError([`OPERATOR_TLS_CERT and OPERATOR_TLS_KEY cannot be used together (${getErrorCode(error)}).`])
  }
}

function readTlsFile(name: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new ConfigError([`${name}: ${file} cannot be read (${getErrorCode(error)}).`])
  }
}

const getErrorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
