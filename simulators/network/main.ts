import { readSimulatorAccess } from '../access/environment.ts'
import { dialects } from './dialect.ts'
import { startNetworkSimulator } from './simulator.ts'

/*
 * Runs the network simulator as a standalone process. Environment variables: PORT (default 4020), DATA_DIR (.data/network), ZONE, and in
 * milliseconds STEP_MS, SLOW_STEP_MS and PORT_DELAY_MS. DIALECT=tasman selects a carrier that differs from the defaults in every respect.
 * `readAccess` reads the variables for TLS and credentials.
 */
const { PORT = '4020', DATA_DIR = '.data/network', STEP_MS, SLOW_STEP_MS, PORT_DELAY_MS, ZONE, DIALECT } = process.env

const simulator = await startNetworkSimulator({
  port: parseWholeNumber('PORT', PORT),
  dataDir: DATA_DIR,
  zone: ZONE,
  dialect: dialects.find((dialect) => dialect === DIALECT),
  stepMs: STEP_MS === undefined ? undefined : parseWholeNumber('STEP_MS', STEP_MS),
  slowStepMs: SLOW_STEP_MS === undefined ? undefined : parseWholeNumber('SLOW_STEP_MS', SLOW_STEP_MS),
  portDelayMs: PORT_DELAY_MS === undefined ? undefined : parseWholeNumber('PORT_DELAY_MS', PORT_DELAY_MS),
  access: readSimulatorAccess(process.env),
})
console.log(`The network simulator is ready at ${simulator.url}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.close())

function parseWholeNumber(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  console.error(`${name} must be a whole number, not "${text}"`)
  process.exit(1)
}
