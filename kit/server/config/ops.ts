import { type Environment, type ReportFault, port as portSchema, readSetting } from './setting.ts'

export type OpsConfig = { host: string; port: number }

export function readOpsConfig(
  env: Environment,
  taken: { PORT: number; OPERATOR_PORT: number | null },
  fault: ReportFault,
): OpsConfig | null {
  if (!env['OPS_PORT']) return null
  const port = readSetting({ env, fault }, 'OPS_PORT', portSchema, 0)
  for (const [name, other] of Object.entries(taken))
    if (port === other && port !== 0) fault(`OPS_PORT must be different from ${name}.`)
  return { host: env['OPS_HOST'] || '127.0.0.1', port }
}
