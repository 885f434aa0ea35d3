import { readSimulatorAccess } from '../access/environment.ts'
import { parseRefusedRecipients } from '../recipients.ts'
import { startSmsSimulator } from './simulator.ts'

const { PORT = '4050', DATA_DIR = '.data/sms', REFUSED } = process.env

if (!/^\d{1,5}$/.test(PORT)) {
  console.error(`PORT must be a port, not "${PORT}"`)
  process.exit(1)
}

const simulator = await startSmsSimulator({
  port: Number(PORT),
  dataDir: DATA_DIR,
  access: readSimulatorAccess(process.env),
})
simulator.setRecipients(parseRefusedRecipients(REFUSED))
console.log(`The text-message simulator is ready at ${simulator.url}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.close())
