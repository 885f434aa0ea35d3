import { refusedOf } from '../recipients.ts'
import { startSmsSimulator } from './simulator.ts'

// Runs the carrier alone, told by its environment; README.md lists what it reads.
const {
  PORT = '4050',
  DATA_DIR = '.data/sms',
  AUTH = 'none',
  API_KEY,
  API_KEY_HEADER = 'Authorization',
  REFUSED,
} = process.env

if (!/^\d{1,5}$/.test(PORT)) stop(`PORT must be a port, not "${PORT}"`)
if (AUTH !== 'none' && AUTH !== 'header') stop(`AUTH must be none or header, not "${AUTH}"`)
if (AUTH === 'header' && !API_KEY) stop('AUTH=header needs API_KEY.')

const simulator = await startSmsSimulator({
  port: Number(PORT),
  dataDir: DATA_DIR,
  ...(AUTH === 'header' && API_KEY && { demand: { header: API_KEY_HEADER, value: API_KEY } }),
})
simulator.setRecipients(refusedOf(REFUSED))
console.log(`The text-message simulator is ready at ${simulator.url}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.close())

function stop(line: string): never {
  console.error(line)
  process.exit(1)
}
