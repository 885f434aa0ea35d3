import { readFileSync } from 'node:fs'
import { parseRefusedRecipients } from '../recipients.ts'
import { startMailSimulator } from './simulator.ts'

const { PORT = '4030', CONTROL_PORT = '4031', DATA_DIR = '.data/mail', FORWARD_TO, REFUSED } = process.env
const { TLS_CERT, TLS_KEY, TLS_MODE = 'starttls', LOGIN_USER, LOGIN_PASSWORD } = process.env

if (Boolean(TLS_CERT) !== Boolean(TLS_KEY))
  stop('Set both TLS_CERT and TLS_KEY (the paths of a certificate and its key), or neither.')
if (TLS_MODE !== 'starttls' && TLS_MODE !== 'implicit') stop(`TLS_MODE must be starttls or implicit, not "${TLS_MODE}"`)
if (Boolean(LOGIN_USER) !== Boolean(LOGIN_PASSWORD)) stop('Set both LOGIN_USER and LOGIN_PASSWORD, or neither.')

const simulator = await startMailSimulator({
  port: parsePort('PORT', PORT),
  controlPort: parsePort('CONTROL_PORT', CONTROL_PORT),
  dataDir: DATA_DIR,
  forwardTo: FORWARD_TO,
  ...(TLS_CERT &&
    TLS_KEY && {
      tls: {
        cert: readFileSync(TLS_CERT, 'utf8'),
        key: readFileSync(TLS_KEY, 'utf8'),
        implicit: TLS_MODE === 'implicit',
      },
    }),
  ...(LOGIN_USER && LOGIN_PASSWORD && { login: { user: LOGIN_USER, password: LOGIN_PASSWORD } }),
})
simulator.setRecipients(parseRefusedRecipients(REFUSED))
console.log(
  `The mail simulator is ready at ${new URL(simulator.url).protocol}//localhost:${new URL(simulator.url).port}`,
)
console.log(`Its controls are at ${simulator.controlUrl}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.close())

function parsePort(name: string, text: string): number {
  return /^\d{1,5}$/.test(text) ? Number(text) : stop(`${name} must be a port, not "${text}"`)
}

function stop(line: string): never {
  console.error(line)
  process.exit(1)
}
