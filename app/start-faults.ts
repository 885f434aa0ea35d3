import { ConfigFault } from '#kit/server/config.ts'
import { isDatabaseAway, reasonOf } from '#kit/server/database-away.ts'

/** Problems that the operator must fix before the product can start, a line each. `null`: the error is a defect of ours. */
export function startFaults(error: unknown): readonly string[] | null {
  if (error instanceof ConfigFault) return error.faults
  if (isDatabaseAway(error)) return [`The connection to the database was lost: ${reasonOf(error)}.`]
  if (lacksRight(error))
    return [
      `The role of DATABASE_URL lacks privileges that the product needs (${reasonOf(error)}): run \`npm run migrate\` with the ` +
        'MIGRATION_DATABASE_URL of the role that owns the tables, which grants them.',
    ]
  return null
}

const lacksRight = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '42501'
