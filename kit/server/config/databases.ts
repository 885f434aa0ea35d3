import { hostsOf } from '../database-hosts.ts'
import type { Reading } from './reading.ts'

/** The database as the product's role, and as the one that owns its tables. */
export function databaseUrls(read: Reading): { databaseUrl: string | null; migrationDatabaseUrl: string | null } {
  const [ours, owners] = [databaseUrl(read, 'DATABASE_URL'), databaseUrl(read, 'MIGRATION_DATABASE_URL')]
  if (owners && !ours) read.fault('MIGRATION_DATABASE_URL goes with DATABASE_URL, which is missing.')
  return { databaseUrl: ours, migrationDatabaseUrl: owners }
}

function databaseUrl({ env, fault }: Reading, name: string): string | null {
  const value = env[name]
  if (!value) return null
  if (!/^postgres(ql)?:\/\//.test(value)) fault(`${name} must start with postgres:// or postgresql://.`)
  else {
    const hosts = hostsOf(value)
    if ('fault' in hosts) fault(`${name} ${hosts.fault}`)
  }
  return value
}
