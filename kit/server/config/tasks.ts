import { storedEmail } from '#kit/contract/email.ts'

/** `operatorMail`: where mails about new tasks go; null: none are sent. `simStockLevel`: fewer unused SIM packs are one; 0: never. */
export type TasksConfig = { operatorMail: string | null; simStockLevel: number }

/** The demo has few SIM packs, and gets new ones by itself. */
const levels = { production: 100, demo: 0 }

/** What is wrong goes to `fault`, a line each. */
export function tasksConfig(
  env: Record<string, string | undefined>,
  mode: keyof typeof levels,
  fault: (line: string) => void,
): TasksConfig {
  const [address, level] = [env['OPERATOR_MAIL'], env['SIM_STOCK_LEVEL']]
  const operatorMail = address ? storedEmail(address) : null
  if (address && !operatorMail) fault('OPERATOR_MAIL must be one address such as operations@example.nz.')
  if (level && !/^\d{1,7}$/.test(level)) fault('SIM_STOCK_LEVEL must be a whole number from 0 to 9999999.')
  return { operatorMail, simStockLevel: level ? Number(level) : levels[mode] }
}
