import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { openJournal } from '../journal.ts'
import { acceptLoopbackOnly } from '../loopback.ts'
import { createServer, type ServerTls } from './server.ts'
import { signToken, type Token } from './token.ts'

export type TokenServerOptions = {
  port: number
  dataDir: string
  clientId: string
  clientSecret: string
  tokenSecret: string
  /** A token's lifetime in seconds. The default is one hour. */
  lifeSeconds?: number
  tls?: ServerTls
}

const tokenServerModes = ['working', 'away', 'refusing'] as const
type Mode = (typeof tokenServerModes)[number]

export type TokenLedgerLine = { issued: Token } | { error: string }

export type TokenServer = {
  url: string
  tokenUrl: string
  /** Lists all token requests, oldest first. */
  ledger(): TokenLedgerLine[]
  /** Sets how the server behaves: `away` drops every connection, and `refusing` rejects the client's credentials. */
  setMode(mode: Mode): void
  setLife(seconds: number): void
  close(): Promise<void>
}

/** Starts an OAuth2 token server for a single client (client credentials grant, RFC 6749, section 4.4). */
export async function startTokenServer(options: TokenServerOptions): Promise<TokenServer> {
  const journal = openJournal<TokenLedgerLine>(join(options.dataDir, 'tokens.jsonl'))
  const ledger = [...journal.entries]
  const currentSettings = { mode: 'working' as Mode, lifeSeconds: options.lifeSeconds ?? 3_600 }
  const note = (line: TokenLedgerLine): void => {
    journal.append(line)
    ledger.push(line)
  }

  const app = createServer(options.tls)
  acceptLoopbackOnly(app)
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  )
  app.post('/token', async (request, reply) => {
    if (currentSettings.mode === 'away') {
      note({ error: 'away' })
      reply.hijack()
      request.raw.socket.destroy()
      return reply
    }
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
    const known = currentSettings.mode === 'working' && isKnownClient(request, form, options)
    const error = known
      ? form.get('grant_type') === 'client_credentials'
        ? null
        : 'unsupported_grant_type'
      : 'invalid_client'
    if (error) return rejectRequest(reply, error, note)
    const issuedAt = Date.now()
    const endsAt = issuedAt + currentSettings.lifeSeconds * 1_000
    const token = { id: ledger.length + 1, clientId: options.clientId, scope: form.get('scope'), issuedAt, endsAt }
    note({ issued: token })
    return reply.header('cache-control', 'no-store').send({
      access_token: signToken(token, options.tokenSecret),
      token_type: 'Bearer',
      expires_in: currentSettings.lifeSeconds,
      ...(token.scope !== null && { scope: token.scope }),
    })
  })
  serveControls(app, ledger, currentSettings)

  const url = await app.listen({ port: options.port, host: '127.0.0.1' })
  return {
    url,
    tokenUrl: `${url}/token`,
    ledger: () => [...ledger],
    setMode: (mode) => void (currentSettings.mode = mode),
    setLife: (seconds) => void (currentSettings.lifeSeconds = seconds),
    async close() {
      await app.close()
      journal.close()
    },
  }
}

/** Checks the client's credentials, which arrive either in the `Authorization` header (both parts form-encoded) or in the form. */
function isKnownClient(
  { headers }: FastifyRequest,
  form: URLSearchParams,
  { clientId, clientSecret }: TokenServerOptions,
): boolean {
  const [, encoded = ''] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? []
  if (encoded === '') return form.get('client_id') === clientId && form.get('client_secret') === clientSecret
  const parts = Buffer.from(encoded, 'base64').toString().split(':')
  const [id, secret] = parts.map((part) => new URLSearchParams(`part=${part}`).get('part'))
  return id === clientId && secret === clientSecret
}

function rejectRequest(reply: FastifyReply, error: string, note: (line: TokenLedgerLine) => void): FastifyReply {
  note({ error })
  if (error !== 'invalid_client') return reply.code(400).send({ error })
  return reply.code(401).header('www-authenticate', 'Basic realm="tokens"').send({ error })
}

function serveControls(
  app: FastifyInstance,
  ledger: TokenLedgerLine[],
  told: { mode: Mode; lifeSeconds: number },
): void {
  const settings = v.partial(
    v.strictObject({
      mode: v.picklist(tokenServerModes),
      lifeSeconds: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(86_400)),
    }),
  )
  app.put('/_simulator/settings', async (request, reply) => {
    const read = v.safeParse(settings, request.body)
    if (!read.success) return reply.code(400).send({ error: read.issues[0].message })
    Object.assign(told, read.output)
    return told
  })
  app.get('/_simulator/ledger', async () => ({ requests: ledger.length, lines: ledger }))
}
