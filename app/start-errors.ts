import { ConfigError } from '#kit/server/config.ts'
import { isDatabaseUnavailable, getErrorReason } from '#kit/server/database-unavailable.ts'

/** Returns a line for each problem that the operator must fix before the application can start. `null` if the error is a bug. */
export function describeStartErrors(error: unknown): readonly string[] | null {
  if (error instanceof ConfigError) return error.faults
  if (isDatabaseUnavailable(error)) return [`The connection to the database was lost: ${getErrorReason(error)}.`]
  if (isInsufficientPrivilege(error))
    return [
      `The role in DATABASE_URL lacks privileges that Fantail needs (${getErrorReason(error)}). To grant them, run \`npm run migrate\` ` +
        'with MIGRATION_DATABASE_URL set to the role that owns the tables.',
    ]
  return null
}

const isInsufficientPrivilege = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '42501'
