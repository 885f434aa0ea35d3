import { requireSetting, readTlsSettings } from './environment.ts'
import { startTokenServer } from './token-server.ts'

/*
 * Runs the token server as a standalone process. Environment variables: CLIENT_ID, CLIENT_SECRET, TOKEN_SECRET, PORT (default 4040),
 * DATA_DIR (.data/tokens), LIFE_SECONDS (3600), TLS_CERT, TLS_KEY, TLS_CLIENT_CA.
 */
const { env } = process
const { PORT = '4040', DATA_DIR = '.data/tokens', LIFE_SECONDS = '3600' } = env
for (const text of [PORT, LIFE_SECONDS])
  if (!/^\d{1,6}$/.test(text)) {
    console.error(`PORT and LIFE_SECONDS must be whole numbers, not "${text}"`)
    process.exit(1)
  }

const tls = readTlsSettings(env)
const server = await startTokenServer({
  port: Number(PORT),
  dataDir: DATA_DIR,
  clientId: requireSetting(env, 'CLIENT_ID'),
  clientSecret: requireSetting(env, 'CLIENT_SECRET'),
  tokenSecret: requireSetting(env, 'TOKEN_SECRET'),
  lifeSeconds: Number(LIFE_SECONDS),
  ...(tls && { tls }),
})
console.log(`The token server is ready at ${server.tokenUrl}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close())
