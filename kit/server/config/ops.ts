import type { Fault } from './shape.ts'

/** Where health and metrics are asked for, beside the customers' port. */
export type OpsConfig = { host: string; port: number }

/** Null where it is off, as it is unless a port is named. What is wrong goes to `fault`, a line each. */
export function opsConfig(
  env: Record<string, string | undefined>,
  taken: { PORT: number; OPERATOR_PORT: number | null },
  fault: Fault,
): OpsConfig | null {
  const asked = env['OPS_PORT']
  if (!asked) return null
  const port = Number(asked)
  if (!/^\d{1,5}$/.test(asked) || port > 65_535) fault('OPS_PORT must be a whole number from 0 to 65535.')
  // 0 picks one that is free.
  for (const [name, other] of Object.entries(taken))
    if (port === other && port !== 0) fault(`OPS_PORT must not be ${name}: it is a port of its own.`)
  return { host: env['OPS_HOST'] || '127.0.0.1', port }
}
