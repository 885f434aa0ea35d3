import { readTlsSettings } from '../access/environment.ts'
import { startGatewaySimulator } from './server.ts'

// Runs the gateway simulator as a standalone process, configured by environment variables. `readTls` reads the TLS settings.
const { PORT = '4010', DATA_DIR = '.data/gateway', WEBHOOK_URL, PENDING_DELAY_MS } = process.env
const { API_KEY, MERCHANT_ACCOUNT, HMAC_KEY = '' } = process.env

if (!API_KEY || !MERCHANT_ACCOUNT || !/^(?:[\da-f]{2})+$/i.test(HMAC_KEY)) {
  console.error('The gateway simulator needs API_KEY, MERCHANT_ACCOUNT and HMAC_KEY (hex).')
  process.exit(1)
}

const tls = readTlsSettings(process.env)
const simulator = await startGatewaySimulator({
  port: Number(PORT),
  dataDir: DATA_DIR,
  apiKey: API_KEY,
  merchantAccount: MERCHANT_ACCOUNT,
  hmacKey: HMAC_KEY,
  webhookUrl: WEBHOOK_URL,
  pendingDelayMs: PENDING_DELAY_MS ? Number(PENDING_DELAY_MS) : undefined,
  ...(tls && { tls }),
})
console.log(`Gateway simulator is ready at ${simulator.url}`)
console.log(`Card encryption key: ${simulator.publicKey}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.close())
