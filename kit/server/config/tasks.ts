import * as v from 'valibot'
import { normaliseEmail } from '#kit/contract/email.ts'
import { type Environment, type ReportFault, textMatching, readSetting } from './setting.ts'

/**
 * `operatorMail`: recipient of emails about new operator tasks; `null` sends none. `simStockLevel`: a task is created when fewer unused SIM
 * packs than this are left; 0 creates none.
 */
export type TasksConfig = { operatorMail: string | null; simStockLevel: number }

const defaultStockLevels = { production: 100, demo: 0 }

const emailAddressSchema = v.pipe(
  v.string(),
  v.transform(normaliseEmail),
  v.string('must be one address such as operations@example.nz.'),
)
const stockLevelSchema = v.pipe(
  textMatching(/^\d{1,7}$/, 'must be a whole number from 0 to 9999999.'),
  v.transform(Number),
)

export function readTasksConfig(
  env: Environment,
  mode: keyof typeof defaultStockLevels,
  fault: ReportFault,
): TasksConfig {
  const read = { env, fault }
  return {
    operatorMail: readSetting(read, 'OPERATOR_MAIL', emailAddressSchema, null),
    simStockLevel: readSetting(read, 'SIM_STOCK_LEVEL', stockLevelSchema, defaultStockLevels[mode]),
  }
}
