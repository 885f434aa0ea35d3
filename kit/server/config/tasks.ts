import * as v from 'valibot'
import { storedEmail } from '#kit/contract/email.ts'
import { type Environment, type Fault, matching, readSetting } from './setting.ts'

/**
 * `operatorMail`: recipient of mails about new tasks; `null` sends none. `simStockLevel`: fewer unused SIM packs than this create a task; 0
 * never does.
 */
export type TasksConfig = { operatorMail: string | null; simStockLevel: number }

const levels = { production: 100, demo: 0 }

const addressSchema = v.pipe(
  v.string(),
  v.transform(storedEmail),
  v.string('must be one address such as operations@example.nz.'),
)
const levelSchema = v.pipe(matching(/^\d{1,7}$/, 'must be a whole number from 0 to 9999999.'), v.transform(Number))

export function tasksConfig(env: Environment, mode: keyof typeof levels, fault: Fault): TasksConfig {
  const read = { env, fault }
  return {
    operatorMail: readSetting(read, 'OPERATOR_MAIL', addressSchema, null),
    simStockLevel: readSetting(read, 'SIM_STOCK_LEVEL', levelSchema, levels[mode]),
  }
}
